import { data, type MiddlewareFunction } from 'react-router';
import { isCountedCursor, readCursor } from '#app/domain/paging.ts';
import { Refusal } from '#app/domain/refusal.ts';

/** Page middleware: the lists of every page go on from `cursor`, and one that is not ours is refused. */
export const refuseBrokenCursor: MiddlewareFunction<Response> = ({ request }) => {
  const cursor = new URL(request.url).searchParams.get('cursor') || undefined;
  if (cursor && isCountedCursor(cursor)) return;
  try {
    readCursor(cursor);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw data(`${error.message}.`, { status: error.status });
  }
};
