import { Link2, RefreshCw, Unlink } from 'lucide-react';
import type { ReactNode } from 'react';
import { linkedInAddress } from '#app/routes/actions.ts';
import { Avatar } from '#app/ui/components/avatar.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import type { PresentedConnection } from './load.ts';

/** `isCalm`: reconnecting isn't urgent. */
type ConnectFormProps = { isReconnect?: boolean; isCalm?: boolean };

export function ConnectForm({ isReconnect, isCalm = isReconnect }: ConnectFormProps) {
  const Icon = isReconnect ? RefreshCw : Link2;
  const size = isCalm ? ({ variant: 'secondary', size: 'sm' } as const) : {};
  return (
    <ActionForm action={linkedInAddress('connect')} failure="Failed to initiate LinkedIn connection">
      <SubmitButton {...size} busyLabel="Opening LinkedIn…">
        <Icon aria-hidden size={18} />
        {isReconnect ? 'Connect again' : 'Connect LinkedIn'}
      </SubmitButton>
    </ActionForm>
  );
}

type ConnectionBannerProps = {
  connection: PresentedConnection;
  ending: { title: string; text: string } | null;
};

export function ConnectionBanner({ connection: { isAlive, isOver }, ending }: ConnectionBannerProps) {
  if (isAlive && !ending) return null;
  const { title, text } = isAlive
    ? ending!
    : {
        title: 'LinkedIn needs to be connected again',
        text: `${isOver ? 'Its permission to post for you has ended.' : 'It no longer accepts our permission to post for you.'} Your posts are held and keep their places.`,
      };
  return (
    <Banner tone="warning" title={title} className="mb-6">
      {text}
    </Banner>
  );
}

type ProfileCardProps = { connection: PresentedConnection; isEnding: boolean };

export function ProfileCard({ connection, isEnding }: ProfileCardProps) {
  const { name, email, picture, isAlive } = connection;
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-4">
        <Avatar name={name} picture={picture} className="size-16 font-display text-xl" />
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="text-lg font-semibold break-words">{name || 'LinkedIn member'}</h2>
          {email && <p className="break-words text-ink-2">{email}</p>}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <ConnectForm isReconnect={isAlive} isCalm={isAlive && !isEnding} />
          <ButtonLink to="?confirm-disconnect=1" preventScrollReset size="sm" variant="ghost">
            <Unlink aria-hidden size={18} />
            Disconnect
          </ButtonLink>
        </div>
      </div>
      <Dates connection={connection} />
    </Card>
  );
}

function Dates({ connection }: { connection: PresentedConnection }) {
  const { connectedAt, expiresAt, daysLeft, isAlive, isOver } = connection;
  return (
    <dl className="mt-5 grid grid-cols-2 gap-x-6 gap-y-3 border-t border-line pt-4 text-sm sm:grid-cols-3">
      <Fact label="Connected on">
        <Time {...connectedAt} />
      </Fact>
      {(isAlive || isOver) && (
        <Fact label={isOver ? 'Permission until' : daysLeft !== null ? 'Expires on' : 'Renewed by itself by'}>
          <Time {...expiresAt} />
        </Fact>
      )}
      <Fact label="Days left">{isAlive ? (daysLeft ?? 'Renewed by itself') : noneLeft(isOver)}</Fact>
    </dl>
  );
}

const noneLeft = (isOver: boolean) => (isOver ? 'None' : 'None, LinkedIn has ended it');

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-ink-3">{label}</dt>
    <dd className="font-medium tabular-nums">{children}</dd>
  </div>
);
