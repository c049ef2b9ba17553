const DAY_MS = 86_400_000;

/** One calendar month of a zone later, on the same day and time there, on the month's last day where there is none. */
export function addMonth(from: Date, timeZone: string): Date {
  const later = Temporal.Instant.fromEpochMilliseconds(from.getTime())
    .toZonedDateTimeISO(timeZone)
    .add({ months: 1 }, { overflow: 'constrain' });
  return new Date(later.epochMilliseconds);
}

/** Days, where one that has begun counts whole. */
export const daysOf = (ms: number) => Math.ceil(ms / DAY_MS);

type Period = { startsAt: Date; endsAt: Date };

/** Days of a period, and how many of them remain; a day that has begun counts whole. */
export function countDays({ startsAt, endsAt }: Period, now: Date): { total: number; remaining: number } {
  const total = Math.max(1, Math.round((endsAt.getTime() - startsAt.getTime()) / DAY_MS));
  const remaining = daysOf(endsAt.getTime() - now.getTime());
  return { total, remaining: Math.min(total, Math.max(0, remaining)) };
}
