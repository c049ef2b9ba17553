/**
 * The one place where local times become instants. A time inside a DST gap moves forward by the length of
 * the gap, an ambiguous one is its first occurrence (Temporal's `compatible`).
 */

/** One publish time of one local day. `number` counts from 1 in the order of the day. */
export type Slot = { date: string; number: number; at: Date };

export type Timetable = { publishTimes: string[]; timeZone: string };

/** The instant of a local date (YYYY-MM-DD) and time of day (HH:MM) in an IANA zone. */
export function instantOf(date: string, time: string, timeZone: string): Date {
  const local = Temporal.PlainDate.from(date).toPlainDateTime(Temporal.PlainTime.from(time));
  const zoned = local.toZonedDateTime(timeZone, { disambiguation: 'compatible' });
  return new Date(zoned.epochMilliseconds);
}

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

const startOf = (day: Temporal.PlainDate, timeZone: string) =>
  new Date(day.toZonedDateTime(timeZone).epochMilliseconds);

/** The first and the following instant of the local day that `at` lies in. */
export function localDayOf(at: Date, timeZone: string): { start: Date; end: Date } {
  const day = zonedAt(at, timeZone).toPlainDate();
  return { start: startOf(day, timeZone), end: startOf(day.add({ days: 1 }), timeZone) };
}

/** The slot of a day by its number, or undefined when the day has fewer. */
export function slotOf(
  date: string,
  number: number,
  { publishTimes, timeZone }: Timetable,
): Slot | undefined {
  const time = publishTimes[number - 1];
  return time ? { date, number, at: instantOf(date, time, timeZone) } : undefined;
}

/** All slots after an instant, soonest first, without end. */
export function* slotsAfter(after: Date, timetable: Timetable): Generator<Slot> {
  const today = Temporal.PlainDate.from(localDateOf(after, timetable.timeZone));
  let waiting: Slot[] = [];
  // A gap at midnight can push a late slot of one day past `after`, and past the first ones of the next day.
  for (let day = today.subtract({ days: 1 }); ; day = day.add({ days: 1 })) {
    const slots = timetable.publishTimes.map((_, index) => slotOf(day.toString(), index + 1, timetable)!);
    const end = startOf(day.add({ days: 1 }), timetable.timeZone);
    waiting = [...waiting, ...slots].sort((a, b) => a.at.getTime() - b.at.getTime());
    yield* waiting.filter(({ at }) => at > after && at < end);
    waiting = waiting.filter(({ at }) => at >= end);
  }
}

/** The next time the local clock shows `time` after an instant. */
export function nextTimeOfDay(time: string, timeZone: string, after: Date): Date {
  const [next] = slotsAfter(after, { publishTimes: [time], timeZone }).take(1);
  return next!.at;
}
