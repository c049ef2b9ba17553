import { Link2 } from 'lucide-react';
import { redirect, useSearchParams } from 'react-router';
import { db } from '#app/db/client.ts';
import { connectErrorText } from '#app/domain/linkedin/schema.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { actorAndTime, shellOf } from '#app/http/session/session.ts';
import { linkedInAddress } from '#app/routes/actions.ts';
import { AutoRefresh } from '#app/ui/auto-refresh.tsx';
import { Badge } from '#app/ui/components/badge.tsx';
import { ConfirmDialog } from '#app/ui/components/dialog.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { InlineErrors } from '#app/ui/messages/inline-notices.tsx';
import { ignoreDialogParams } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/page.ts';
import { HowItWorks, Permissions, Security } from './explanations.tsx';
import { loadPage } from './load.ts';
import { MissedCard } from './missed-card.tsx';
import { ConnectForm, ConnectionBanner, ProfileCard } from './profile-card.tsx';
import { DeleteTestDialog, TEST_POST, TestCard } from './test-card.tsx';

const PAGE = '/app/linkedin';

export const meta: Route.MetaFunction = () =>
  pageMeta('LinkedIn', 'The LinkedIn profile to which your posts go, and whether it can be reached.');

/**
 * Turns `linkedin=connected` and `error` in the URL into a notice and redirects without them. A middleware, because a
 * loader would run in parallel with the one that reads the notices.
 */
const showReturn: Route.MiddlewareFunction = ({ request, context }) => {
  const query = new URL(request.url).searchParams;
  const error = query.get('error');
  if (error !== null) setFlash(context, 'error', connectErrorText(error), 'page');
  else if (query.get('linkedin') !== 'connected') return;
  else setFlash(context, 'success', 'LinkedIn account connected successfully!');
  throw redirect(PAGE);
};

export const middleware: Route.MiddlewareFunction[] = [showReturn];

export const shouldRevalidate = ignoreDialogParams('confirm-disconnect', 'confirm-delete');

export async function loader({ context }: Route.LoaderArgs) {
  const { actor, now } = actorAndTime(context);
  return loadPage(db(), actor, await shellOf(context), now);
}

export default function LinkedIn({ loaderData }: Route.ComponentProps) {
  const { zone, connection, ending, missed, test, seconds } = loaderData;
  const [query] = useSearchParams();
  const isDisconnecting = connection !== null && query.has('confirm-disconnect');
  const isDeleting = test.post !== null && query.get('confirm-delete') === test.post.id;
  const isConnected = Boolean(connection?.isAlive);
  return (
    <>
      <PageHeader
        title="LinkedIn"
        description={`The profile your posts are published on. ${zone}.`}
        badge={
          <Badge tone={isConnected ? 'success' : 'warning'}>
            {isConnected ? 'Connected' : 'Not connected'}
          </Badge>
        }
      />
      {!isConnected && !test.post && <InlineErrors isHere={(at) => at === TEST_POST} className="mb-6" />}
      {connection && <ConnectionBanner connection={connection} ending={ending} />}
      {missed && <MissedCard missed={missed} />}
      {connection ? <ProfileCard connection={connection} isEnding={ending !== null} /> : <NoProfile />}
      <div className="mt-6 grid gap-6 lg:grid-cols-2">
        <div className="grid content-start gap-6">
          {(isConnected || test.post) && <TestCard test={test} isConnected={isConnected} />}
          <HowItWorks isConnected={isConnected} />
        </div>
        <div className="grid content-start gap-6">
          <Permissions granted={connection} />
          <Security />
        </div>
      </div>
      {isDisconnecting && <DisconnectDialog />}
      {isDeleting && <DeleteTestDialog post={test.post!} closeTo={PAGE} />}
      {seconds && !isDisconnecting && !isDeleting && <AutoRefresh seconds={seconds} />}
    </>
  );
}

const DisconnectDialog = () => (
  <ConfirmDialog
    failure="Failed to disconnect LinkedIn account"
    title="Disconnect LinkedIn?"
    body="Nothing is published until you connect it again. Posts that are waiting are held, and what is on LinkedIn stays there."
    closeTo={PAGE}
    confirmLabel="Disconnect LinkedIn"
    action={linkedInAddress('disconnect')}
  />
);

const NoProfile = () => (
  <EmptyState
    icon={Link2}
    title="Connect your LinkedIn profile"
    text="Until it is connected nothing can be published. It takes two clicks, and you can undo it at any time."
    action={<ConnectForm />}
  />
);
