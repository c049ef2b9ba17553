import type { UpgradeType } from '#app/db/tables.ts';
import { postsADay } from '#app/domain/payments/plan-labels.ts';
import { formatDate } from '#app/domain/platform/dates.ts';
import type { MovedPlan, PaymentPreview } from './preview.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const pluralize = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** The two largest units: "3 days, 4 hours", "12 minutes". */
export function formatLength(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const parts = [
    days > 0 && pluralize(days, 'day'),
    hours > 0 && pluralize(hours, 'hour'),
    days === 0 && minutes > 0 && pluralize(minutes, 'minute'),
  ].filter((unit) => unit !== false);
  return parts.length > 0 ? parts.slice(0, 2).join(', ') : 'less than a minute';
}

/** "The month of 1 post a day runs from Feb 20, 2026 to Mar 20, 2026" */
function presentMove({ postsPerDay, isBegun, startsAt, endsAt }: MovedPlan, timeZone: string): string {
  const subject = isBegun ? 'What is left of' : 'The month of';
  const verb = isBegun ? 'goes on' : 'runs';
  const day = (at: Date) => formatDate(at, timeZone);
  return `${subject} ${postsADay(postsPerDay)} ${verb} from ${day(startsAt)} to ${day(endsAt)}`;
}

/** Less than a minute is not worth a sentence. */
const presentUsedCredit = ({ usedMs, takenMs }: { usedMs: number; takenMs: number }) =>
  takenMs >= MINUTE_MS
    ? [
        `Meanwhile ${formatLength(usedMs)} of the credited time went by, which takes ${formatLength(takenMs)} off the new month.`,
      ]
    : [];

type UpgradeOutcome = Pick<PaymentPreview, 'usedMs' | 'takenMs'> & {
  upgradeType: UpgradeType | null;
  amountMinor: number;
  movedPlans: MovedPlan[];
};

const BEGINS_LATER =
  'It begins when we have verified your payment. Until then your current plan runs on, and what you use of the credited time comes off the end of the new month.';
const BEGINS_IMMEDIATELY = 'It begins at once: there is nothing to pay.';

/** What an immediate upgrade will do, for its payer. */
export function presentOutcome(
  { upgradeType, amountMinor, movedPlans, ...usedCredit }: UpgradeOutcome,
  timeZone: string,
): string[] {
  if (upgradeType !== 'immediate') return [];
  return [
    amountMinor === 0 ? BEGINS_IMMEDIATELY : BEGINS_LATER,
    ...movedPlans.map((move) => `${presentMove(move, timeZone)}.`),
    ...presentUsedCredit(usedCredit),
  ];
}

const presentProration = ({ shareMs }: { shareMs: number | null }) =>
  shareMs === null ? [] : [`What was paid pays for ${formatLength(shareMs)} at the full price of a month.`];

/** The effect of a verification, sentence by sentence, in the payer's time zone. */
export function presentPreview(preview: PaymentPreview, timeZone: string): string[] {
  const { ended, moved } = preview;
  const lines = moved.map((move) => `${presentMove(move, timeZone)}.`);
  if (ended && ended.leftMs === 0) {
    lines.unshift(`The plan of ${postsADay(ended.postsPerDay)} ends on ${formatDate(ended.at, timeZone)}.`);
  }
  return [...presentProration(preview), ...lines, ...presentUsedCredit(preview)];
}

/** The variables of the mail about a verified payment. */
export function presentPlanMail(
  { postsPerDay }: { postsPerDay: number },
  preview: PaymentPreview,
  timeZone: string,
  now: Date,
) {
  const { startsAt, endsAt } = preview;
  const day = (at: Date) => formatDate(at, timeZone);
  const plan = postsADay(postsPerDay);
  return {
    plan: startsAt > now ? `${plan}, from ${day(startsAt)},` : plan,
    until: day(endsAt),
    also: presentPreview(preview, timeZone),
  };
}
