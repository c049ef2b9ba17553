import { QUOTA_ALARM } from '#app/domain/linkedin/daily-quota.ts';
import { COUNTED_MAX, type Reading, type Readings } from '#app/domain/operations/readings.ts';
import { formatMinute } from '#app/domain/platform/dates.ts';
import { periodOf } from '#app/domain/platform/tick-times.ts';
import { listAddress, OVERVIEW, WRITING } from '#app/routes/admin/tabs.tsx';

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const full = (count: number) => count.toLocaleString('en');
const postsOf = (count: number) => `${full(count)} ${count === 1 ? 'post' : 'posts'}`;
const percent = (share: number) => `${Math.round(share * 100)}%`;
/** "10,000+": as many as are counted at most. */
export const counted = (count: number) => (count >= COUNTED_MAX ? `${full(COUNTED_MAX)}+` : full(count));

/** How long ago, in one unit: "12 s", "4 min", "3 h", "2 days". */
export function ageOf(at: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - at.getTime()) / 1_000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3_600) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

const oldestIn = ({ oldest }: Pick<Reading, 'oldest'>, now: Date) =>
  oldest ? `the oldest for ${ageOf(oldest, now)}` : 'nothing waits';

function writerOf({ calls, inputTokens, outputTokens, bounds }: Readings['writer']) {
  const { prices } = bounds;
  const cost = prices && (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000;
  return {
    label: 'Writer today',
    value: cost === null ? `${full(calls)} calls` : money.format(cost),
    detail: `${full(calls)} of ${full(bounds.calls)} calls, ${short.format(inputTokens + outputTokens)} of ${short.format(bounds.tokens)} tokens`,
    to: WRITING,
  };
}

function numbersOf(readings: Readings) {
  const { at, due, unknown, unconfirmed, mails, dead, linkedIn } = readings;
  const { posts, limit } = linkedIn;
  return [
    {
      label: 'Due posts',
      value: counted(due.count),
      to: listAddress('due'),
      detail: due.oldest ? `the oldest for ${ageOf(due.oldest, at)}` : 'none that could go now',
    },
    {
      label: 'Unknown',
      value: counted(unknown.count),
      to: listAddress('unknown'),
      detail: unknown.oldest ? `the oldest for ${ageOf(unknown.oldest, at)}` : 'every attempt is known',
    },
    {
      label: 'Left to owners',
      value: counted(unconfirmed),
      to: listAddress('unconfirmed'),
      detail: 'only they can say if it is there',
    },
    {
      label: 'Mails that wait',
      value: counted(mails.count),
      detail: oldestIn(mails, at),
      to: listAddress('mails'),
    },
    {
      label: 'Dead jobs',
      value: full(dead),
      to: listAddress('dead'),
      detail: dead > 0 ? 'all their tries failed' : 'no job is given up',
    },
    writerOf(readings.writer),
    {
      label: 'LinkedIn today',
      value: postsOf(posts),
      detail: limit === null ? 'its limit is not known' : `${percent(posts / limit)} of ${full(limit)}`,
      to: listAddress('linkedin'),
    },
    {
      label: 'Faults',
      value: full(readings.faults),
      to: OVERVIEW,
      detail: readings.faults > 0 ? 'that only the operator can mend' : 'none is open',
    },
  ];
}

function budgetOf({ posts, other, limit, isLearned }: Readings['linkedIn']): string {
  const asked = `Today (UTC) it was asked to take ${postsOf(posts)}, and ${full(other)} ${other === 1 ? 'time' : 'times'} for something else.`;
  if (limit === null)
    return `${asked} How many posts it takes in a day is not known: set LINKEDIN_POSTS_A_DAY, or wait until it has refused one.`;
  const source = isLearned ? 'as many as there were when it last took no more' : 'by LINKEDIN_POSTS_A_DAY';
  return `${asked} It takes ${full(limit)} posts in a day, ${source}; admins are told at ${percent(QUOTA_ALARM)}.`;
}

/** What the page of operations shows, on the clock of its reader. */
export function presentOperations(readings: Readings, timeZone: string) {
  const { at, linkedIn } = readings;
  const { posts, limit } = linkedIn;
  return {
    at: formatMinute(at, timeZone),
    numbers: numbersOf(readings),
    ticks: readings.ticks.map(({ name, timetable, last, isLate }) => ({
      name,
      every: `each ${periodOf(timetable)}`,
      ago: last ? `${ageOf(last, at)} ago` : '',
      last: last && { iso: last.toISOString(), text: formatMinute(last, timeZone) },
      isLate,
    })),
    lanes: readings.lanes.map(({ lane, waiting, running, later, oldest }) => ({
      lane,
      waiting: full(waiting),
      running: full(running),
      later: full(later),
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
