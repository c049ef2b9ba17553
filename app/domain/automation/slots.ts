import { DAYS_OFF_MAX, WEEKDAYS } from './limits.ts';

/**
 * The one place where local times become instants. A time inside a DST gap moves forward by the length of
 * the gap, an ambiguous one is its first occurrence (Temporal's `compatible`).
 */

/** One publish time of one local day. `number` counts from 1 in the order of the day. */
export type Slot = { date: string; number: number; at: Date };

/** A slot as pages name it, such as "2027-03-01 1": its date and number, which stay when its time changes. */
export const slotKey = ({ date, number }: Omit<Slot, 'at'>) => `${date} ${number}`;

/** The slot that a post holds, as pages name it; null when it has none. */
export const slotKeyOfPost = (post: { slotDate: string | null; slotNumber: number | null }): string | null =>
  post.slotDate && post.slotNumber ? slotKey({ date: post.slotDate, number: post.slotNumber }) : null;

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

const DAY_MS = 86_400_000;

/** A day of the calendar as a zone has it: its date, YYYY-MM-DD, and its first instant. */
type ZoneDay = { date: string; start: number };

const MOST_DAYS = 5_000;
/** By zone, and by days since 1970. A page asks for the same days again and again, and so do all people of a zone. */
const zones = new Map<string, Map<number, ZoneDay>>();
let known = 0;

function remember(timeZone: string, number: number): ZoneDay {
  const date = new Date(number * DAY_MS).toISOString().slice(0, 10);
  const start = Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds;
  if (known >= MOST_DAYS) zones.clear();
  known = zones.size === 0 ? 1 : known + 1;
  const days = zones.get(timeZone) ?? new Map<number, ZoneDay>();
  zones.set(timeZone, days.set(number, { date, start }));
  return { date, start };
}

const dayIn = (timeZone: string, number: number): ZoneDay =>
  zones.get(timeZone)?.get(number) ?? remember(timeZone, number);

/** A date that has no zone, in days since 1970. */
const numberOf = (date: string) => Date.parse(date) / DAY_MS;
const dayAfter = (date: string, days: number) =>
  new Date((numberOf(date) + days) * DAY_MS).toISOString().slice(0, 10);

/** Whether the clock shows each minute of a day once. */
const isPlain = (timeZone: string, number: number) =>
  dayIn(timeZone, number + 1).start - dayIn(timeZone, number).start === DAY_MS;

/** The instant of a local date (YYYY-MM-DD) and time of day (HH:MM) in an IANA zone. */
export function instantOf(date: string, time: string, timeZone: string): Date {
  const number = numberOf(date);
  // A date that there is not, like 30 February, would be one of the next month.
  if (dayIn(timeZone, number).date === date && isPlain(timeZone, number)) {
    return new Date(dayIn(timeZone, number).start + Date.parse(`1970-01-01T${time}Z`));
  }
  const local = Temporal.PlainDate.from(date).toPlainDateTime(Temporal.PlainTime.from(time));
  const { epochMilliseconds } = local.toZonedDateTime(timeZone, { disambiguation: 'compatible' });
  return new Date(epochMilliseconds);
}

const zonedAt = (at: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);

/** The calendar day of an instant in a zone, YYYY-MM-DD. */
export function localDateOf(at: Date, timeZone: string): string {
  const instant = at.getTime();
  let number = Math.floor(instant / DAY_MS);
  if (dayIn(timeZone, number).start > instant) number -= 1;
  else if (dayIn(timeZone, number + 1).start <= instant) number += 1;
  // Before midnight the clock may be put back to the day before.
  if (!isPlain(timeZone, number)) return zonedAt(at, timeZone).toPlainDate().toString();
  return dayIn(timeZone, number).date;
}

/** The first instant of the local month that `at` lies in. */
export function startOfLocalMonth(at: Date, timeZone: string): Date {
  const first = zonedAt(at, timeZone).toPlainDate().with({ day: 1 });
  return new Date(first.toZonedDateTime(timeZone).epochMilliseconds);
}

/** A local day: its date, its first instant and that of the next. One on which the clock changes has 23 or 25 hours. */
export type LocalDay = { date: string; start: Date; end: Date };

/** So many local days in a row, from a date on. */
export function localDays(first: string, count: number, timeZone: string): LocalDay[] {
  const from = numberOf(first);
  return Array.from({ length: count }, (_, n) => {
    const { date, start } = dayIn(timeZone, from + n);
    return { date, start: new Date(start), end: new Date(dayIn(timeZone, from + n + 1).start) };
  });
}

/** The first and the following instant of the local day that `at` lies in. */
export function localDayOf(at: Date, timeZone: string): { start: Date; end: Date } {
  const [{ start, end }] = localDays(localDateOf(at, timeZone), 1, timeZone) as [LocalDay];
  return { start, end };
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
  for (let number = numberOf(date); ; number += 1) {
    const day = dayIn(timeZone, number);
    const isSimple = isPlain(timeZone, number);
    for (const [index, { time, ofDay }] of times.entries()) {
      const chosen = number * DAY_MS + ofDay;
      const apart = Math.min(APART_MS, chosen - clock);
      const shown = isSimple ? day.start + ofDay : instantOf(day.date, time, timeZone).getTime();
      at = Math.max(shown, at + apart);
      clock = chosen;
      yield { date: day.date, number: index + 1, at: new Date(at) };
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

/** The latest time up to an instant at which the local clock showed `time`. */
export function lastTimeOfDay(time: string, timeZone: string, until: Date): Date {
  // Local days last 23 to 25 hours, so the times of the last two days are looked through.
  const from = new Date(until.getTime() - 2 * DAY_MS);
  const recent = slotsAfter(from, { publishTimes: [time], timeZone })
    .take(3)
    .toArray();
  return recent.findLast(({ at }) => at <= until)!.at;
}

/** The slots after an instant and up to another. */
export function slotsBetween(after: Date, until: Date, timetable: Timetable): Slot[] {
  const slots: Slot[] = [];
  for (const slot of slotsAfter(after, timetable)) {
    if (slot.at > until) break;
    slots.push(slot);
  }
  return slots;
}

/**
 * The slots that posts are written for at an instant: those up to the next creation time, and at a creation time
 * at least as many as a day has, however many days are left out in between.
 */
export function slotsOfRun(run: Date, timetable: Timetable & { contentCreationTime: string }): Slot[] {
  const { contentCreationTime: time, publishTimes, timeZone } = timetable;
  const slots = slotsBetween(run, nextTimeOfDay(time, timeZone, run), timetable);
  const isOnTime = lastTimeOfDay(time, timeZone, run).getTime() === run.getTime();
  if (!isOnTime || slots.length >= publishTimes.length) return slots;
  return slotsAfter(run, timetable).take(publishTimes.length).toArray();
}

/** The last days until now on a clock, the earliest first. */
export function lastDays(howMany: number, timeZone: string, now: Date): string[] {
  const today = Date.parse(localDateOf(now, timeZone));
  return Array.from({ length: howMany }, (_, nth) =>
    new Date(today - (howMany - 1 - nth) * DAY_MS).toISOString().slice(0, 10),
  );
}
