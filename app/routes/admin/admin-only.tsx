import { Outlet } from 'react-router';
import { requireAdmin } from '#app/http/guards.ts';
import type { Route } from './+types/admin-only.ts';

export const middleware: Route.MiddlewareFunction[] = [requireAdmin];

/** A loader makes the browser ask the server, and with it the guard, on every visit. */
export const loader = () => null;

export default function AdminOnly() {
  return <Outlet />;
}
