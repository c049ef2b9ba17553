import { Outlet } from 'react-router';
import { db } from '#app/db/client.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { findStoppedSince } from '#app/domain/publishing/safety/heartbeat.ts';
import { requireAdmin } from '#app/http/guards.ts';
import { actorOf } from '#app/http/session/session.ts';
import { Banner } from '#app/ui/layout/page.tsx';
import { ignoreDialogParams } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/layout.ts';

export const middleware: Route.MiddlewareFunction[] = [requireAdmin];

export const shouldRevalidate = ignoreDialogParams('tab', 'confirm-verify', 'reject');

/** Without a loader the browser would not ask the server, and so the guard, on every visit. */
export async function loader({ context }: Route.LoaderArgs) {
  const stoppedAt = await findStoppedSince(db());
  return { stoppedSince: stoppedAt && formatInstant(stoppedAt, actorOf(context).timeZone) };
}

export default function AdminOnly({ loaderData: { stoppedSince } }: Route.ComponentProps) {
  return (
    <>
      {stoppedSince && (
        <Banner tone="danger" title="The worker has stopped" className="mb-3">
          It was last heard of on {stoppedSince}. Until it runs again nothing is written or published: start
          it and look at its log.
        </Banner>
      )}
      <Outlet />
    </>
  );
}
