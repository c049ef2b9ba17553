import { Outlet } from 'react-router';
import { requireVisitor } from '#app/http/guards.ts';
import type { Route } from './+types/visitor.ts';

export const middleware: Route.MiddlewareFunction[] = [requireVisitor];

/** Without a loader the browser would not ask the server, and the guard would not run. */
export const loader = () => null;

export default function VisitorLayout() {
  return <Outlet />;
}
