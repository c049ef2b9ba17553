import type { MiddlewareFunction } from 'react-router';
import { takeClick } from './click-links.ts';
import { refuseForeignForms } from './csrf.ts';
import { carryNotices } from './notice.ts';
import { refuseBrokenCursor } from './page-query.ts';
import { takeForm } from './read-form.ts';
import { keepSentForm } from './sent-form.ts';
import { readSession } from './session.ts';

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
