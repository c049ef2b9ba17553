import { Ban, CircleCheck, CircleSlash, Clock, type LucideIcon, ReceiptText, TimerOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge, type BadgeTone } from '#app/ui/components/badge.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import type { DescribedPayment } from './present.ts';
import { Timeline } from './timeline.tsx';

type Look = { tone: BadgeTone; icon: LucideIcon; word: string };
const STATUSES: Record<DescribedPayment['status'], Look> = {
  active: { tone: 'success', icon: CircleCheck, word: 'Active' },
  pending: { tone: 'warning', icon: Clock, word: 'Pending' },
  expired: { tone: 'neutral', icon: TimerOff, word: 'Expired' },
  cancelled: { tone: 'neutral', icon: CircleSlash, word: 'Cancelled' },
  rejected: { tone: 'danger', icon: Ban, word: 'Rejected' },
};

/** One purchase: what, when, how much, and how it stands. */
export function PaymentCard({ payment }: { payment: DescribedPayment }) {
  const { plan, posts, status, amount, isNext, isCancelled, timeline, receipt } = payment;
  const { rejectReason, submitAgain } = payment;
  const { word, ...look } = STATUSES[status];
  return (
    <Card as="li" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 className="text-lg font-semibold">{plan}</h2>
          <p className="text-ink-2">{posts}</p>
        </div>
        <Badge {...look}>{word}</Badge>
      </div>
      <p className="font-display text-xl font-semibold tabular-nums">{amount}</p>
      <Facts payment={payment} />
      <Timeline events={timeline} />
      {isNext && <p className="text-sm text-ink-2">It begins when your current plan ends.</p>}
      {isCancelled && <p className="text-sm text-ink-2">Cancelled: it is not renewed after its end.</p>}
      {rejectReason && <WhyRejected reason={rejectReason} submitAgain={submitAgain} />}
      {receipt && (
        <ButtonLink to={receipt} variant="secondary" size="sm" className="self-start">
          <ReceiptText aria-hidden size={16} />
          Receipt<span className="sr-only"> for {payment.reference}</span>
        </ButtonLink>
      )}
    </Card>
  );
}

type WhyRejectedProps = { reason: string; submitAgain: DescribedPayment['submitAgain'] };

const WhyRejected = ({ reason, submitAgain }: WhyRejectedProps) => (
  <Banner
    tone="danger"
    title="We could not verify this payment"
    action={
      submitAgain && (
        <ButtonLink to={submitAgain} preventScrollReset variant="secondary" size="sm">
          Submit again
        </ButtonLink>
      )
    }
  >
    {reason}
  </Banner>
);

function Facts({ payment }: { payment: DescribedPayment }) {
  const { method, startsAt, endsAt, transactionId, reference, status } = payment;
  return (
    <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-2">
      {startsAt && (
        <Fact label="Start">
          <Time {...startsAt} />
        </Fact>
      )}
      {status !== 'rejected' && <Fact label="End">{endsAt ? <Time {...endsAt} /> : 'Ongoing'}</Fact>}
      <Fact label="Payment method">{method}</Fact>
      <Fact label="Reference">
        <span className="font-mono">{reference}</span>
      </Fact>
      <Fact label="Transaction ID">
        <span className="font-mono break-all">{transactionId}</span>
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-3 sm:flex-col sm:gap-0">
      <dt className="text-ink-3">{label}</dt>
      <dd className="text-end font-medium sm:text-start">{children}</dd>
    </div>
  );
}
