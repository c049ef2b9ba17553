import { cx } from '#app/ui/cx.ts';
import type { CalendarPost, CalendarSlot } from './entry.ts';
import { MARK_LABELS, Mark } from './icons.tsx';
import type { CalendarDay } from './load.ts';
import { MONTHS, weekOf } from './range.ts';

/** The form of the "Fill it" buttons in the open slots. */
export const FILL = 'fill-slot';

const NAMED_LENGTH = 40;

type DayProps = {
  day: CalendarDay;
  weekday: string;
  isToday: boolean;
  /** The day belongs to the month before or after the one that is shown. */
  isOutside: boolean;
  search: string;
};

export function Day({ day, weekday, isToday, isOutside, search }: DayProps) {
  const { date, note, isSame, entries, more } = day;
  const [month, number] = [MONTHS[Number(date.slice(5, 7)) - 1]!.slice(0, 3), Number(date.slice(8))];
  const className = cx(
    'cal-day',
    isToday && 'is-today',
    isOutside && 'is-outside',
    note && 'is-off',
    isSame && !isToday && 'is-same',
    entries.length === 0 && note !== 'Day off' && !isToday && 'is-bare',
    !note && !isToday && entries.every(({ state }) => state === 'missed') && 'is-empty',
  );
  return (
    <li id={`day-${date}`} data-name={`${weekday}, ${month} ${number}`} className={className}>
      {/* The full date. In the layout with columns, CSS hides all but the number. */}
      <h3 className="cal-date">
        <span>{`${weekday}, ${month} `}</span>
        <b>{number}</b>
        {isToday && <span className="cal-today"> Today</span>}
        {note && <small>{` ${note}`}</small>}
      </h3>
      {entries.length > 0 && (
        <ul>
          {entries.map((entry) =>
            'id' in entry ? (
              <Post key={entry.id} post={entry} search={search} />
            ) : (
              <Slot key={entry.slot} slot={entry} />
            ),
          )}
        </ul>
      )}
      {more > 0 && (
        <a href={`?view=week&week=${weekOf(date)}#day-${date}`} className="cal-more">
          {`+${more} more`}
        </a>
      )}
    </li>
  );
}

function Post({ post, search }: { post: CalendarPost; search: string }) {
  const { id, time, state, hook, slot, canMove } = post;
  return (
    <li id={`post-${id}`} className={`cal-entry is-${state}`} data-slot={slot ?? undefined}>
      <a href={`/app/posts/${id}`} className="cal-link">
        <Mark state={state} />
        <time>{time}</time> <span className="cal-hook">{hook}</span>
        <span className="cal-state">{MARK_LABELS[state]}</span>
      </a>
      {canMove && (
        // biome-ignore lint/a11y/useAnchorContent: it has a label, and CSS draws its icon.
        <a
          href={`?${search}&move=${id}`}
          aria-label={`Move to… “${hook.slice(0, NAMED_LENGTH)}”`}
          className="cal-move"
        />
      )}
    </li>
  );
}

function Slot({ slot: { slot, time, state } }: { slot: CalendarSlot }) {
  const isOpen = state === 'open';
  const content = (
    <>
      <Mark state={state} />
      <time>{time}</time> <span className="cal-hook">{MARK_LABELS[state]}</span>
    </>
  );
  return (
    <li className={`cal-entry is-${state}`} data-slot={isOpen ? slot : undefined}>
      {isOpen ? (
        <button type="submit" form={FILL} name="slot" value={slot} className="cal-link">
          {content} <span className="cal-fill">Fill it</span>
        </button>
      ) : (
        <span className="cal-link">{content}</span>
      )}
    </li>
  );
}
