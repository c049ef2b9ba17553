import type { DashboardData } from '#app/routes/dashboard/load.ts';
import { SlotRows } from '#app/routes/posts/queue/slot-rows.tsx';

export const Days = ({ dashboard: { days, zone } }: { dashboard: DashboardData }) =>
  days.map(({ heading, date, rows, isLeftOut }) => (
    <section key={date} aria-labelledby={`day-${date}`}>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={`day-${date}`} className="font-display text-xl font-semibold">
          {heading === 'Today' ? "Today's Schedule" : heading}
        </h2>
        <p className="text-sm text-ink-3">{heading === 'Today' && zone}</p>
      </div>
      {rows.length > 0 && <SlotRows rows={rows} label={heading} from="/app/dashboard" />}
      {isLeftOut && (
        <p className="mt-2 text-ink-2">
          {`No posts go out ${heading === 'Today' ? 'today' : 'on this day'}. You left it out.`}
        </p>
      )}
    </section>
  ));
