const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MOST_ZONES = 500;
const MOST_SAID = 5_000;

/** Making a formatter costs far more than using it, so there is one for each zone. */
function formatterOf(locale: string, options: Intl.DateTimeFormatOptions) {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (timeZone: string): Intl.DateTimeFormat => {
    const known = made.get(timeZone);
    if (known) return known;
    // Zones are spelled as users choose, so their number has no other bound.
    if (made.size >= MOST_ZONES) made.clear();
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    made.set(timeZone, format);
    return format;
  };
}

/** What an instant is in a zone is kept: a page says a slot again and again, and so do all people with the same slots. */
function inZone(locale: string, options: Intl.DateTimeFormatOptions) {
  const formatter = formatterOf(locale, options);
  const zones = new Map<string, Map<number, string>>();
  let said = 0;
  return (at: Date, timeZone: string): string => {
    const instant = at.getTime();
    const known = zones.get(timeZone)?.get(instant);
    if (known !== undefined) return known;
    if (said >= MOST_SAID) zones.clear();
    said = zones.size === 0 ? 1 : said + 1;
    const words = formatter(timeZone).format(at);
    zones.set(timeZone, (zones.get(timeZone) ?? new Map<number, string>()).set(instant, words));
    return words;
  };
}

/** "Tue, Nov 24, 09:00" in the user's zone. */
export const formatInstant = inZone('en-US', {
  weekday: 'short',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** "Jan 05, 2025" in the user's zone. */
export const formatDate = inZone('en-US', { month: 'short', day: '2-digit', year: 'numeric' });

/** "Jan 05, 2025, 14:03" in the user's zone. */
export const formatMinute = inZone('en-US', {
  month: 'short',
  day: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** "09:00" in the user's zone. */
export const formatTime = inZone('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

const formatDay = inZone('en-US', { weekday: 'short', month: 'short', day: '2-digit' });
const formatFarDay = inZone('en-US', { weekday: 'short', month: 'short', day: '2-digit', year: 'numeric' });

/** A local day beside another one: "Today", "Tomorrow", "Tue, Nov 24". */
export function nameDay(day: string, today: string): string {
  const date = new Date(day);
  const near = ['Yesterday', 'Today', 'Tomorrow'][(date.getTime() - Date.parse(today)) / DAY_MS + 1];
  return near ?? (day.slice(0, 4) === today.slice(0, 4) ? formatDay : formatFarDay)(date, 'UTC');
}

/** Whose clock the times of a page are of: "Times in Asia/Kolkata". */
export const formatTimeZone = (timeZone: string) => `Times in ${timeZone.replaceAll('_', ' ')}`;

/** "Tue, Nov 24, 09:00 (Asia/Kolkata)": in a mail, which no page around it says the zone of. */
export const formatInMail = (at: Date, timeZone: string) =>
  `${formatInstant(at, timeZone)} (${timeZone.replaceAll('_', ' ')})`;

/** How long it is until an instant: "in 12 min", "in 15 h", "in 3 days". */
export function formatUntil(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime();
  if (ms < HOUR_MS) return `in ${Math.max(1, Math.round(ms / MINUTE_MS))} min`;
  if (ms < 2 * DAY_MS) return `in ${Math.round(ms / HOUR_MS)} h`;
  return `in ${Math.round(ms / DAY_MS)} days`;
}
