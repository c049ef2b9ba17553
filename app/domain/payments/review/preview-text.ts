import type { UpgradeType } from '#app/db/tables.ts';
import { postsADay } from '#app/domain/payments/plan-labels.ts';
import { formatDate } from '#app/domain/platform/dates.ts';
import type { Moved, PaymentPreview } from './preview.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** A length of time as people say it, in its two largest units: "3 days, 4 hours", "12 minutes". */
export function formatLength(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const words = [
    days > 0 && counted(days, 'day'),
    hours > 0 && counted(hours, 'hour'),
    days === 0 && minutes > 0 && counted(minutes, 'minute'),
  ].filter((word) => word !== false);
  return words.length > 0 ? words.slice(0, 2).join(', ') : 'less than a minute';
}

/** What becomes of another plan: "The month of 1 post a day runs from Feb 20, 2026 to Mar 20, 2026". */
function presentMove({ postsPerDay, isBegun, startsAt, endsAt }: Moved, timeZone: string): string {
  const what = isBegun ? 'What is left of' : 'The month of';
  const goes = isBegun ? 'goes on' : 'runs';
  const day = (at: Date) => formatDate(at, timeZone);
  return `${what} ${postsADay(postsPerDay)} ${goes} from ${day(startsAt)} to ${day(endsAt)}`;
}

/** Seconds between a look and the next are nothing to speak of. */
const presentTaken = ({ usedMs, takenMs }: { usedMs: number; takenMs: number }) =>
  takenMs >= MINUTE_MS
    ? [
        `Meanwhile ${formatLength(usedMs)} of the credited time went by, which takes ${formatLength(takenMs)} off the new month.`,
      ]
    : [];

type Outcome = Pick<PaymentPreview, 'usedMs' | 'takenMs'> & {
  upgradeType: UpgradeType | null;
  amountMinor: number;
  goesOn: Moved[];
};

const BEGINS_LATER =
  'It begins when we have verified your payment. Until then your current plan runs on, and what you use of the credited time comes off the end of the new month.';
const BEGINS_AT_ONCE = 'It begins at once: there is nothing to pay.';

/** What somebody reads of an immediate upgrade before they pay it. */
export function presentOutcome(
  { upgradeType, amountMinor, goesOn, ...taken }: Outcome,
  timeZone: string,
): string[] {
  if (upgradeType !== 'immediate') return [];
  return [
    amountMinor === 0 ? BEGINS_AT_ONCE : BEGINS_LATER,
    ...goesOn.map((move) => `${presentMove(move, timeZone)}.`),
    ...presentTaken(taken),
  ];
}

const presentShare = ({ shareMs }: { shareMs: number | null }) =>
  shareMs === null ? [] : [`What was paid pays for ${formatLength(shareMs)} at the full price of a month.`];

/** What a verification does, sentence by sentence, in the time zone of the payer. */
export function presentPreview(foreseen: PaymentPreview, timeZone: string): string[] {
  const { ended, moved } = foreseen;
  const lines = moved.map((move) => `${presentMove(move, timeZone)}.`);
  if (ended && ended.leftMs === 0) {
    lines.unshift(`The plan of ${postsADay(ended.postsPerDay)} ends on ${formatDate(ended.at, timeZone)}.`);
  }
  return [...presentShare(foreseen), ...lines, ...presentTaken(foreseen)];
}

/** What the mail about a verified payment says of its plan, and of what moves because of it. */
export function presentMoves(
  { postsPerDay }: { postsPerDay: number },
  foreseen: PaymentPreview,
  timeZone: string,
  now: Date,
) {
  const { startsAt, endsAt } = foreseen;
  const day = (at: Date) => formatDate(at, timeZone);
  const plan = postsADay(postsPerDay);
  return {
    plan: startsAt > now ? `${plan}, from ${day(startsAt)},` : plan,
    until: day(endsAt),
    also: presentPreview(foreseen, timeZone),
  };
}
