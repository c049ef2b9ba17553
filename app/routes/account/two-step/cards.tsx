import type { ReactNode } from 'react';
import { PASSKEY_NAME_MAX, RECOVERY_CODES_FEW } from '#app/domain/accounts/limits.ts';
import { Badge } from '#app/ui/components/badge.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import type { TwoStep } from './load.ts';

export const AdminsNeedTwoSteps = () => (
  <Banner tone="warning" title="The admin pages are closed until you sign in in two steps">
    Whoever gets hold of an admin's password could otherwise read what everybody paid. Set up an authenticator
    app or a passkey below, and they open.
  </Banner>
);

export function TwoStepCard({ isOn, hasApp, codesLeft }: TwoStep) {
  return (
    <Card
      id="two-step"
      title={
        <>
          Two-step sign-in <Badge tone={isOn ? 'success' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>
        </>
      }
      description={
        isOn
          ? 'Signing in asks for a second proof, besides your password or another sign-in.'
          : 'With a second proof, nobody gets in who has only learned your password.'
      }
    >
      <ul>
        <Row
          title="Authenticator app"
          text={hasApp ? 'Set up.' : 'An app that shows a new code every 30 seconds.'}
        >
          {hasApp ? (
            <RemoveLink to="/app/account/remove-factor" what="the authenticator app" />
          ) : (
            <ActionForm action="/app/account/second-step/begin" failure="Failed to begin">
              <SubmitButton size="sm">Set up</SubmitButton>
            </ActionForm>
          )}
        </Row>
        {isOn && <CodesRow left={codesLeft} />}
      </ul>
    </Card>
  );
}

const RemoveLink = ({ to, what }: { to: string; what: string }) => (
  <ButtonLink to={to} variant="secondary" size="sm">
    Remove<span className="sr-only"> {what}</span>
  </ButtonLink>
);

function CodesRow({ left }: { left: number }) {
  const isFew = left <= RECOVERY_CODES_FEW;
  const text = left === 0 ? 'None left.' : `${left} left.`;
  return (
    <Row
      title="Recovery codes"
      text={isFew ? `${text} Make new ones, so that you can always get in.` : text}
      badge={isFew && <Badge tone="warning">Few</Badge>}
    >
      <ButtonLink to="/app/account/recovery-codes" variant="secondary" size="sm">
        Make new codes
      </ButtonLink>
    </Row>
  );
}

export function PasskeysCard({ passkeys }: TwoStep) {
  return (
    <Card
      id="passkeys"
      title="Passkeys"
      description="Your fingerprint, face or security key. A passkey signs you in by itself, and is your second step when you sign in some other way."
      actions={
        <ButtonLink to="/app/account/passkeys/new" variant="secondary" size="sm">
          Add a passkey
        </ButtonLink>
      }
    >
      {passkeys.length > 0 && (
        <ul>
          {passkeys.map((passkey) => (
            <Passkey key={passkey.id} {...passkey} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Passkey({ id, name, created, lastUsed }: TwoStep['passkeys'][number]) {
  return (
    <Row title={name} text={`Added ${created}. ${lastUsed ? `Last used ${lastUsed}.` : 'Not used yet.'}`}>
      <details>
        <summary className="btn btn-secondary btn-sm">
          Rename<span className="sr-only"> {name}</span>
        </summary>
        <ActionForm
          action="/app/account/second-step/rename"
          fields={{ id }}
          failure="Failed to rename the passkey"
          preventScrollReset
          className="mt-2 flex flex-wrap gap-2"
        >
          <input
            name="name"
            defaultValue={name}
            aria-label={`New name of ${name}`}
            maxLength={PASSKEY_NAME_MAX}
            required
            className="input"
          />
          <SubmitButton size="sm">Save</SubmitButton>
        </ActionForm>
      </details>
      <RemoveLink to={`/app/account/remove-factor?passkey=${id}`} what={name} />
    </Row>
  );
}

type RowProps = { title: string; text: string; badge?: ReactNode; children: ReactNode };

const Row = ({ title, text, badge, children }: RowProps) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line py-3 first:border-t-0 first:pt-0 last:pb-0">
    <div className="min-w-0 flex-1 basis-40">
      <p className="flex flex-wrap items-center gap-2 font-semibold">
        <span dir="auto" className="min-w-0 break-words">
          {title}
        </span>
        {badge}
      </p>
      <p className="text-sm text-ink-2">{text}</p>
    </div>
    <div className="flex flex-wrap gap-2">{children}</div>
  </li>
);
