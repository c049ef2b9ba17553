import { Outlet } from 'react-router';
import { db } from '#app/db/client.ts';
import { requireUser } from '#app/http/guards.ts';
import { pageMiddleware } from '#app/http/page-middleware.ts';
import { actorAndTime, shellOf } from '#app/http/session/session.ts';
import { HelpButton, HelpDialog } from '#app/routes/help/button.tsx';
import { AppShell } from '#app/ui/layout/shell.tsx';
import { ignoreSearch } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/app.ts';
import { chooseStatus } from './status.ts';

export const middleware: Route.MiddlewareFunction[] = [...pageMiddleware, requireUser];

export const shouldRevalidate = ignoreSearch;

export async function loader({ url, context }: Route.LoaderArgs) {
  if (url.searchParams.has('help')) await HelpDialog.load();
  const { actor, now } = actorAndTime(context);
  const { name, email, isAdmin } = actor;
  const shell = await shellOf(context);
  const { isLinkedInConnected, waiting, picture } = shell;
  const status = await chooseStatus(db(), actor, { shell, pathname: url.pathname }, now);
  return { user: { name, email, isAdmin, picture }, isLinkedInConnected, waiting, status };
}

export default function AppLayout({ loaderData }: Route.ComponentProps) {
  return (
    <AppShell {...loaderData}>
      <Outlet />
      <HelpButton asker={loaderData.user} />
    </AppShell>
  );
}
