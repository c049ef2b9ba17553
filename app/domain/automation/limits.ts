/** In the order of ISO 8601. Also in the check constraint of publish_days. */
export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

/** Future dates without publishing. `slotsAfter` relies on this limit. */
export const DAYS_OFF_MAX = 60;
export const DAYS_OFF_AHEAD_YEARS = 2;
export const NEXT_TIMES = 5;

/** Returns "9:15", "0915" or "9.15" as HH:MM, and anything else unchanged. */
export const spellTime = (input: string): string =>
  input
    .trim()
    .replace(/^(\d{1,2})[:.]?(\d\d)$/, (_, hour: string, minute) => `${hour.padStart(2, '0')}:${minute}`);

export const changedSince = <Fields extends object>(
  initial: { [name in keyof Fields]?: unknown },
  fields: Fields,
) =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(initial[name as keyof Fields]),
    ),
  ) as Partial<Fields>;
