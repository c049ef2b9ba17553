import { data, type MiddlewareFunction } from 'react-router';
import { isCountedCursor, readCursor } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { flashMiddleware } from '#app/http/forms/flash.ts';
import { preserveForm } from '#app/http/forms/preserve-form.ts';
import { formMiddleware } from '#app/http/forms/read-form.ts';
import { readSession } from '#app/http/session/session.ts';
import { clickMiddleware } from '#app/http/telemetry/click-tracking.ts';
import { csrfMiddleware } from './csrf.ts';

/** Pages that check a cursor themselves, because their list is in the order of a number: the board of feedback, and the page on which admins answer it. */
const COUNTED = new Set(['/app/feedback', '/app/admin/support-feedback']);

/** Page middleware: the lists of every page go on from `cursor`, and one that is not ours is refused. */
const refuseBrokenCursor: MiddlewareFunction<Response> = ({ url: { pathname, searchParams } }) => {
  const cursor = searchParams.get('cursor') || undefined;
  if (cursor && COUNTED.has(pathname) && isCountedCursor(cursor)) return;
  try {
    readCursor(cursor);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw data(`${error.message}.`, { status: error.status });
  }
};

/** What every page needs, because pages speak the cookie; the API does not. */
export const pageMiddleware: MiddlewareFunction<Response>[] = [
  csrfMiddleware,
  clickMiddleware,
  preserveForm,
  readSession,
  flashMiddleware,
  formMiddleware,
  refuseBrokenCursor,
];
