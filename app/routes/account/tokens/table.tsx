import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import type { PresentedToken } from '#app/routes/account/security/present-session.ts';
import { Card } from '#app/ui/components/card.tsx';
import { CopyButton } from '#app/ui/components/copy-button.tsx';
import { ConfirmDialog } from '#app/ui/components/dialog.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';

/** The secret is shown this once. */
export function CreatedToken({ name, secret }: { name: string; secret: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card as="section" className="border-brand">
      <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold break-words">
        Your token “{name}”
      </h2>
      <p className="mt-0.5 max-w-prose text-sm text-ink-2">
        Copy it now: it is shown this once, and we keep nothing that it could be read from.
      </p>
      <p className="mt-3 flex flex-wrap items-center gap-3">
        <code className="min-w-0 break-all select-all">{secret}</code>
        <CopyButton text={secret} label="the token" />
      </p>
    </Card>
  );
}

const PAGE = '/app/account/tokens';

export function TokenRows({ tokens }: { tokens: PresentedToken[] }) {
  const confirmed = useSearchParams()[0].get('confirm-revoke');
  const revoked = tokens.find(({ id }) => id === confirmed);
  return (
    <Card id="tokens" title="Tokens" description="A token that you revoke is refused from then on.">
      {tokens.length === 0 && <p className="text-sm text-ink-3">None yet.</p>}
      <ul className="divide-y divide-line">
        {tokens.map((token) => (
          <TokenRow key={token.id} {...token} />
        ))}
      </ul>
      {revoked && <RevokeDialog {...revoked} />}
    </Card>
  );
}

const TokenRow = ({ id, name, scope, created, lastUsed, expires }: PresentedToken) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
    <div className="min-w-0 flex-1 basis-40">
      <p className="font-medium break-words">
        <bdi>{name}</bdi>
      </p>
      <p className="text-sm text-ink-2">
        {scope}, {expires}
      </p>
      <p className="text-sm text-ink-3">
        {created}, {lastUsed}
      </p>
    </div>
    <ButtonLink to={`?confirm-revoke=${id}`} preventScrollReset variant="secondary" size="sm">
      Revoke<span className="sr-only"> {name}</span>
    </ButtonLink>
  </li>
);

const RevokeDialog = ({ id, name, lastUsed }: PresentedToken) => (
  <ConfirmDialog
    failure="Failed to revoke the token"
    title="Revoke this token?"
    body={
      <>
        <p>
          <bdi className="font-medium break-words text-ink">{name}</bdi>, {lastUsed}.
        </p>
        <p className="mt-2">
          Whatever works with it is refused from now on. It cannot be brought back: you would make a new one.
        </p>
      </>
    }
    closeTo={PAGE}
    cancelLabel="Keep it"
    confirmLabel="Revoke token"
    action={`${PAGE}/${id}/revoke`}
  />
);
