import { Outlet } from 'react-router';
import { db } from '#app/db/client.ts';
import { getShellState } from '#app/domain/shell-state.ts';
import { cookiePages } from '#app/http/cookie-pages.ts';
import { requireUser } from '#app/http/guards.ts';
import { actorOf } from '#app/http/session.ts';
import { knowsAll } from '#app/ui/same-page.ts';
import { AppShell } from '#app/ui/shell.tsx';
import type { Route } from './+types/app-layout.ts';

export const middleware: Route.MiddlewareFunction[] = [...cookiePages, requireUser];

export const shouldRevalidate = knowsAll;

export async function loader({ context }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const { name, email, isAdmin } = actor;
  const { picture, ...state } = await getShellState(db(), actor);
  return { user: { name, email, isAdmin, picture }, ...state };
}

export default function AppLayout({ loaderData }: Route.ComponentProps) {
  const { user, isLinkedInConnected, hasActivePlan, trouble, waiting } = loaderData;
  return (
    <AppShell
      user={user}
      isLinkedInConnected={isLinkedInConnected}
      waiting={waiting}
      trouble={trouble}
      showSubscribeBanner={!hasActivePlan && !user.isAdmin}
    >
      <Outlet />
    </AppShell>
  );
}
