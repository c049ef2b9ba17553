import { Link2, RefreshCw, Unlink } from 'lucide-react';
import { db } from '#app/db/client.ts';
import { getConnection } from '#app/domain/linkedin/connection.ts';
import { actorOf } from '#app/http/session.ts';
import { ActionForm } from '#app/ui/action-form.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { Banner, EmptyState, PageHeader } from '#app/ui/page.tsx';
import { Time } from '#app/ui/time.tsx';
import { linkedInAddress } from '../verbs.ts';
import type { Route } from './+types/linkedin.ts';
import { HowItWorks, Permissions, Security } from './explanations.tsx';
import { showReturn } from './return.ts';

export const meta: Route.MetaFunction = () => [{ title: 'LinkedIn – Tidepost' }];

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

type Connection = NonNullable<Route.ComponentProps['loaderData']['connection']>;

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
      {connection ? (
        <ProfileCard connection={connection} />
      ) : (
        <EmptyState
          icon={Link2}
          title="Connect your LinkedIn profile"
          text="Until it is connected nothing can be published. It takes two clicks, and you can undo it at any time."
          action={<ConnectForm />}
        />
      )}
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
          closeTo="/app/linkedin"
          confirmLabel="Disconnect LinkedIn"
          action={linkedInAddress('disconnect')}
        />
      )}
    </>
  );
}

function ConnectForm({ again }: { again?: boolean }) {
  const Icon = again ? RefreshCw : Link2;
  return (
    <ActionForm action={linkedInAddress('connect')}>
      <SubmitButton variant={again ? 'secondary' : 'primary'} busyLabel="Opening LinkedIn…">
        <Icon aria-hidden size={18} />
        {again ? 'Connect again' : 'Connect LinkedIn'}
      </SubmitButton>
    </ActionForm>
  );
}

function ProfileCard({ connection }: { connection: Connection }) {
  const { name, email, picture, connectedAt, expiresAt, isAlive } = connection;
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        {picture && (
          <img
            src={picture}
            alt=""
            width={64}
            height={64}
            referrerPolicy="no-referrer"
            className="size-16 rounded-full object-cover"
          />
        )}
        <div className="min-w-0 flex-1">
          <h2 className="text-lg font-semibold break-words">{name || 'LinkedIn member'}</h2>
          {email && <p className="break-words text-ink-2">{email}</p>}
          <p className="mt-2 text-sm text-ink-2">
            Connected on <Time {...connectedAt} />
          </p>
          <p className="text-sm text-ink-2">
            {isAlive ? 'The permission is valid until' : 'The permission was given until'}{' '}
            <Time {...expiresAt} />
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          <ConnectForm again={isAlive} />
          <ButtonLink to="?confirm-disconnect=1" preventScrollReset variant="ghost">
            <Unlink aria-hidden size={18} />
            Disconnect
          </ButtonLink>
        </div>
      </div>
    </Card>
  );
}
