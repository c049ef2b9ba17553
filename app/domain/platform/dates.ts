const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MAX_ZONES = 500;
const MAX_FORMATTED = 5_000;

/** Creating a formatter costs far more than using it, so there is one for each zone. */
function formatterFor(locale: string, options: Intl.DateTimeFormatOptions) {
  const formatters = new Map<string, Intl.DateTimeFormat>();
  return (timeZone: string): Intl.DateTimeFormat => {
    const cached = formatters.get(timeZone);
    if (cached) return cached;
    // Users choose the spelling of zones, so nothing else bounds their number.
    if (formatters.size >= MAX_ZONES) formatters.clear();
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    formatters.set(timeZone, format);
    return format;
  };
}

/** Formatted instants are cached: a page repeats a slot, and many users have the same slots. */
function zonedFormat(locale: string, options: Intl.DateTimeFormatOptions) {
  const formatter = formatterFor(locale, options);
  const zones = new Map<string, Map<number, string>>();
  let formattedCount = 0;
  return (at: Date, timeZone: string): string => {
    const instant = at.getTime();
    const cached = zones.get(timeZone)?.get(instant);
    if (cached !== undefined) return cached;
    if (formattedCount >= MAX_FORMATTED) zones.clear();
    formattedCount = zones.size === 0 ? 1 : formattedCount + 1;
    const text = formatter(timeZone).format(at);
    zones.set(timeZone, (zones.get(timeZone) ?? new Map<number, string>()).set(instant, text));
    return text;
  };
}

/** "Tue, Nov 24, 09:00" in the user's zone. */
export const formatInstant = zonedFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** "Jan 05, 2025" in the user's zone. */
export const formatDate = zonedFormat('en-US', { month: 'short', day: '2-digit', year: 'numeric' });

/** "Jan 05, 2025, 14:03" in the user's zone. */
export const formatMinute = zonedFormat('en-US', {
  month: 'short',
  day: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** An instant as a `<Time>` takes it. */
export const presentTime = (at: Date, timeZone: string) => ({
  iso: at.toISOString(),
  text: formatMinute(at, timeZone),
});

/** "09:00" in the user's zone. */
export const formatTime = zonedFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

const formatDay = zonedFormat('en-US', { weekday: 'short', month: 'short', day: '2-digit' });
const formatFarDay = zonedFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: '2-digit',
  year: 'numeric',
});

/** A local day relative to another one: "Today", "Tomorrow", "Tue, Nov 24". */
export function nameDay(day: string, today: string): string {
  const date = new Date(day);
  const near = ['Yesterday', 'Today', 'Tomorrow'][(date.getTime() - Date.parse(today)) / DAY_MS + 1];
  return near ?? (day.slice(0, 4) === today.slice(0, 4) ? formatDay : formatFarDay)(date, 'UTC');
}

/** "Times in Asia/Kolkata". */
export const formatTimeZone = (timeZone: string) => `Times in ${timeZone.replaceAll('_', ' ')}`;

/** "Tue, Nov 24, 09:00 (Asia/Kolkata)": no page around a mail names the zone. */
export const formatInMail = (at: Date, timeZone: string) =>
  `${formatInstant(at, timeZone)} (${timeZone.replaceAll('_', ' ')})`;

/** "in 12 min", "in 15 h", "in 3 days". */
export function formatUntil(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime();
  if (ms < HOUR_MS) return `in ${Math.max(1, Math.round(ms / MINUTE_MS))} min`;
  if (ms < 2 * DAY_MS) return `in ${Math.round(ms / HOUR_MS)} h`;
  return `in ${Math.round(ms / DAY_MS)} days`;
}
