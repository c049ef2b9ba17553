const DAY_MS = 86_400_000;

/** One calendar month later in a time zone, at the same local time; on the last day of a shorter month. */
export function addMonth(from: Date, timeZone: string): Date {
  const later = Temporal.Instant.fromEpochMilliseconds(from.getTime())
    .toZonedDateTimeISO(timeZone)
    .add({ months: 1 }, { overflow: 'constrain' });
  return new Date(later.epochMilliseconds);
}

/** Rounded up. */
export const daysOf = (ms: number) => Math.ceil(ms / DAY_MS);

type Period = { startsAt: Date; endsAt: Date };

/** The days of a period and how many remain, rounded up. */
export function countDays({ startsAt, endsAt }: Period, now: Date): { total: number; remaining: number } {
  const total = Math.max(1, Math.round((endsAt.getTime() - startsAt.getTime()) / DAY_MS));
  const remaining = daysOf(endsAt.getTime() - now.getTime());
  return { total, remaining: Math.min(total, Math.max(0, remaining)) };
}
