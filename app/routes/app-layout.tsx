import { Outlet } from 'react-router';
import { db } from '#app/db/client.ts';
import { getShellState } from '#app/domain/shell-state.ts';
import { requireUser } from '#app/http/guards.ts';
import { actorOf } from '#app/http/session.ts';
import { AppShell } from '#app/ui/shell.tsx';
import type { Route } from './+types/app-layout.ts';

export const middleware: Route.MiddlewareFunction[] = [requireUser];

export async function loader({ context }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const { name, email, isAdmin } = actor;
  return { user: { name, email, isAdmin }, ...(await getShellState(db(), actor)) };
}

export default function AppLayout({ loaderData }: Route.ComponentProps) {
  const { user, isLinkedInConnected, hasActivePlan, trouble } = loaderData;
  return (
    <AppShell
      user={user}
      isLinkedInConnected={isLinkedInConnected}
      trouble={trouble}
      showSubscribeBanner={!hasActivePlan && !user.isAdmin}
    >
      <Outlet />
    </AppShell>
  );
}
