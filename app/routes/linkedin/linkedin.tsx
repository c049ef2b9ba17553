import { Link2 } from 'lucide-react';
import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { getConnection } from '#app/domain/linkedin/connection.ts';
import { connectErrorText } from '#app/domain/linkedin/schema.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import { Badge } from '#app/ui/badge.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { Banner, EmptyState, PageHeader } from '#app/ui/page.tsx';
import { linkedInAddress } from '../verbs.ts';
import type { Route } from './+types/linkedin.ts';
import { HowItWorks, Permissions, Security } from './explanations.tsx';
import { ConnectForm, ProfileCard } from './profile-card.tsx';

const PAGE = '/app/linkedin';

export const meta: Route.MetaFunction = () => [{ title: 'LinkedIn – Tidepost' }];

/**
 * Turns `linkedin=connected` and `error` of the address into a notice and clears them. A middleware, because
 * a loader runs beside the one that shows the notices.
 */
const showReturn: Route.MiddlewareFunction = ({ request, context }) => {
  const query = new URL(request.url).searchParams;
  const error = query.get('error');
  if (error !== null) notify(context, 'error', connectErrorText(error));
  else if (query.get('linkedin') !== 'connected') return;
  else notify(context, 'success', 'LinkedIn account connected successfully!');
  throw redirect(PAGE);
};

export const middleware: Route.MiddlewareFunction[] = [showReturn];

export async function loader({ context, request }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const found = await getConnection(db(), actor);
  const days = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: actor.timeZone });
  const day = (at: Date) => ({ iso: at.toISOString(), text: days.format(at) });
  const connection = found && {
    ...found,
    connectedAt: day(found.connectedAt),
    expiresAt: day(found.expiresAt),
  };
  const asksToDisconnect = new URL(request.url).searchParams.has('confirm-disconnect');
  return { connection, isDisconnecting: Boolean(found) && asksToDisconnect };
}

export default function LinkedIn({ loaderData }: Route.ComponentProps) {
  const { connection, isDisconnecting } = loaderData;
  const isConnected = Boolean(connection?.isAlive);
  return (
    <>
      <PageHeader
        title="LinkedIn"
        description="The profile your posts are published on."
        badge={
          <Badge tone={isConnected ? 'success' : 'warning'}>
            {isConnected ? 'Connected' : 'Not connected'}
          </Badge>
        }
      />
      {connection && !isConnected && (
        <Banner tone="warning" title="LinkedIn needs to be connected again" className="mb-6">
          It no longer accepts our permission to post for you. Your posts are held and keep their places.
        </Banner>
      )}
      {connection ? <ProfileCard connection={connection} /> : <NoProfile />}
      <div className="mt-6 grid gap-6 lg:grid-cols-2">
        <HowItWorks isConnected={isConnected} />
        <div className="grid gap-6">
          <Security />
          <Permissions />
        </div>
      </div>
      {isDisconnecting && (
        <ConfirmDialog
          title="Disconnect LinkedIn?"
          body="Nothing is published until you connect it again. Posts that are waiting are held, and what is on LinkedIn stays there."
          closeTo={PAGE}
          confirmLabel="Disconnect LinkedIn"
          action={linkedInAddress('disconnect')}
        />
      )}
    </>
  );
}

const NoProfile = () => (
  <EmptyState
    icon={Link2}
    title="Connect your LinkedIn profile"
    text="Until it is connected nothing can be published. It takes two clicks, and you can undo it at any time."
    action={<ConnectForm />}
  />
);
