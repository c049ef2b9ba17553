import { DAYS_OFF_MAX, WEEKDAYS } from './limits.ts';

/**
 * The one place where local times become instants. A time inside a DST gap moves forward by the length of
 * the gap, an ambiguous one is its first occurrence (Temporal's `compatible`).
 */

/** One publish time of one local day. `number` counts from 1 in the order of the day. */
export type Slot = { date: string; number: number; at: Date };

export type Timetable = {
  /** In the order of the day, each once. */
  publishTimes: string[];
  timeZone: string;
  /** The days of the week on which posts go out; every day when it is left out. */
  publishDays?: readonly string[];
  /** Single dates, YYYY-MM-DD, on which none do. */
  daysOff?: readonly string[];
};

/** What a gap brings together stands so far apart, or as far as it was chosen to when that is less. */
const APART_MS = 15 * 60_000;
/** A gap is felt on its day and, across midnight, on the next. With one more it may last a whole day. */
const FELT_DAYS = 2;
/** The longest time without a slot: one day a week is left, and each of the days off is one of those. */
const LOOK_AHEAD_DAYS = 7 * (DAYS_OFF_MAX + 1);

const MOST_INSTANTS = 5_000;
/** A page asks for the same days again and again, and so do all people of a zone. */
const instants = new Map<string, number>();

function remembered(key: string, workOut: () => Temporal.ZonedDateTime): Date {
  const known = instants.get(key);
  if (known !== undefined) return new Date(known);
  const { epochMilliseconds } = workOut();
  if (instants.size >= MOST_INSTANTS) instants.clear();
  instants.set(key, epochMilliseconds);
  return new Date(epochMilliseconds);
}

/** The instant of a local date (YYYY-MM-DD) and time of day (HH:MM) in an IANA zone. */
export const instantOf = (date: string, time: string, timeZone: string): Date =>
  remembered(`${date} ${time} ${timeZone}`, () => {
    const local = Temporal.PlainDate.from(date).toPlainDateTime(Temporal.PlainTime.from(time));
    return local.toZonedDateTime(timeZone, { disambiguation: 'compatible' });
  });

const zonedAt = (at: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);

/** The calendar day of an instant in a zone, YYYY-MM-DD. */
export const localDateOf = (at: Date, timeZone: string): string =>
  zonedAt(at, timeZone).toPlainDate().toString();

/** The first instant of the local month that `at` lies in. */
export function startOfLocalMonth(at: Date, timeZone: string): Date {
  const first = zonedAt(at, timeZone).toPlainDate().with({ day: 1 });
  return new Date(first.toZonedDateTime(timeZone).epochMilliseconds);
}

const startOf = (date: string, timeZone: string) =>
  remembered(`${date} ${timeZone}`, () => Temporal.PlainDate.from(date).toZonedDateTime(timeZone));

const DAY_MS = 86_400_000;

/** Of the days of the calendar alone, which have no zone. */
const dateOf = (midnight: number) => new Date(midnight).toISOString().slice(0, 10);
const dayAfter = (date: string, days: number) => dateOf(Date.parse(date) + days * DAY_MS);

/** The first and the following instant of the local day that `at` lies in. */
export function localDayOf(at: Date, timeZone: string): { start: Date; end: Date } {
  const date = localDateOf(at, timeZone);
  return { start: startOf(date, timeZone), end: startOf(dayAfter(date, 1), timeZone) };
}

/** A local day: its date, its first instant and that of the next. One on which the clock changes has 23 or 25 hours. */
export type LocalDay = { date: string; start: Date; end: Date };

/** So many local days in a row, from a date on. */
export function localDays(first: string, count: number, timeZone: string): LocalDay[] {
  const dates = Array.from({ length: count + 1 }, (_, n) => dayAfter(first, n));
  const starts = dates.map((date) => startOf(date, timeZone));
  return dates.slice(0, count).map((date, n) => ({ date, start: starts[n]!, end: starts[n + 1]! }));
}

const weekdayOf = (date: string): string => WEEKDAYS[(new Date(date).getUTCDay() + 6) % 7]!;

/** Whether posts go out on a local date. */
export function isPublishDay(date: string, { publishDays, daysOff }: Timetable): boolean {
  if (daysOff?.includes(date)) return false;
  return publishDays?.includes(weekdayOf(date)) ?? true;
}

/**
 * The publish times of every local day from a date on, also of days that are left out, without end. A gap leaves
 * them in their order: each stands `APART_MS`, or as far as on the clock when that is less, after the one before.
 * What is left out changes nothing about the times of other days.
 */
function* timesFrom(date: string, { publishTimes, timeZone }: Timetable): Generator<Slot> {
  let clock = Number.NEGATIVE_INFINITY;
  let at = Number.NEGATIVE_INFINITY;
  const times = publishTimes.map((time) => ({ time, ofDay: Date.parse(`1970-01-01T${time}Z`) }));
  for (let midnight = Date.parse(date); ; midnight += DAY_MS) {
    const day = dateOf(midnight);
    for (const [index, { time, ofDay }] of times.entries()) {
      const chosen = midnight + ofDay;
      const apart = Math.min(APART_MS, chosen - clock);
      at = Math.max(instantOf(day, time, timeZone).getTime(), at + apart);
      clock = chosen;
      yield { date: day, number: index + 1, at: new Date(at) };
    }
  }
}

/** The slot of a day by its number, or undefined when the day is left out or has fewer. */
export function slotOf(date: string, number: number, timetable: Timetable): Slot | undefined {
  const { publishTimes } = timetable;
  if (!publishTimes[number - 1] || !isPublishDay(date, timetable)) return undefined;
  const index = FELT_DAYS * publishTimes.length + number - 1;
  const [slot] = timesFrom(dayAfter(date, -FELT_DAYS), timetable).drop(index);
  return slot;
}

/**
 * All slots after an instant, soonest first, which is the order of their dates and numbers. Without end, unless the
 * timetable leaves no day: it ends when `LOOK_AHEAD_DAYS` have passed without one.
 */
export function* slotsAfter(after: Date, timetable: Timetable): Generator<Slot> {
  if (timetable.publishTimes.length === 0) return;
  const today = localDateOf(after, timetable.timeZone);
  const before = after.getTime();
  let date = '';
  let isLeftOut = false;
  let daysWithout = -FELT_DAYS - 2;
  for (const slot of timesFrom(dayAfter(today, -FELT_DAYS - 1), timetable)) {
    if (slot.date !== date) {
      date = slot.date;
      isLeftOut = !isPublishDay(date, timetable);
      daysWithout += 1;
      if (daysWithout > LOOK_AHEAD_DAYS) return;
    }
    if (isLeftOut || slot.at.getTime() <= before) continue;
    daysWithout = 0;
    yield slot;
  }
}

/** The next time the local clock shows `time` after an instant. */
export function nextTimeOfDay(time: string, timeZone: string, after: Date): Date {
  const [next] = slotsAfter(after, { publishTimes: [time], timeZone }).take(1);
  return next!.at;
}
