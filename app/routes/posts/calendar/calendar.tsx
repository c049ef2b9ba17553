import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import calendarStyles from './calendar.css?url';
import { Day, FILL } from './day.tsx';
import { CalendarDrag } from './drag.lazy.ts';
import { MarkSymbols } from './icons.tsx';
import type { CalendarData } from './load.ts';

const PAGE = '/app/scheduled';
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** A month or a week of the queue. Its links and buttons offer everything that dragging does. */
export function Calendar({ calendar }: { calendar: CalendarData }) {
  const { span } = calendar;
  const from = `${PAGE}?${span.search}`;
  const isHydrated = useHydrated();
  return (
    <section aria-labelledby="calendar-title">
      <link rel="stylesheet" href={calendarStyles} precedence="view" />
      <Toolbar {...calendar} />
      <ActionForm
        id={FILL}
        action="/app/generate"
        failure="Failed to generate posts"
        isOnce
        fields={{ from }}
        preventScrollReset
      />
      {calendar.isEmpty && <p className="mb-4 text-ink-2">{`Nothing stands in this ${span.view}.`}</p>}
      <Days {...calendar} />
      {isHydrated && <CalendarDrag from={from} />}
    </section>
  );
}

const Days = ({ span, today, days }: Pick<CalendarData, 'span' | 'today' | 'days'>) => (
  <div id="calendar" className={`cal cal-${span.view}`}>
    <MarkSymbols />
    <ol aria-hidden="true" className="cal-head">
      {WEEKDAYS.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ol>
    <ol aria-label={span.title} className="cal-days">
      {days.map((day, n) => (
        <Day
          key={day.date}
          day={day}
          weekday={WEEKDAYS[n % 7]!}
          isToday={day.date === today}
          isOutside={span.month !== null && !day.date.startsWith(span.month)}
          search={span.search}
        />
      ))}
    </ol>
  </div>
);

const Toolbar = ({ span, today }: Pick<CalendarData, 'span' | 'today'>) => (
  <div className="mb-3 flex items-center gap-1">
    <h2 id="calendar-title" className="flex-1 font-display text-lg font-semibold md:text-xl">
      {span.title}
    </h2>
    <ButtonLink
      to={`?${span.today}#day-${today}`}
      variant="secondary"
      size="sm"
      preventScrollReset={!span.isNow}
      className={span.isNow ? 'md:hidden' : undefined}
    >
      Today
    </ButtonLink>
    <PageLink to={span.previous} icon={ChevronLeft} />
    <PageLink to={span.next} icon={ChevronRight} />
  </div>
);

const PageLink = ({ to, icon: Icon }: { to: CalendarData['span']['next']; icon: typeof ChevronLeft }) =>
  to && (
    <Link to={`?${to.search}`} preventScrollReset aria-label={to.label} className="icon-button">
      <Icon aria-hidden size={20} />
    </Link>
  );
