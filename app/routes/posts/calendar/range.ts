/** The days that a calendar shows, and the links around it. Weeks begin on Monday. */
export type CalendarSpan = {
  view: 'month' | 'week';
  title: string;
  /** The query string of its URL. */
  search: string;
  /** Its first day, a Monday, and the number of days. */
  first: string;
  count: number;
  /** The month of a month view, which also shows days of the months around it. */
  month: string | null;
  previous: Step | null;
  next: Step | null;
  today: string;
  /** Whether it includes today. */
  isNow: boolean;
  /** The week and month for the links to the other view: those of today if it is included. */
  beside: { week: string; month: string };
};
type Step = { search: string; label: string };

/** Valid values in URLs: the years 2000 to 2999. */
const MONTH = /^2\d{3}-(?:0[1-9]|1[0-2])$/;
const WEEK = /^(2\d{3})-W(0[1-9]|[1-4]\d|5[0-3])$/;

export const MONTHS =
  'January February March April May June July August September October November December'.split(' ');

const nameMonth = ({ month, year }: Temporal.PlainDate) => `${MONTHS[month - 1]} ${year}`;
const nameDate = ({ month, day }: Temporal.PlainDate) => `${MONTHS[month - 1]!.slice(0, 3)} ${day}`;
const mondayOf = (date: Temporal.PlainDate) => date.subtract({ days: date.dayOfWeek - 1 });

const DAY_MS = 86_400_000;

/** The ISO week of a date, which belongs to the year of its Thursday. */
export function weekOf(date: Temporal.PlainDate | string): string {
  const day = Date.parse(String(date)) / DAY_MS;
  // The first day of 1970 was a Thursday.
  const thursday = day + 3 - ((day + 3) % 7);
  const year = new Date(thursday * DAY_MS).getUTCFullYear();
  const week = Math.floor((thursday - Date.UTC(year, 0, 1) / DAY_MS) / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}
const monthSearch = (date: Temporal.PlainDate) => `view=month&month=${date.toPlainYearMonth()}`;
const weekSearch = (date: Temporal.PlainDate) => `view=week&week=${weekOf(date)}`;

const monthIn = (value: string | null) =>
  value === null ? undefined : Temporal.PlainDate.from(`${value}-01`);

/** The Monday of a week; undefined for week 53 of a year that has none. */
function weekIn(value: string | null): Temporal.PlainDate | undefined {
  const [, year, week] = (value && WEEK.exec(value)) || [];
  if (!year || !week) return undefined;
  const monday = mondayOf(Temporal.PlainDate.from(`${year}-01-04`)).add({ weeks: Number(week) - 1 });
  return weekOf(monday) === value ? monday : undefined;
}

const hasMonth = (date: Temporal.PlainDate) => MONTH.test(date.toPlainYearMonth().toString());
const stepTo = (exists: boolean, search: string, label: string) => (exists ? { search, label } : null);

const besideOf = (date: Temporal.PlainDate) => ({
  week: weekOf(date),
  month: date.toPlainYearMonth().toString(),
});

function monthSpan(first: Temporal.PlainDate, today: Temporal.PlainDate): CalendarSpan {
  const [before, after] = [first.subtract({ months: 1 }), first.add({ months: 1 })];
  const monday = mondayOf(first);
  const days = monday.until(after).days;
  const isNow = first.toPlainYearMonth().equals(today.toPlainYearMonth());
  return {
    view: 'month',
    title: nameMonth(first),
    search: monthSearch(first),
    first: monday.toString(),
    count: Math.ceil(days / 7) * 7,
    month: first.toPlainYearMonth().toString(),
    previous: stepTo(hasMonth(before), monthSearch(before), nameMonth(before)),
    next: stepTo(hasMonth(after), monthSearch(after), nameMonth(after)),
    today: monthSearch(today),
    isNow,
    beside: besideOf(isNow ? today : first),
  };
}

/** "Nov 23 – 29, 2026", "Nov 30 – Dec 6, 2026". */
function nameWeek(monday: Temporal.PlainDate): string {
  const sunday = monday.add({ days: 6 });
  const end = monday.month === sunday.month ? `${sunday.day}` : nameDate(sunday);
  const year = monday.year === sunday.year ? '' : `, ${monday.year}`;
  return `${nameDate(monday)}${year} – ${end}, ${sunday.year}`;
}

function weekSpan(monday: Temporal.PlainDate, today: Temporal.PlainDate): CalendarSpan {
  const [before, after] = [monday.subtract({ weeks: 1 }), monday.add({ weeks: 1 })];
  const isNow = monday.equals(mondayOf(today));
  return {
    view: 'week',
    title: nameWeek(monday),
    search: weekSearch(monday),
    first: monday.toString(),
    count: 7,
    month: null,
    previous: stepTo(WEEK.test(weekOf(before)), weekSearch(before), nameWeek(before)),
    next: stepTo(WEEK.test(weekOf(after)), weekSearch(after), nameWeek(after)),
    today: weekSearch(today),
    isNow,
    beside: besideOf(isNow ? today : monday),
  };
}

const CACHE_MAX = 512;
/** Keyed by the request and the current date: many users look at the same month. */
const cachedRanges = new Map<string, CalendarSpan>();

/** The month or week in the URL, by default the current one; null for the list. */
export function spanIn(query: URLSearchParams, localDate: string): CalendarSpan | null {
  const view = query.get('view');
  if (view !== 'month' && view !== 'week') return null;
  const named = query.get(view);
  const requested = named && (view === 'month' ? MONTH : WEEK).test(named) ? named : null;
  const key = [view, requested, localDate].join();
  const span = cachedRanges.get(key) ?? makeSpan(view, requested, Temporal.PlainDate.from(localDate));
  if (cachedRanges.size >= CACHE_MAX) cachedRanges.clear();
  cachedRanges.set(key, span);
  return span;
}

const makeSpan = (
  view: 'month' | 'week',
  requested: string | null,
  today: Temporal.PlainDate,
): CalendarSpan =>
  view === 'month'
    ? monthSpan(monthIn(requested) ?? today.with({ day: 1 }), today)
    : weekSpan(weekIn(requested) ?? mondayOf(today), today);
