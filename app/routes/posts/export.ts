import { db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { exportPosts } from '#app/domain/posts/csv.ts';
import { press } from '#app/http/forms.ts';
import { limit } from '#app/http/limit.ts';
import { actorOf } from '#app/http/session.ts';
import type { Route } from './+types/export.ts';

export const loader = ({ request, context }: Route.LoaderArgs) =>
  press({ context }, '/app/posts', async () => {
    const actor = actorOf(context);
    await limit(request, 'export', actor.userId);
    return sendHistory(actor);
  });

/** The history as a file, sent as it is read: it may be longer than a request should hold. */
function sendHistory(actor: Actor): Response {
  const lines = exportPosts(db(), actor);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(sink) {
      const { done, value } = await lines.next();
      if (done) sink.close();
      else sink.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="tidepost-posts.csv"',
  };
  return new Response(body, { headers });
}
