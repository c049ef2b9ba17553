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
import { POST_WORDS } from '#app/domain/posts/limits.ts';
import type { CalendarState } from './entry.ts';

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

export const MARK_LABELS: Record<CalendarState, string> = {
  ...POST_WORDS,
  pending: 'Needs approval',
  held: 'Held',
  filling: 'Writing…',
  open: 'Open',
  missed: 'Nothing went out',
};

/** The icons of all marks, defined once, because a month shows each of them many times. */
export const MarkSymbols = () => (
  <svg width="0" height="0" className="absolute" aria-hidden>
    {Object.entries(ICONS).map(([name, Icon]) => (
      <symbol key={name} id={`mark-${name}`} viewBox="0 0 24 24">
        <Icon />
      </symbol>
    ))}
  </svg>
);

export const Mark = ({ state }: { state: CalendarState }) => (
  <svg aria-hidden="true" className="cal-mark">
    <use href={`#mark-${state}`} />
  </svg>
);
