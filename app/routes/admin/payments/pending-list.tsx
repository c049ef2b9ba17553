import { CircleCheck } from 'lucide-react';
import { Link } from 'react-router';
import { LATE_AFTER_HOURS } from '#app/domain/payments/limits.ts';
import { Badge } from '#app/ui/components/badge.tsx';
import { Address } from '#app/ui/components/table.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { EmptyState } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import { PageLinks } from './page-links.tsx';
import type { PendingPayment } from './present.ts';
import { SameScreenshot } from './same-screenshot.tsx';

/** The address of a dialog about a payment, on the current page of the list. */
export type DialogAddress = (name: 'confirm-verify' | 'reject', id: string) => string;

type PendingListProps = {
  payments: PendingPayment[];
  dialogAddress: DialogAddress;
  next: string | null;
  first: string | null;
};

export const PendingList = ({ payments, dialogAddress, next, first }: PendingListProps) => (
  <section aria-labelledby="pending">
    <h2 id="pending" className="mb-3 text-lg font-semibold">
      Pending verifications
    </h2>
    {payments.length === 0 ? (
      <EmptyState
        icon={CircleCheck}
        title={first === null ? 'No payments to verify' : 'Nothing more waits'}
        text="A payment that somebody submits stands here until you verify or reject it. You get a mail for each."
      />
    ) : (
      <ul className="lines pending-list">
        {payments.map((payment) => (
          <PendingRow key={payment.id} payment={payment} dialogAddress={dialogAddress} />
        ))}
      </ul>
    )}
    <PageLinks first={first} firstLabel="Back to the oldest" next={next} nextLabel="Next payments" />
  </section>
);

type RowProps = { payment: PendingPayment; dialogAddress: DialogAddress };

function PendingRow({ payment, dialogAddress }: RowProps) {
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
        <div>
          <dt>Transaction ID</dt>
          <dd>{payment.transactionId}</dd>
        </div>
        <div>
          <dt>Reference</dt>
          <dd>{payment.reference}</dd>
        </div>
      </dl>
      <Age payment={payment} />
      <Actions payment={payment} dialogAddress={dialogAddress} />
      {payment.sameScreenshot && (
        <p className="pending-note text-sm text-ink-2">
          <SameScreenshot {...payment.sameScreenshot} />
        </p>
      )}
      {payment.deletesAt && (
        <p className="pending-note text-sm text-ink-2">
          This account is being deleted, on {payment.deletesAt}. Until then the payment can be verified or
          rejected as always; after that it is rejected by itself.
        </p>
      )}
    </li>
  );
}

const REVIEW_LABELS = {
  first: 'Needs two admins',
  second: 'Needs a second admin',
  done: 'Verified by you, needs another admin',
};

const Age = ({ payment: { isLate, waited, createdAt, review } }: { payment: PendingPayment }) => (
  <div className="min-w-0 text-sm">
    <p className="tabular-nums">
      Waits <Time {...createdAt} text={waited} title={createdAt.text} />
    </p>
    <p className="flex flex-wrap gap-1 empty:hidden">
      {isLate && <Badge tone="danger">{`Waiting over ${LATE_AFTER_HOURS} hours`}</Badge>}
      {review && (
        <Badge tone={review.step === 'second' ? 'warning' : 'neutral'}>{REVIEW_LABELS[review.step]}</Badge>
      )}
    </p>
  </div>
);

const Actions = ({ payment: { id, payerName, screenshot, review }, dialogAddress }: RowProps) => (
  <div className="pending-acts">
    {screenshot && (
      <a href={screenshot} target="_blank" rel="noopener" className="pending-shot">
        <img src={screenshot} alt="" width={44} height={44} loading="lazy" decoding="async" />
        <span className="sr-only">Screenshot of the payment of {payerName} (opens a new tab)</span>
      </a>
    )}
    {review?.step !== 'done' && (
      <ButtonLink to={dialogAddress('confirm-verify', id)} preventScrollReset size="sm">
        Verify<span className="sr-only"> the payment of {payerName}</span>
      </ButtonLink>
    )}
    <ButtonLink to={dialogAddress('reject', id)} preventScrollReset variant="secondary" size="sm">
      Reject<span className="sr-only"> the payment of {payerName}</span>
    </ButtonLink>
  </div>
);
