import { cx } from '#app/ui/class-names.ts';
import { inOnePiece, type Markup, markup } from '#app/ui/markup.ts';
import type { CalendarEntry } from './calendar-entry.ts';
import { FILL } from './calendar-form.ts';
import { DRAWINGS, MARK_WORDS, markOf } from './calendar-marks.tsx';
import { type CalendarSpan, MONTHS, weekOf } from './calendar-span.ts';

export type CalendarDay = {
  date: string;
  /** Why it has no open slots. */
  note: string | null;
  /** It is one of many without a plan: the first of them says so. */
  isSame: boolean;
  entries: CalendarEntry[];
  /** How many entries it has besides. */
  more: number;
};
type Shown = { span: CalendarSpan; today: string };

const HOOK_NAMED = 40;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const HEAD = markup`<ol aria-hidden="true" class="cal-head">${WEEKDAYS.map((name) => markup`<li>${name}</li>`)}</ol>`;

/** The days of a calendar. */
export function calendarOf(days: CalendarDay[], shown: Shown): string {
  let week = '';
  const all = days.map((day, n) => {
    if (n % 7 === 0) week = weekOf(day.date);
    return dayOf(day, WEEKDAYS[n % 7]!, week, shown);
  });
  return inOnePiece(
    markup`${DRAWINGS}${HEAD}<ol aria-label="${shown.span.title}" class="cal-days">${all}</ol>`,
  );
}

/** One day: its heading, what stands at its times, and how much more there is. */
function dayOf(day: CalendarDay, weekday: string, week: string, { span, today }: Shown): Markup {
  const { date, note, isSame, entries, more } = day;
  const isToday = date === today;
  const [name, number] = [MONTHS[Number(date.slice(5, 7)) - 1]!.slice(0, 3), Number(date.slice(8))];
  const look = cx(
    'cal-day',
    isToday && 'is-today',
    span.month !== null && !date.startsWith(span.month) && 'is-outside',
    note && 'is-off',
    isSame && !isToday && 'is-same',
    entries.length === 0 && note !== 'Day off' && !isToday && 'is-bare',
    !note && !isToday && entries.every(({ state }) => state === 'missed') && 'is-empty',
  );
  const rows = entries.map((entry) => (entry.hook === undefined ? free(entry) : post(entry, span.search)));
  return markup`<li id="day-${date}" data-name="${weekday}, ${name} ${number}" class="${look}">${[
    headingOf({ weekday, name, number, isToday, note }),
    rows.length > 0 ? markup`<ul>${rows}</ul>` : NOTHING,
    more > 0 ? moreOf(date, week, more) : NOTHING,
  ]}</li>`;
}

const NOTHING = markup``;

const moreOf = (date: string, week: string, more: number): Markup =>
  markup`<a href="?view=week&amp;week=${week}#day-${date}" class="cal-more">+${more} more</a>`;

type Heading = { weekday: string; name: string; number: number; isToday: boolean; note: string | null };

/** The date in full; where the columns say the rest, only its number shows. */
function headingOf({ weekday, name, number, isToday, note }: Heading): Markup {
  const more = [
    isToday ? markup`<span class="cal-today"> Today</span>` : NOTHING,
    note ? markup`<small> ${note}</small>` : NOTHING,
  ];
  return markup`<h3 class="cal-date"><span>${weekday}, ${name} </span><b>${number}</b>${more}</h3>`;
}

/** A time without a post. */
function free({ key, time, state, slot }: CalendarEntry): Markup {
  const what = markup`${markOf(state)}<time>${time}</time> <span class="cal-hook">${MARK_WORDS[state]}</span>`;
  if (slot === undefined)
    return markup`<li class="cal-entry is-${state}"><span class="cal-link">${what}</span></li>`;
  const button = markup`<button form="${FILL}" name="slot" value="${key}" class="cal-link">${what} <span class="cal-fill">Fill it</span></button>`;
  return markup`<li class="cal-entry is-open" data-slot="${slot}">${button}</li>`;
}

/** A post: its name leads to it, and beside it is where it can be moved. */
function post({ key, time, state, slot, hook = '', canMove }: CalendarEntry, search: string): Markup {
  const at = slot === undefined ? NOTHING : markup` data-slot="${slot}"`;
  const move = canMove ? moveOf(key, hook, search) : NOTHING;
  // In one piece: there are hundreds of them.
  return markup`<li id="post-${key}" class="cal-entry is-${state}"${at}><a href="/app/posts/${key}" class="cal-link">${markOf(state)}<time>${time}</time> <span class="cal-hook">${hook}</span><span class="cal-state">${MARK_WORDS[state]}</span></a>${move}</li>`;
}

const moveOf = (key: string, hook: string, search: string): Markup =>
  markup`<a href="?${search}&amp;move=${key}" aria-label="Move to… “${hook.slice(0, HOOK_NAMED)}”" class="cal-move"></a>`;
