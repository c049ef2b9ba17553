import { db } from '#app/db/client.ts';
import { exportPosts } from '#app/domain/posts/csv.ts';
import { actorOf } from '#app/http/session.ts';
import type { Route } from './+types/export.ts';

/** The history as a file, sent as it is read: it may be longer than a request should hold. */
export function loader({ context }: Route.LoaderArgs) {
  const lines = exportPosts(db(), actorOf(context));
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
