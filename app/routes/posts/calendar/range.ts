/** Valid values in URLs: the years 2000 to 2999. */
const MONTH = /^2\d{3}-(?:0[1-9]|1[0-2])$/;
const WEEK = /^2\d{3}-W(?:0[1-9]|[1-4]\d|5[0-3])$/;

export const MONTHS =
  'January February March April May June July August September October November December'.split(' ');

const nameMonth = ({ month, year }: Temporal.PlainDate) => `${MONTHS[month - 1]} ${year}`;
const nameDate = ({ month, day }: Temporal.PlainDate) => `${MONTHS[month - 1]!.slice(0, 3)} ${day}`;
const mondayOf = (date: Temporal.PlainDate) => date.subtract({ days: date.dayOfWeek - 1 });
const monthOf = (date: Temporal.PlainDate) => date.toPlainYearMonth().toString();

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

/** The Monday of a week; undefined for week 53 of a year that has none. */
function firstOfWeek(value: string): Temporal.PlainDate | undefined {
  const [year, week] = value.split('-W');
  const monday = mondayOf(Temporal.PlainDate.from(`${year}-01-04`)).add({ weeks: Number(week) - 1 });
  return weekOf(monday) === value ? monday : undefined;
}

/** "Nov 23 – 29, 2026", "Nov 30 – Dec 6, 2026". */
function nameWeek(monday: Temporal.PlainDate): string {
  const sunday = monday.add({ days: 6 });
  const end = monday.month === sunday.month ? `${sunday.day}` : nameDate(sunday);
  const year = monday.year === sunday.year ? '' : `, ${monday.year}`;
  return `${nameDate(monday)}${year} – ${end}, ${sunday.year}`;
}

const VIEWS = {
  month: {
    pattern: MONTH,
    period: { months: 1 },
    keyOf: monthOf,
    firstOf: (value: string) => Temporal.PlainDate.from(`${value}-01`),
    current: (today: Temporal.PlainDate) => today.with({ day: 1 }),
    name: nameMonth,
  },
  week: {
    pattern: WEEK,
    period: { weeks: 1 },
    keyOf: weekOf,
    firstOf: firstOfWeek,
    current: mondayOf,
    name: nameWeek,
  },
};
type View = keyof typeof VIEWS;

/** The days that a calendar shows, and the links around it. Weeks begin on Monday. */
function spanFor(view: View, requested: string | null, today: Temporal.PlainDate) {
  const { pattern, period, keyOf, firstOf, current, name } = VIEWS[view];
  const first = (requested && firstOf(requested)) || current(today);
  const after = first.add(period);
  const monday = mondayOf(first);
  const isNow = first.equals(current(today));
  const searchOf = (date: Temporal.PlainDate) => `view=${view}&${view}=${keyOf(date)}`;
  const stepTo = (date: Temporal.PlainDate) =>
    pattern.test(keyOf(date)) ? { search: searchOf(date), label: name(date) } : null;
  const anchor = isNow ? today : first;
  return {
    view,
    title: name(first),
    search: searchOf(first),
    /** Its first day, a Monday, and the number of days. */
    first: monday.toString(),
    count: Math.ceil(monday.until(after).days / 7) * 7,
    /** The month of a month view, which also shows days of the months around it. */
    month: view === 'month' ? monthOf(first) : null,
    previous: stepTo(first.subtract(period)),
    next: stepTo(after),
    today: searchOf(today),
    isNow,
    /** The week and month for the links to the other view: those of today if it is included. */
    beside: { week: weekOf(anchor), month: monthOf(anchor) },
  };
}

type CalendarSpan = ReturnType<typeof spanFor>;

const CACHE_MAX = 512;
/** Keyed by the request and the current date: many users look at the same month. */
const cachedSpans = new Map<string, CalendarSpan>();

/** The month or week in the URL, by default the current one; null for the list. */
export function spanIn(query: URLSearchParams, localDate: string): CalendarSpan | null {
  const view = query.get('view');
  if (view !== 'month' && view !== 'week') return null;
  const value = query.get(view);
  const requested = value && VIEWS[view].pattern.test(value) ? value : null;
  const key = [view, requested, localDate].join();
  const span = cachedSpans.get(key) ?? spanFor(view, requested, Temporal.PlainDate.from(localDate));
  if (cachedSpans.size >= CACHE_MAX) cachedSpans.clear();
  cachedSpans.set(key, span);
  return span;
}
