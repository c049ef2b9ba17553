import { Outlet } from 'react-router';
import { refuseForeignForms } from '#app/http/csrf.ts';
import { carryNotices } from '#app/http/notice.ts';
import { refuseBrokenCursor } from '#app/http/page-query.ts';
import { takeForm } from '#app/http/read-form.ts';
import { readSession } from '#app/http/session.ts';
import type { Route } from './+types/pages.ts';

/** Everything that speaks the cookie lies below; the API does not. */
export const middleware: Route.MiddlewareFunction[] = [
  refuseForeignForms,
  readSession,
  carryNotices,
  takeForm,
  refuseBrokenCursor,
];

export const loader = () => null;

export default function Pages() {
  return <Outlet />;
}
