import { data, type MiddlewareFunction } from 'react-router';
import { isCountedCursor, readCursor } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { flashMiddleware } from '#app/http/forms/flash.ts';
import { preserveForm } from '#app/http/forms/preserve-form.ts';
import { formMiddleware } from '#app/http/forms/read-form.ts';
import { readSession } from '#app/http/session/session.ts';
import { clickMiddleware } from '#app/http/telemetry/click-tracking.ts';
import { csrfMiddleware } from './csrf.ts';

/** Pages whose list is sorted by a number: their cursors have another format. */
const COUNTED = new Set(['/app/feedback', '/app/admin/support-feedback']);

/** Rejects an invalid `cursor` in the URL of any page. */
const cursorMiddleware: MiddlewareFunction<Response> = ({ url: { pathname, searchParams } }) => {
  const cursor = searchParams.get('cursor') || undefined;
  if (cursor && COUNTED.has(pathname) && isCountedCursor(cursor)) return;
  try {
    readCursor(cursor);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw data(`${error.message}.`, { status: error.status });
  }
};

/** For every page. The API does not use cookies or forms, so it needs none of these. */
export const pageMiddleware: MiddlewareFunction<Response>[] = [
  csrfMiddleware,
  clickMiddleware,
  preserveForm,
  readSession,
  flashMiddleware,
  formMiddleware,
  cursorMiddleware,
];
