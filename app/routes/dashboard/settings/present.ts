import { NEXT_TIMES } from '#app/domain/automation/limits.ts';
import type { Settings } from '#app/domain/automation/settings.ts';
import { localDateOf, slotsAfter } from '#app/domain/automation/slots.ts';
import { formatInstant, formatTimeZone, nameDay } from '#app/domain/platform/dates.ts';

/** The next publish times, and their time zone or why there are none. */
export type NextTimes = { times: string[]; note: string };

export function presentNext(settings: Settings, now: Date): NextTimes {
  const { enabled, timeZone } = settings;
  const times = slotsAfter(now, settings)
    .take(NEXT_TIMES)
    .map(({ at }) => formatInstant(at, timeZone))
    .toArray();
  const zone = formatTimeZone(timeZone);
  return { times, note: enabled ? `${zone}.` : `${zone}. They count once you switch automation on.` };
}

export type DayOff = { day: string; label: string };

export function presentSettings(settings: Settings, now: Date) {
  const today = localDateOf(now, settings.timeZone);
  const namedDaysOff: DayOff[] = settings.daysOff.map((day) => ({ day, label: nameDay(day, today) }));
  return { ...settings, namedDaysOff };
}
