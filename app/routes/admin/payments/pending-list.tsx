import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { LATE_AFTER_HOURS } from '#app/domain/payments/limits.ts';
import { Badge } from '#app/ui/components/badge.tsx';
import { Address } from '#app/ui/components/table.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { EmptyState } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import type { PendingPayment } from './present.ts';
import { SameScreenshot } from './same-screenshot.tsx';

/** Where a dialog about a payment stands, on the page that is shown. */
export type DialogOf = (name: 'confirm-verify' | 'reject', id: string) => string;

type PendingListProps = {
  payments: PendingPayment[];
  dialogOf: DialogOf;
  next: string | null;
  first: string | null;
};

/** Everybody's payments that wait, the oldest first. */
export const PendingList = ({ payments, dialogOf, next, first }: PendingListProps) => (
  <section aria-labelledby="pending">
    <h2 id="pending" className="mb-3 text-lg font-semibold">
      Pending verifications
    </h2>
    {payments.length === 0 && <Nothing isPage={first !== null} />}
    {payments.length > 0 && (
      <ul className="lines pending-list">
        {payments.map((payment) => (
          <PendingLine key={payment.id} payment={payment} dialogOf={dialogOf} />
        ))}
      </ul>
    )}
    {(next || first) && (
      <p className="mt-4 flex flex-wrap gap-x-6">
        {first && <Page to={first}>Back to the oldest</Page>}
        {next && <Page to={next}>Next payments</Page>}
      </p>
    )}
  </section>
);

const Page = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className="link inline-flex min-h-11 items-center">
    {children}
  </Link>
);

const Nothing = ({ isPage }: { isPage: boolean }) => (
  <EmptyState
    icon={CircleCheck}
    title={isPage ? 'Nothing more waits' : 'No payments to verify'}
    text="A payment that somebody submits stands here until you verify or reject it. You get a mail for each."
  />
);

type LineProps = { payment: PendingPayment; dialogOf: DialogOf };

/** A payment that waits, with everything to find it in the account it was paid to. */
function PendingLine({ payment, dialogOf }: LineProps) {
  const { id, amount, method, plan, timing } = payment;
  return (
    <li id={`payment-${id}`} tabIndex={-1} className="pending">
      <div className="min-w-0">
        <h3 className="font-semibold break-words">
          <Link to={payment.ledger} className="payer-link" title="Ledger">
            {payment.payerName}
          </Link>
        </h3>
        <p className="text-sm break-words">
          <Address>{payment.payerEmail}</Address>
        </p>
      </div>
      <div className="min-w-0">
        <p className="font-semibold tabular-nums">
          {amount} <span className="font-normal text-ink-2">by {method}</span>
        </p>
        <p className="text-sm text-ink-2">{timing ? `${plan}. ${timing}` : plan}</p>
      </div>
      <dl className="pending-ids">
        <Id label="Transaction ID">{payment.transactionId}</Id>
        <Id label="Reference">{payment.reference}</Id>
      </dl>
      <Age payment={payment} />
      <Acts payment={payment} dialogOf={dialogOf} />
      {payment.sameScreenshot && (
        <p className="pending-note text-sm text-ink-2">
          <SameScreenshot of={payment.sameScreenshot} />
        </p>
      )}
      {payment.eraseAt && <Leaving at={payment.eraseAt} />}
    </li>
  );
}

const Id = ({ label, children }: { label: string; children: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

const LOOKS = {
  first: 'Needs two admins',
  second: 'Needs a second admin',
  done: 'Verified by you, needs another admin',
};

const Age = ({ payment: { isLate, waits, createdAt, look } }: { payment: PendingPayment }) => (
  <div className="min-w-0 text-sm">
    <p className="tabular-nums">
      Waits <Time {...createdAt} text={waits} title={createdAt.text} />
    </p>
    <p className="flex flex-wrap gap-1 empty:hidden">
      {isLate && <Badge tone="danger">{`Waiting over ${LATE_AFTER_HOURS} hours`}</Badge>}
      {look && <Badge tone={look.nth === 'second' ? 'warning' : 'neutral'}>{LOOKS[look.nth]}</Badge>}
    </p>
  </div>
);

const Acts = ({ payment: { id, payerName, screenshot, look }, dialogOf }: LineProps) => (
  <div className="pending-acts">
    {screenshot && (
      <a href={screenshot} target="_blank" rel="noopener" className="pending-shot">
        <img src={screenshot} alt="" width={44} height={44} loading="lazy" decoding="async" />
        <span className="sr-only">Screenshot of the payment of {payerName} (opens a new tab)</span>
      </a>
    )}
    {look?.nth !== 'done' && (
      <ButtonLink to={dialogOf('confirm-verify', id)} preventScrollReset size="sm">
        Verify<span className="sr-only"> the payment of {payerName}</span>
      </ButtonLink>
    )}
    <ButtonLink to={dialogOf('reject', id)} preventScrollReset variant="secondary" size="sm">
      Reject<span className="sr-only"> the payment of {payerName}</span>
    </ButtonLink>
  </div>
);

const Leaving = ({ at }: { at: string }) => (
  <p className="pending-note text-sm text-ink-2">
    This account is being deleted, on {at}. Until then the payment can be verified or rejected as always;
    after that it is rejected by itself.
  </p>
);
