import type { MiddlewareFunction } from 'react-router';
import { carryNotices } from '#app/http/forms/flash.ts';
import { keepSentForm } from '#app/http/forms/preserve-form.ts';
import { takeForm } from '#app/http/forms/read-form.ts';
import { readSession } from '#app/http/session/session.ts';
import { takeClick } from '#app/http/telemetry/click-tracking.ts';
import { refuseForeignForms } from './csrf.ts';
import { refuseBrokenCursor } from './cursor-middleware.ts';

/** What every page needs, because pages speak the cookie; the API does not. */
export const cookiePages: MiddlewareFunction<Response>[] = [
  refuseForeignForms,
  takeClick,
  keepSentForm,
  readSession,
  carryNotices,
  takeForm,
  refuseBrokenCursor,
];
