import { Badge } from '#app/ui/components/badge.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { Time } from '#app/ui/time.tsx';
import type { PresentedSession } from './present-session.ts';

const signOutOthers = (
  <ActionForm
    action="/app/account/sessions/end-others"
    failure="Failed to sign out everywhere else"
    preventScrollReset
  >
    <SubmitButton variant="secondary" size="sm">
      Sign out everywhere else
    </SubmitButton>
  </ActionForm>
);

export const SessionsCard = ({ sessions, total }: { sessions: PresentedSession[]; total: number }) => (
  <Card
    id="sessions"
    title="Where you are signed in"
    description={
      <>
        If you do not know one, sign it out and change your password.
        {total > 1 &&
          ' Signing out everywhere else signs out programs, too; tokens to which you gave a name go on.'}
      </>
    }
    actions={total > 1 && signOutOthers}
  >
    <ul className="divide-y divide-line">
      {sessions.map((session) => (
        <SessionRow key={session.id} {...session} />
      ))}
    </ul>
    {total > sessions.length && (
      <p className="mt-4 text-sm text-ink-2">
        These are the {sessions.length} that were used last, of {total}.
      </p>
    )}
  </Card>
);

function SessionRow({ id, device, place, signedInAt, lastSeenAt, isCurrent }: PresentedSession) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 last:pb-0">
      <div className="min-w-0 flex-1 basis-40">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {device}
          {isCurrent && <Badge tone="brand">This browser</Badge>}
        </p>
        <p className="text-sm text-ink-2">
          Last seen <Time {...lastSeenAt} />
        </p>
        <p className="text-sm text-ink-3">
          Signed in <Time {...signedInAt} />
          {place && ` from ${place}`}
        </p>
      </div>
      <ActionForm
        action={isCurrent ? '/logout' : `/app/account/sessions/${id}/end`}
        failure={isCurrent ? 'Failed to log out' : 'Failed to sign out'}
        preventScrollReset={!isCurrent}
      >
        <SubmitButton variant="secondary" size="sm">
          {isCurrent ? (
            'Log out'
          ) : (
            <>
              Sign out<span className="sr-only"> {device}</span>
            </>
          )}
        </SubmitButton>
      </ActionForm>
    </li>
  );
}
