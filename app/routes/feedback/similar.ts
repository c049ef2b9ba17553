import { db } from '#app/db/client.ts';
import { FEEDBACK_TITLE_MAX } from '#app/domain/feedback/limits.ts';
import { findSimilar } from '#app/domain/feedback/similar.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/similar.ts';
import { presentSimilar } from './present.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const title = new URL(request.url).searchParams.get('title') ?? '';
  const isTitle = title.length <= FEEDBACK_TITLE_MAX && !title.includes('\0');
  const found = isTitle ? await findSimilar(db(), actorOf(context), title) : [];
  return Response.json(found.map(presentSimilar));
}
