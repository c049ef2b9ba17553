import { QUOTA_ALARM } from '#app/domain/linkedin/daily-quota.ts';
import { COUNTED_MAX, type Reading, type Readings } from '#app/domain/operations/readings.ts';
import { formatMinute, presentTime } from '#app/domain/platform/dates.ts';
import { periodOf } from '#app/domain/platform/tick-times.ts';
import { listAddress, OVERVIEW, WRITING } from '#app/routes/admin/tabs.tsx';
import { formatCount, pluralize } from '#app/ui/text.ts';

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const percent = (share: number) => `${Math.round(share * 100)}%`;
/** "10,000+" at the limit of the count. */
const formatCapped = (count: number) =>
  count >= COUNTED_MAX ? `${formatCount(COUNTED_MAX)}+` : formatCount(count);

/** How long ago, in one unit: "12 s", "4 min", "3 h", "2 days". */
export function ageOf(at: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - at.getTime()) / 1_000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3_600) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

const presentOldest = ({ oldest }: Pick<Reading, 'oldest'>, now: Date, none: string) =>
  oldest ? `the oldest for ${ageOf(oldest, now)}` : none;

function writerCard({ calls, inputTokens, outputTokens, bounds }: Readings['writer']) {
  const { prices } = bounds;
  const cost = prices && (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000;
  return {
    label: 'Writer today',
    value: cost === null ? `${formatCount(calls)} calls` : money.format(cost),
    detail: `${formatCount(calls)} of ${formatCount(bounds.calls)} calls, ${short.format(inputTokens + outputTokens)} of ${short.format(bounds.tokens)} tokens`,
    to: WRITING,
  };
}

function cardsOf(readings: Readings) {
  const { at, due, unknown, unconfirmed, mails, dead, linkedIn } = readings;
  const { posts, limit } = linkedIn;
  return [
    {
      label: 'Due posts',
      value: formatCapped(due.count),
      to: listAddress('due'),
      detail: presentOldest(due, at, 'none that could go now'),
    },
    {
      label: 'Unknown',
      value: formatCapped(unknown.count),
      to: listAddress('unknown'),
      detail: presentOldest(unknown, at, 'every attempt is known'),
    },
    {
      label: 'Left to owners',
      value: formatCapped(unconfirmed),
      to: listAddress('unconfirmed'),
      detail: 'only they can say if it is there',
    },
    {
      label: 'Mails that wait',
      value: formatCapped(mails.count),
      detail: presentOldest(mails, at, 'nothing waits'),
      to: listAddress('mails'),
    },
    {
      label: 'Dead jobs',
      value: formatCount(dead),
      to: listAddress('dead'),
      detail: dead > 0 ? 'all their tries failed' : 'no job is given up',
    },
    writerCard(readings.writer),
    {
      label: 'LinkedIn today',
      value: pluralize(posts, 'post'),
      detail:
        limit === null ? 'its limit is not known' : `${percent(posts / limit)} of ${formatCount(limit)}`,
      to: listAddress('linkedin'),
    },
    {
      label: 'Faults',
      value: formatCount(readings.faults),
      to: OVERVIEW,
      detail: readings.faults > 0 ? 'that only the operator can mend' : 'none is open',
    },
  ];
}

function budgetOf({ posts, other, limit, isLearned }: Readings['linkedIn']): string {
  const today = `Today (UTC) it was asked to take ${pluralize(posts, 'post')}, and ${pluralize(other, 'time')} for something else.`;
  if (limit === null)
    return `${today} How many posts it takes in a day is not known: set LINKEDIN_POSTS_A_DAY, or wait until it has refused one.`;
  const source = isLearned ? 'as many as there were when it last took no more' : 'by LINKEDIN_POSTS_A_DAY';
  return `${today} It takes ${formatCount(limit)} posts in a day, ${source}; admins are told at ${percent(QUOTA_ALARM)}.`;
}

export function presentOperations(readings: Readings, timeZone: string) {
  const { at, linkedIn } = readings;
  const { posts, limit } = linkedIn;
  return {
    at: formatMinute(at, timeZone),
    numbers: cardsOf(readings),
    ticks: readings.ticks.map(({ name, timetable, last, isLate }) => ({
      name,
      every: `each ${periodOf(timetable)}`,
      ago: last ? `${ageOf(last, at)} ago` : '',
      last: last && presentTime(last, timeZone),
      isLate,
    })),
    lanes: readings.lanes.map(({ lane, waiting, running, later, oldest }) => ({
      lane,
      waiting: formatCount(waiting),
      running: formatCount(running),
      later: formatCount(later),
      oldest: oldest ? ageOf(oldest, at) : '–',
      to: `${listAddress('jobs')}&lane=${lane}`,
    })),
    linkedIn: {
      budget: budgetOf(linkedIn),
      share: limit === null ? null : Math.min(1, posts / limit),
      used: limit === null ? '' : percent(posts / limit),
      versions: linkedIn.versions.map(({ version, refusedSince }, index) => ({
        version,
        role: index === 0 ? 'preferred' : 'fallback',
        refused: refusedSince && `Refused since ${formatMinute(refusedSince, timeZone)}`,
      })),
    },
  };
}
export type PresentedOperations = ReturnType<typeof presentOperations>;
