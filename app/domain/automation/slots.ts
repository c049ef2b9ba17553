import { DAYS_OFF_MAX, WEEKDAYS } from './limits.ts';

/*
 * All conversions of local times to instants. A time inside a DST gap moves forward by the length of the gap, and an
 * ambiguous time is its first occurrence (Temporal's `compatible`).
 */

/** One publish time of one local day. `number` counts from 1 in the order of the day. */
export type Slot = { date: string; number: number; at: Date };

/** The key of a slot, such as "2027-03-01 1": its date and number, which stay when its time changes. */
export const slotKey = ({ date, number }: Omit<Slot, 'at'>) => `${date} ${number}`;

export const slotKeyOfPost = (post: { slotDate: string | null; slotNumber: number | null }): string | null =>
  post.slotDate && post.slotNumber ? slotKey({ date: post.slotDate, number: post.slotNumber }) : null;

export type Timetable = {
  publishTimes: string[];
  timeZone: string;
  /** The days of the week with publishing; by default every day. */
  publishDays?: readonly string[];
  /** Dates without publishing, YYYY-MM-DD. */
  daysOff?: readonly string[];
};

/** The distance of slots that a DST gap would bring together, or the chosen distance when that is less. */
const APART_MS = 15 * 60_000;
/** A gap moves slots of its day and, across midnight, of the next one. A gap may last a whole day. */
const GAP_DAYS = 2;
/** The longest time without a slot: publishing on one weekday, and all days off fall on it. */
const LOOK_AHEAD_DAYS = 7 * (DAYS_OFF_MAX + 1);

const DAY_MS = 86_400_000;

type ZoneDay = { date: string; start: number };

const CACHED_DAYS_MAX = 5_000;
/** Cached days by time zone and by days since 1970. */
const zones = new Map<string, Map<number, ZoneDay>>();
let cachedDays = 0;

function cacheDay(timeZone: string, number: number): ZoneDay {
  const date = new Date(number * DAY_MS).toISOString().slice(0, 10);
  const start = Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds;
  if (cachedDays >= CACHED_DAYS_MAX) zones.clear();
  cachedDays = zones.size === 0 ? 1 : cachedDays + 1;
  const days = zones.get(timeZone) ?? new Map<number, ZoneDay>();
  zones.set(timeZone, days.set(number, { date, start }));
  return { date, start };
}

const dayIn = (timeZone: string, number: number): ZoneDay =>
  zones.get(timeZone)?.get(number) ?? cacheDay(timeZone, number);

const numberOf = (date: string) => Date.parse(date) / DAY_MS;
const dayAfter = (date: string, days: number) =>
  new Date((numberOf(date) + days) * DAY_MS).toISOString().slice(0, 10);

const isPlain = (timeZone: string, number: number) =>
  dayIn(timeZone, number + 1).start - dayIn(timeZone, number).start === DAY_MS;

/** The instant of a local date (YYYY-MM-DD) and time of day (HH:MM) in an IANA zone. */
export function instantOf(date: string, time: string, timeZone: string): Date {
  const number = numberOf(date);
  // An invalid date, such as 30 February, would be one of the next month.
  if (dayIn(timeZone, number).date === date && isPlain(timeZone, number)) {
    return new Date(dayIn(timeZone, number).start + Date.parse(`1970-01-01T${time}Z`));
  }
  const local = Temporal.PlainDate.from(date).toPlainDateTime(Temporal.PlainTime.from(time));
  const { epochMilliseconds } = local.toZonedDateTime(timeZone, { disambiguation: 'compatible' });
  return new Date(epochMilliseconds);
}

const zonedAt = (at: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);

