import type { Db } from '#app/db/client.ts';
import { isPublishDay, type LocalDay, localDateOf, localDays } from '#app/domain/automation/slots.ts';
import type { FullTimetable } from '#app/domain/automation/timetable.ts';
import { getCalendar } from '#app/domain/pages/posts.ts';
import { type Covered, paidAt } from '#app/domain/payments/subscription/coverage.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatTimeZone } from '#app/domain/platform/dates.ts';
import type { PostOutline } from '#app/domain/posts/lists/outlines.ts';
import { type Entry, spanOf, toAgenda } from '#app/domain/publishing/slots/agenda.ts';
import { choosableUntil } from '#app/domain/publishing/slots/slot-key.ts';
import { loadMove } from '#app/routes/posts/move/load.ts';
import { type CalendarContext, type CalendarEntry, presentCalendarEntry } from './entry.ts';
import { spanIn } from './range.ts';

/** The most entries that a day of a month shows; the rest is a link. */
const DAY_MAX = 4;
const DAY_OFF = 'Day off';
/** States that end on their own within a moment. */
const UNSETTLED = new Set<CalendarEntry['state']>(['publishing', 'filling']);

/** Loads the month or the week that the URL asks for; null if it asks for the list. */
export async function loadCalendar(db: Db, actor: Actor, query: URLSearchParams, now: Date) {
  const { timeZone } = actor;
  const today = localDateOf(now, timeZone);
  const span = spanIn(query, today);
  if (!span) return null;
  const days = localDays(span.first, span.count, timeZone);
  const within = { from: days[0]!.start, to: days.at(-1)!.end };
  const [{ posts, timetable, filling, covered }, moving] = await Promise.all([
    getCalendar(db, actor, spanOf(within, timeZone), now),
    loadMove(db, actor, query, now),
  ]);
  const entries = toAgenda(posts, timetable, within, now);
  const until = choosableUntil(timetable, now);
  const context = {
    timeZone,
    now,
    filling,
    canChoose: (at: Date) => at < until,
    paidAt: (at: Date) => paidAt(covered, at),
  };
  const byDay = groupByDay(days, entries, context);
  const notes = days.map((day) => noteFor(day, timetable, covered, now));
  return {
    span,
    today,
    zone: formatTimeZone(timeZone),
    days: days.map(({ date }, n) => ({
      ...truncate(byDay[n]!, span.view === 'month' ? DAY_MAX : Number.POSITIVE_INFINITY),
      date,
      /** Why the day has no open slots. */
      note: notes[n]!,
      /** Whether the day before has the same note. Only the first of such days shows it. */
      isSame: isSame(notes, n),
    })),
    moving,
    isEmpty: byDay.every((ofDay) => ofDay.length === 0),
    /** Whether a state on it ends on its own within a moment. */
    isMoving: byDay.flat().some(({ state }) => UNSETTLED.has(state)),
  };
}

export type CalendarData = NonNullable<Awaited<ReturnType<typeof loadCalendar>>>;
export type CalendarDay = CalendarData['days'][number];

function groupByDay(days: LocalDay[], entries: Entry<PostOutline>[], context: CalendarContext) {
  let index = 0;
  return days.map((day) => {
    const presented: CalendarEntry[] = [];
    for (; entries[index] && entries[index]!.at < day.end; index += 1) {
      const entry = presentCalendarEntry(entries[index]!, day, context);
      if (entry) presented.push(entry);
    }
    return presented;
  });
}

function truncate(all: CalendarEntry[], max: number) {
  const entries = all.length > max ? all.slice(0, max - 1) : all;
  return { entries, more: all.length - entries.length };
}

const isSame = (notes: (string | null)[], n: number) =>
  notes[n] !== null && notes[n] !== DAY_OFF && notes[n] === notes[n - 1];

/** Why nothing is published on a day: the user left it out, or no plan covers it. */
function noteFor(day: LocalDay, timetable: FullTimetable, covered: Covered[], now: Date): string | null {
  const [first] = covered;
  if (!first) return null;
  if (!isPublishDay(day.date, timetable)) return DAY_OFF;
  if (covered.some(({ from, to }) => from < day.end && to > day.start)) return null;
  if (day.end <= first.from) return 'Before your plan';
  return day.end > now ? 'After your plan' : 'No plan';
}
