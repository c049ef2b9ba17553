import { CircleCheck, CircleX, Clock, type LucideIcon, Send } from 'lucide-react';
import { VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';
import { Countdown } from '#app/routes/payments/subscribe/countdown.tsx';
import { Time } from '#app/ui/time.tsx';
import type { DescribedPayment } from './present.ts';

type Event = DescribedPayment['timeline'][number];

const LOOKS: Record<Event['kind'], { icon: LucideIcon; word: string; tone: string }> = {
  submitted: { icon: Send, word: 'Submitted', tone: 'text-ink-3' },
  checking: { icon: Clock, word: 'Being checked', tone: 'text-warning-ink' },
  verified: { icon: CircleCheck, word: 'Verified', tone: 'text-success-ink' },
  rejected: { icon: CircleX, word: 'Rejected', tone: 'text-danger-ink' },
};

/** What has become of a payment, and what comes next. */
export const Timeline = ({ events }: { events: Event[] }) => (
  <ol className="grid gap-2 text-sm" aria-label="What happened">
    {events.map((event) => (
      <Row key={event.kind} event={event} />
    ))}
  </ol>
);

function Row({ event: { kind, at, leftMs } }: { event: Event }) {
  const { icon: Icon, word, tone } = LOOKS[kind];
  return (
    <li className="flex gap-2">
      <Icon aria-hidden size={16} className={`mt-0.5 shrink-0 ${tone}`} />
      <p className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-4">
        <span className={at ? 'text-ink-2' : 'font-medium'}>{word}</span>
        <span className="tabular-nums">
          {at && <Time {...at} />}
          {leftMs !== null && (
            <Countdown
              leftMs={leftMs}
              of={`${VERIFIED_WITHIN_HOURS} hours`}
              over={`Longer than the ${VERIFIED_WITHIN_HOURS} hours we promise`}
            />
          )}
        </span>
      </p>
    </li>
  );
}
