import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { ActionForm } from '#app/ui/action-form.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { useHydrated } from '#app/ui/hydrated.ts';
import calendarStyles from './calendar.css?url';
import { FILL } from './calendar-form.ts';
import { CalendarDrag } from './calendar-hands.ts';
import type { CalendarData } from './calendar-load.ts';
import { renew } from './calendar-renew.ts';

const PAGE = '/app/scheduled';

/** A month or a week of the queue. Its links and buttons do all that dragging does. */
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
      <Days view={span.view} markup={calendar.markup} />
      {isHydrated && <CalendarDrag from={from} />}
    </section>
  );
}

/** They come as markup; what has changed is brought to it later, day by day, beside React. */
function Days({ view, markup }: { view: CalendarData['span']['view']; markup: string | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  const [first] = useState(markup ?? '');
  const shown = useRef(markup);
  useLayoutEffect(() => {
    if (markup !== undefined && markup !== shown.current) renew(place.current!, markup);
    shown.current = markup;
  }, [markup]);
  return (
    <div
      ref={place}
      id="calendar"
      className={`cal cal-${view}`}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server makes it by `markup`, which escapes what it is given.
      dangerouslySetInnerHTML={{ __html: first }}
    />
  );
}

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
    <Turn to={span.previous} icon={ChevronLeft} />
    <Turn to={span.next} icon={ChevronRight} />
  </div>
);

type TurnProps = { to: CalendarData['span']['next']; icon: typeof ChevronLeft };

/** Turns the page to the month or week before or after. */
const Turn = ({ to, icon: Icon }: TurnProps) =>
  to && (
    <Link to={`?${to.search}`} preventScrollReset aria-label={to.label} className="icon-button">
      <Icon aria-hidden size={20} />
    </Link>
  );
