import type { Actor } from '#app/domain/actor.ts';
import { formatDate, formatInstant } from '#app/domain/dates.ts';
import { formatPrice } from '#app/domain/payments/money.ts';
import type { Subscription } from '#app/domain/payments/subscription.ts';
import type { Run } from '#app/domain/writing/start-run.ts';

const SLOW_MS = 120_000;

export function describePlan(plan: Subscription, { timeZone }: Actor) {
  const { postsPerDay, fullPriceMinor, currencySymbol, endsAt } = plan;
  return {
    postsPerDay,
    price: formatPrice(fullPriceMinor, { symbol: currencySymbol }),
    endsOn: endsAt && formatDate(endsAt, timeZone),
  };
}

const wordsOfMissing = ({ failed, requested }: Run) =>
  failed >= requested
    ? 'No post was written the last time'
    : `${failed} of ${requested} posts ${failed === 1 ? 'was' : 'were'} not written the last time`;

export function describeRun(run: Run, isAsked: boolean, timeZone: string, now: Date) {
  const { id, status, requested, done, failed, error, createdAt, insteadAt } = run;
  const isOpen = status !== 'complete';
  return {
    ...{ id, requested, done, failed, error, isOpen, isAsked },
    missing: wordsOfMissing(run),
    instead:
      insteadAt && `The time you chose was gone. It is planned for ${formatInstant(insteadAt, timeZone)}.`,
    isSlow: isOpen && now.getTime() - createdAt.getTime() > SLOW_MS,
  };
}
