import {
  CalendarClock,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  Clock,
  LoaderCircle,
  type LucideIcon,
  Plus,
} from 'lucide-react';
import { renderToStaticMarkup } from 'react-dom/server';
import { POST_WORDS } from '#app/domain/posts/limits.ts';
import { Markup, markup } from '#app/ui/markup.ts';
import type { CalendarState } from './calendar-entry.ts';

const ICONS: Record<CalendarState, LucideIcon> = {
  published: CircleCheck,
  publishing: LoaderCircle,
  generated: CalendarClock,
  pending: Clock,
  held: CirclePause,
  set_aside: CircleSlash,
  unconfirmed: CircleQuestionMark,
  failed: CircleX,
  filling: LoaderCircle,
  open: Plus,
  missed: CircleDashed,
};

/** What each mark says. */
export const MARK_WORDS: Record<CalendarState, string> = {
  ...POST_WORDS,
  pending: 'Needs approval',
  held: 'Held',
  filling: 'Writing…',
  open: 'Open',
  missed: 'Nothing went out',
};

const symbols = (
  <svg width="0" height="0" className="absolute" aria-hidden>
    {Object.entries(ICONS).map(([name, Icon]) => (
      <symbol key={name} id={`mark-${name}`} viewBox="0 0 24 24">
        <Icon />
      </symbol>
    ))}
  </svg>
);

/** The drawings of all marks, once: a month shows each of them many times. */
export const DRAWINGS = new Markup(renderToStaticMarkup(symbols));

const marks = Object.fromEntries(
  Object.keys(ICONS).map((name) => [
    name,
    markup`<svg aria-hidden="true" class="cal-mark"><use href="#mark-${name}"/></svg>`,
  ]),
);

export const markOf = (name: CalendarState): Markup => marks[name]!;
