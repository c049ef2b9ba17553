import { formatPrice } from '#app/domain/payments/money.ts';
import type { Subscription } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatInstant } from '#app/domain/platform/dates.ts';
import type { Stats } from '#app/domain/posts/counts/stats.ts';
import { isFixedInTopic } from '#app/domain/writing/generate/bad-outputs.ts';
import { wordsOfWriting } from '#app/domain/writing/runs/progress.ts';
import type { Run } from '#app/domain/writing/runs/start.ts';

const SLOW_MS = 120_000;

export function presentPlan(plan: Subscription, { timeZone }: Actor) {
  const { postsPerDay, fullPriceMinor, currencyCode: code, endsAt } = plan;
  return {
    postsPerDay,
    price: formatPrice(fullPriceMinor, { code }),
    endsOn: endsAt && formatDate(endsAt, timeZone),
  };
}

function wordsOfMissing({ failed, requested }: Run): string {
  if (failed === 0) return 'A topic was passed over the last time';
  return failed >= requested
    ? 'No post was written the last time'
    : `${failed} of ${requested} posts ${failed === 1 ? 'was' : 'were'} not written the last time`;
}

const TOPICS = '/app/topics';

/** Where something can be done about what was not written. */
const mendedAt = ({ error }: Run) => (isFixedInTopic(error) ? TOPICS : null);

/** Why nothing is written, or was not the last time; what was asked for says so itself. */
export function presentAlert({ activeTopics, pausedTopics }: Stats, run: Run | undefined, isAsked: boolean) {
  if (activeTopics === 0 && pausedTopics > 0) {
    const text = 'Every active topic is paused. The page Topics says why, and resumes them.';
    return { title: 'Nothing new is written', text, to: TOPICS };
  }
  if (run?.status !== 'complete' || isAsked || run.error === null) return null;
  return { title: wordsOfMissing(run), text: `${run.error}.`, to: mendedAt(run) };
}

type FreeInput = { isAsked: boolean; left: number | null };

export function presentRun(run: Run, { isAsked, left }: FreeInput, timeZone: string, now: Date) {
  const { id, status, requested, done, failed, error, createdAt, insteadAt } = run;
  const isOpen = status !== 'complete';
  const elsewhere =
    insteadAt && `The time you chose was gone. It is planned for ${formatInstant(insteadAt, timeZone)}.`;
  return {
    id,
    requested,
    done,
    isOpen,
    isAsked,
    mendedAt: mendedAt(run),
    dealtWith: done + failed,
    words: wordsOfWriting(run, left),
    told: [elsewhere, error && `${error}.`].filter(Boolean).join(' '),
    isSlow: isOpen && now.getTime() - createdAt.getTime() > SLOW_MS,
  };
}
