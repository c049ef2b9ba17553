/** The days that a calendar shows, and the addresses around it. Weeks begin on Monday. */
export type CalendarSpan = {
  view: 'month' | 'week';
  title: string;
  /** The parameters of its address. */
  search: string;
  /** Its first day, a Monday, and how many follow. */
  first: string;
  count: number;
  /** The month that is shown; days of others stand beside it. */
  month: string | null;
  previous: Step | null;
  next: Step | null;
  today: string;
  /** The day that is today lies in it. */
  isNow: boolean;
  /** The week and the month of its first days, or of today. */
  beside: { week: string; month: string };
};
type Step = { search: string; label: string };

/** What addresses may name: the years 2000 to 2999. */
const MONTH = /^2\d{3}-(?:0[1-9]|1[0-2])$/;
const WEEK = /^(2\d{3})-W(0[1-9]|[1-4]\d|5[0-3])$/;

export const MONTHS =
  'January February March April May June July August September October November December'.split(' ');

const nameMonth = ({ month, year }: Temporal.PlainDate) => `${MONTHS[month - 1]} ${year}`;
const nameDate = ({ month, day }: Temporal.PlainDate) => `${MONTHS[month - 1]!.slice(0, 3)} ${day}`;
const mondayOf = (date: Temporal.PlainDate) => date.subtract({ days: date.dayOfWeek - 1 });

const DAY_MS = 86_400_000;

/** The week of a date, of the year in which its Thursday lies. */
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

/** The first day of the month that an address names; undefined when it names none. */
function monthIn(value: string | null): Temporal.PlainDate | undefined {
  return value && MONTH.test(value) ? Temporal.PlainDate.from(`${value}-01`) : undefined;
}

/** The Monday of the week that an address names; undefined when it names none, as some years have no week 53. */
function weekIn(value: string | null): Temporal.PlainDate | undefined {
  const [, year, week] = (value && WEEK.exec(value)) || [];
  if (!year || !week) return undefined;
  const monday = mondayOf(Temporal.PlainDate.from(`${year}-01-04`)).add({ weeks: Number(week) - 1 });
  return weekOf(monday) === value ? monday : undefined;
}

const hasMonth = (date: Temporal.PlainDate) => MONTH.test(date.toPlainYearMonth().toString());
const stepTo = (isThere: boolean, search: string, label: string) => (isThere ? { search, label } : null);

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

const MOST_KNOWN = 512;
/** By what is asked for and the day on which: thousands of people look at the same month. */
const cachedRanges = new Map<string, CalendarSpan>();

/** What an address asks for, else the present month or week; null for the list. */
export function spanIn(query: URLSearchParams, localDate: string): CalendarSpan | null {
  const view = query.get('view');
  if (view !== 'month' && view !== 'week') return null;
  const named = query.get(view);
  const asked = named && (view === 'month' ? MONTH : WEEK).test(named) ? named : null;
  const key = [view, asked, localDate].join();
  const span = cachedRanges.get(key) ?? makeSpan(view, asked, Temporal.PlainDate.from(localDate));
  if (cachedRanges.size >= MOST_KNOWN) cachedRanges.clear();
  cachedRanges.set(key, span);
  return span;
}

const makeSpan = (view: 'month' | 'week', asked: string | null, today: Temporal.PlainDate): CalendarSpan =>
  view === 'month'
    ? monthSpan(monthIn(asked) ?? today.with({ day: 1 }), today)
    : weekSpan(weekIn(asked) ?? mondayOf(today), today);
