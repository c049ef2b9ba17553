import { Outlet } from 'react-router';
import { cookiePages } from '#app/http/cookie-pages.ts';
import type { Route } from './+types/pages.ts';

/** Around what can be seen without signing in. */
export const middleware: Route.MiddlewareFunction[] = cookiePages;

export const loader = () => null;

export default function Pages() {
  return <Outlet />;
}
