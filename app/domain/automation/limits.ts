/** As ISO 8601 numbers them, from 1. The check constraint of publish_days has the same. */
export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

/** Single dates to come on which nothing is published; `slotsAfter` counts on an end of them. */
export const DAYS_OFF_MAX = 60;
export const DAYS_OFF_AHEAD_YEARS = 2;
/** How many of the next publish times the settings show. */
export const NEXT_TIMES = 5;

/** A minute of the day as people write it, 9:15 or 0915 or 9.15, as HH:MM; anything else as it is. */
export const spellTime = (typed: string): string =>
  typed
    .trim()
    .replace(/^(\d{1,2})[:.]?(\d\d)$/, (_, hour: string, minute) => `${hour.padStart(2, '0')}:${minute}`);

/** What a form holds that it did not begin with. */
export const changedSince = <Held extends object>(begun: { [name in keyof Held]?: unknown }, held: Held) =>
  Object.fromEntries(
    Object.entries(held).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(begun[name as keyof Held]),
    ),
  ) as Partial<Held>;