export function localDateOf(at: Date, timeZone: string): string {
  const instant = at.getTime();
  let number = Math.floor(instant / DAY_MS);
  if (dayIn(timeZone, number).start > instant) number -= 1;
  else if (dayIn(timeZone, number + 1).start <= instant) number += 1;
  // The clock may be set back across midnight.
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

export function isPublishDay(date: string, { publishDays, daysOff }: Timetable): boolean {
  if (daysOff?.includes(date)) return false;
  return publishDays?.includes(weekdayOf(date)) ?? true;
}

/**
 * Yields the publish times of every local day from a date on, without end, days without publishing included, so that
 * these do not change the times of other days. Slots keep their order in a DST gap: each comes `APART_MS` after the one
 * before, or the distance on the clock when that is less.
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
      const local = isSimple ? day.start + ofDay : instantOf(day.date, time, timeZone).getTime();
      at = Math.max(local, at + apart);
      clock = chosen;
      yield { date: day.date, number: index + 1, at: new Date(at) };
    }
  }
}

/** The slot of a day by its number, or undefined when the day has no publishing or fewer slots. */
export function slotOf(date: string, number: number, timetable: Timetable): Slot | undefined {
  const { publishTimes } = timetable;
  if (!publishTimes[number - 1] || !isPublishDay(date, timetable)) return undefined;
  const index = GAP_DAYS * publishTimes.length + number - 1;
  const [slot] = timesFrom(dayAfter(date, -GAP_DAYS), timetable).drop(index);
  return slot;
}

/**
 * Yields all slots after an instant, soonest first, which is the order of their dates and numbers. It ends only after
 * `LOOK_AHEAD_DAYS` without a slot: then the timetable has no publish day.
 */
export function* slotsAfter(after: Date, timetable: Timetable): Generator<Slot> {
  if (timetable.publishTimes.length === 0) return;
  const today = localDateOf(after, timetable.timeZone);
  const before = after.getTime();
  let date = '';
  let isSkipped = false;
  let daysWithout = -GAP_DAYS - 2;
  for (const slot of timesFrom(dayAfter(today, -GAP_DAYS - 1), timetable)) {
    if (slot.date !== date) {
      date = slot.date;
      isSkipped = !isPublishDay(date, timetable);
      daysWithout += 1;
      if (daysWithout > LOOK_AHEAD_DAYS) return;
    }
    if (isSkipped || slot.at.getTime() <= before) continue;
    daysWithout = 0;
    yield slot;
  }
}

export function nextTimeOfDay(time: string, timeZone: string, after: Date): Date {
  const [next] = slotsAfter(after, { publishTimes: [time], timeZone }).take(1);
  return next!.at;
}

/** The latest instant up to `until` at which the local clock showed `time`. */
export function lastTimeOfDay(time: string, timeZone: string, until: Date): Date {
  // A local day lasts up to 25 hours, so the last two days have at least one.
  const from = new Date(until.getTime() - 2 * DAY_MS);
  const recent = slotsAfter(from, { publishTimes: [time], timeZone })
    .take(3)
    .toArray();
  return recent.findLast(({ at }) => at <= until)!.at;
}

export function slotsBetween(after: Date, until: Date, timetable: Timetable): Slot[] {
  const slots: Slot[] = [];
  for (const slot of slotsAfter(after, timetable)) {
    if (slot.at > until) break;
    slots.push(slot);
  }
  return slots;
}

/**
 * The slots of a scheduled run: those up to the next creation time, and for a run at a creation time at least as many as
 * a day has, across days without publishing.
 */
export function slotsOfRun(run: Date, timetable: Timetable & { contentCreationTime: string }): Slot[] {
  const { contentCreationTime: time, publishTimes, timeZone } = timetable;
  const slots = slotsBetween(run, nextTimeOfDay(time, timeZone, run), timetable);
  const isOnTime = lastTimeOfDay(time, timeZone, run).getTime() === run.getTime();
  if (!isOnTime || slots.length >= publishTimes.length) return slots;
  return slotsAfter(run, timetable).take(publishTimes.length).toArray();
}

export function lastDays(count: number, timeZone: string, now: Date): string[] {
  const today = Date.parse(localDateOf(now, timeZone));
  return Array.from({ length: count }, (_, nth) =>
    new Date(today - (count - 1 - nth) * DAY_MS).toISOString().slice(0, 10),
  );
}
