import {
  Ban,
  CircleCheck,
  CircleSlash,
  CircleX,
  Clock,
  type LucideIcon,
  ReceiptText,
  Send,
  TimerOff,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';
import { Countdown } from '#app/routes/payments/subscribe/countdown.tsx';
import { Badge, type BadgeTone } from '#app/ui/components/badge.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import type { PresentedPayment } from './present.ts';

type StatusStyle = { tone: BadgeTone; icon: LucideIcon; label: string };
const STATUS_STYLES: Record<PresentedPayment['status'], StatusStyle> = {
  active: { tone: 'success', icon: CircleCheck, label: 'Active' },
  pending: { tone: 'warning', icon: Clock, label: 'Pending' },
  expired: { tone: 'neutral', icon: TimerOff, label: 'Expired' },
  cancelled: { tone: 'neutral', icon: CircleSlash, label: 'Cancelled' },
  rejected: { tone: 'danger', icon: Ban, label: 'Rejected' },
};

export function PaymentCard({ payment }: { payment: PresentedPayment }) {
  const { plan, posts, status, amount, isNext, isCancelled, timeline, receipt } = payment;
  const { rejectReason, submitAgain } = payment;
  const { label, ...style } = STATUS_STYLES[status];
  return (
    <Card as="li" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 className="text-lg font-semibold">{plan}</h2>
          <p className="text-ink-2">{posts}</p>
        </div>
        <Badge {...style}>{label}</Badge>
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

type WhyRejectedProps = { reason: string; submitAgain: PresentedPayment['submitAgain'] };

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

function Facts({ payment }: { payment: PresentedPayment }) {
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

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex justify-between gap-3 sm:flex-col sm:gap-0">
    <dt className="text-ink-3">{label}</dt>
    <dd className="text-end font-medium sm:text-start">{children}</dd>
  </div>
);

type Event = PresentedPayment['timeline'][number];

const EVENT_STYLES: Record<Event['kind'], { icon: LucideIcon; label: string; tone: string }> = {
  submitted: { icon: Send, label: 'Submitted', tone: 'text-ink-3' },
  checking: { icon: Clock, label: 'Being checked', tone: 'text-warning-ink' },
  verified: { icon: CircleCheck, label: 'Verified', tone: 'text-success-ink' },
  rejected: { icon: CircleX, label: 'Rejected', tone: 'text-danger-ink' },
};

const Timeline = ({ events }: { events: Event[] }) => (
  <ol className="grid gap-2 text-sm" aria-label="What happened">
    {events.map((event) => (
      <Row key={event.kind} event={event} />
    ))}
  </ol>
);

function Row({ event: { kind, at, leftMs } }: { event: Event }) {
  const { icon: Icon, label, tone } = EVENT_STYLES[kind];
  return (
    <li className="flex gap-2">
      <Icon aria-hidden size={16} className={`mt-0.5 shrink-0 ${tone}`} />
      <p className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-4">
        <span className={at ? 'text-ink-2' : 'font-medium'}>{label}</span>
        <span className="tabular-nums">
          {at && <Time {...at} />}
          {leftMs !== null && (
            <Countdown
              leftMs={leftMs}
              total={`${VERIFIED_WITHIN_HOURS} hours`}
              overText={`Longer than the ${VERIFIED_WITHIN_HOURS} hours we promise`}
            />
          )}
        </span>
      </p>
    </li>
  );
}
