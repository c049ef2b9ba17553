import { cx } from '#app/ui/class-names.ts';
import type { CalendarEntry } from './calendar-entry.ts';
import type { CalendarDay as DayData } from './calendar-load.ts';
import { MARK_WORDS, Mark } from './calendar-marks.tsx';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const HOOK_NAMED = 40;
/** The form whose buttons stand at the open slots. */
export const FILL = 'fill-slot';

type DayProps = {
  day: DayData;
  today: string;
  weekday: string;
  /** Its week, and the parameters of the page. */
  week: string;
  search: string;
  /** The month that is shown. */
  month: string | null;
};

/** One day: its heading, what stands at its times, and how much more there is. */
export function CalendarDay({ day, today, weekday, week, search, month }: DayProps) {
  const { date, note, isSame, entries, more } = day;
  const isToday = date === today;
  const isOutside = month !== null && !date.startsWith(month);
  const name = `${weekday}, ${MONTHS[Number(date.slice(5, 7)) - 1]} ${Number(date.slice(8))}`;
  return (
    <li
      id={`day-${date}`}
      data-name={name}
      className={cx(
        'cal-day',
        isToday && 'is-today',
        date < today && 'is-past',
        isOutside && 'is-outside',
        note && 'is-off',
        isSame && entries.length === 0 && !isToday && 'is-same',
        entries.length === 0 && note !== 'Day off' && !isToday && 'is-bare',
      )}
    >
      <Heading {...{ date, weekday, isToday, note }} />
      {entries.length > 0 && (
        <ul>
          {entries.map((entry) =>
            entry.hook === null ? (
              <Free key={entry.key} entry={entry} />
            ) : (
              <Post key={entry.key} entry={entry} hook={entry.hook} search={search} />
            ),
          )}
        </ul>
      )}
      {more > 0 && (
        <a href={`?view=week&week=${week}#day-${date}`} className="cal-more">
          +{more} more
        </a>
      )}
    </li>
  );
}

type HeadingProps = Pick<DayData, 'date' | 'note'> & { weekday: string; isToday: boolean };

/** The date in full; where the columns say the rest, only its number shows. */
const Heading = ({ date, weekday, isToday, note }: HeadingProps) => (
  <h3 className="cal-date">
    <span className="cal-weekday">{weekday} </span>
    <b>{Number(date.slice(8))}</b>
    <span className="cal-name"> {MONTHS[Number(date.slice(5, 7)) - 1]}</span>
    {isToday && <span className="cal-today"> Today</span>}
    {note && <small> {note}</small>}
  </h3>
);

/** A time without a post. */
function Free({ entry: { key, time, state, slot } }: { entry: CalendarEntry }) {
  if (state === 'open')
    return (
      <li data-slot={slot ?? undefined} className="cal-entry is-open">
        <button type="submit" form={FILL} name="slot" value={key} className="cal-link">
          <Mark name="open" />
          <time>{time}</time> <span className="cal-hook">open</span> <span className="cal-fill">Fill it</span>
        </button>
      </li>
    );
  return (
    <li className={`cal-entry is-${state}`}>
      <span className="cal-link">
        <Mark name={state} />
        <time>{time}</time> <span className="cal-hook">{MARK_WORDS[state]}</span>
      </span>
    </li>
  );
}

type PostProps = { entry: CalendarEntry; hook: string; search: string };

/** A post: its name leads to it, and beside it is where it can be moved. */
function Post({ entry: { key, time, state, slot, canMove }, hook, search }: PostProps) {
  return (
    <li
      id={`post-${key}`}
      data-post={canMove ? key : undefined}
      data-slot={slot ?? undefined}
      className={`cal-entry is-${state}`}
    >
      <a href={`/app/posts/${key}`} className="cal-link">
        <Mark name={state} />
        <time>{time}</time> <span className="cal-hook">{hook}</span>
        <span className="cal-state">{MARK_WORDS[state]}</span>
      </a>
      {canMove && (
        <a
          href={`?${search}&move=${key}`}
          aria-label={`Move to… “${hook.slice(0, HOOK_NAMED)}”`}
          className="cal-move"
        >
          <Mark name="move" />
          <span>Move to…</span>
        </a>
      )}
    </li>
  );
}
