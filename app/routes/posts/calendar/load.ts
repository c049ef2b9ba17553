import type { Db } from '#app/db/client.ts';
import { isPublishDay, type LocalDay, localDateOf, localDays } from '#app/domain/automation/slots.ts';
import type { FullTimetable } from '#app/domain/automation/timetable.ts';
import { getCalendar } from '#app/domain/pages/posts.ts';
import { type Covered, paidAt } from '#app/domain/payments/subscription/coverage.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatTimeZone } from '#app/domain/platform/dates.ts';
import type { PostOutline } from '#app/domain/posts/lists/outlines.ts';
import { type Entry, layOut, spanOf } from '#app/domain/queue/slots/agenda.ts';
import { chosenBefore } from '#app/domain/queue/slots/slot-key.ts';
import { loadMove, type Moving } from '#app/routes/posts/move/load.ts';
import { type Around, type CalendarEntry, presentMark } from './entry.ts';
import { type CalendarSpan, spanIn } from './range.ts';

/** So many entries a day of a month has; more are a link. */
const MOST_A_DAY = 4;
const DAY_OFF = 'Day off';
/** What changes by itself in a moment. */
const MOVING = new Set<CalendarEntry['state']>(['publishing', 'filling']);

export type CalendarDay = {
  date: string;
  /** Why the day has no open slots. */
  note: string | null;
  /** Whether the day before has the same note. Only the first of such days shows it. */
  isSame: boolean;
  entries: CalendarEntry[];
  /** How many more entries the day has. */
  more: number;
};

export type CalendarData = {
  span: CalendarSpan;
  today: string;
  zone: string;
  days: CalendarDay[];
  moving: Moving | null;
  isEmpty: boolean;
  /** Something on it changes by itself in a moment. */
  isMoving: boolean;
};

/** Loads the month or the week that the URL asks for; null if it asks for the list. */
export async function loadCalendar(
  db: Db,
  actor: Actor,
  query: URLSearchParams,
  now: Date,
): Promise<CalendarData | null> {
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
  const entries = layOut(posts, timetable, within, now);
  const until = chosenBefore(timetable, now);
  const around = {
    timeZone,
    now,
    filling,
    canChoose: (at: Date) => at < until,
    paidAt: (at: Date) => paidAt(covered, at),
  };
  const marks = trackingParams(days, entries, around);
  const notes = days.map((day) => noteOf(day, timetable, covered, now));
  return {
    span,
    today,
    zone: formatTimeZone(timeZone),
    days: days.map(({ date }, n) => ({
      ...cut(marks[n]!, span.view === 'month' ? MOST_A_DAY : Number.POSITIVE_INFINITY),
      date,
      note: notes[n]!,
      isSame: isSame(notes, n),
    })),
    moving,
    isEmpty: marks.every((ofDay) => ofDay.length === 0),
    isMoving: marks.flat().some(({ state }) => MOVING.has(state)),
  };
}

/** What stands on each day. Both are in order of time. */
function trackingParams(days: LocalDay[], entries: Entry<PostOutline>[], around: Around): CalendarEntry[][] {
  let at = 0;
  return days.map((day) => {
    const marks: CalendarEntry[] = [];
    const end = day.end.getTime();
    for (; entries[at] && entries[at]!.at.getTime() < end; at += 1) {
      const mark = presentMark(entries[at]!, day, around);
      if (mark) marks.push(mark);
    }
    return marks;
  });
}

/** The last of so many rows says how many more there are. */
function cut(marks: CalendarEntry[], most: number) {
  const entries = marks.length > most ? marks.slice(0, most - 1) : marks;
  return { entries, more: marks.length - entries.length };
}

const isSame = (notes: (string | null)[], n: number) =>
  notes[n] !== null && notes[n] !== DAY_OFF && notes[n] === notes[n - 1];

/** Why nothing goes out on a day: it was left out, or no plan covers it. */
function noteOf(day: LocalDay, timetable: FullTimetable, covered: Covered[], now: Date): string | null {
  const [first] = covered;
  if (!first) return null;
  if (!isPublishDay(day.date, timetable)) return DAY_OFF;
  if (covered.some(({ from, to }) => from < day.end && to > day.start)) return null;
  if (day.end <= first.from) return 'Before your plan';
  return day.end > now ? 'After your plan' : 'No plan';
}
