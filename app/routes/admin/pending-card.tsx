import type { ReactNode } from 'react';
import { LATE_AFTER_HOURS } from '#app/domain/payments/limits.ts';
import { Badge } from '#app/ui/badge.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Time } from '#app/ui/time.tsx';
import type { PendingPayment } from './describe-pending.ts';

/** A payment that waits, with everything to find it in the account it was paid to. */
export function PendingCard({ payment }: { payment: PendingPayment }) {
  const { id, amount, method, plan, timing, isLate } = payment;
  return (
    <Card as="li" id={`payment-${id}`} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="text-lg font-semibold break-words">{payment.payerName}</h3>
          <p className="break-all text-ink-2">{payment.payerEmail}</p>
        </div>
        {isLate && <Badge tone="danger">{`Waiting over ${LATE_AFTER_HOURS} hours`}</Badge>}
      </div>
      <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-2 lg:grid-cols-3">
        <Fact label="Amount">
          <span className="tabular-nums">{amount}</span> by {method}
        </Fact>
        <Fact label="Transaction ID">
          <span className="font-mono break-all">{payment.transactionId}</span>
        </Fact>
        <Fact label="Reference">
          <span className="font-mono">{payment.reference}</span>
        </Fact>
        <Fact label="Plan">{plan}</Fact>
        {timing && <Fact label="Starts">{timing}</Fact>}
        <Fact label="Submitted">
          <Time {...payment.createdAt} />
        </Fact>
      </dl>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={`?tab=payments&confirm-verify=${id}`} preventScrollReset size="sm">
          Verify<span className="sr-only"> the payment of {payment.payerName}</span>
        </ButtonLink>
        <ButtonLink to={`?tab=payments&reject=${id}`} preventScrollReset variant="secondary" size="sm">
          Reject<span className="sr-only"> the payment of {payment.payerName}</span>
        </ButtonLink>
      </div>
    </Card>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-ink-3">{label}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}
