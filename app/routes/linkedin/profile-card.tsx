import { Link2, RefreshCw, Unlink } from 'lucide-react';
import { ActionForm } from '#app/ui/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Time } from '#app/ui/time.tsx';
import { linkedInAddress } from '../verbs.ts';

type Day = { iso: string; text: string };
type ShownConnection = {
  name: string;
  email: string | null;
  picture: string | null;
  connectedAt: Day;
  expiresAt: Day;
  isAlive: boolean;
};

/** Begins at LinkedIn's consent page. */
export function ConnectForm({ again }: { again?: boolean }) {
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

/** Whose profile it is, for how long, and how to end it. */
export function ProfileCard({ connection }: { connection: ShownConnection }) {
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
