import { data, type MiddlewareFunction } from 'react-router';
import { isCountedCursor, readCursor } from '#app/domain/paging.ts';
import { Refusal } from '#app/domain/refusal.ts';

/** The pages that look themselves at a cursor of a list in the order of a number: the board, and the desk it is led from. */
const COUNTED = new Set(['/app/feedback', '/app/admin/support-feedback']);

/** Page middleware: the lists of every page go on from `cursor`, and one that is not ours is refused. */
export const refuseBrokenCursor: MiddlewareFunction<Response> = ({ url: { pathname, searchParams } }) => {
  const cursor = searchParams.get('cursor') || undefined;
  if (cursor && COUNTED.has(pathname) && isCountedCursor(cursor)) return;
  try {
    readCursor(cursor);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw data(`${error.message}.`, { status: error.status });
  }
};
