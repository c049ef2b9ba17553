import { StatCard } from '#app/ui/card.tsx';
import { PAYMENTS, REVENUE, SUBSCRIPTIONS } from './admin-tabs.tsx';
import type { describeFigures } from './describe-figures.ts';
import type { EarnedInWords } from './describe-revenue.ts';

/** How many there are of everything, each with the list behind it where there is one. */
export const Figures = ({ figures }: { figures: ReturnType<typeof describeFigures> }) => (
  <div className="figures">
    <StatCard label="Users" {...figures.users} />
    <StatCard label="Active subscriptions" to={`${SUBSCRIPTIONS}?status=active`} {...figures.active} />
    <StatCard label="Pending payments" to={PAYMENTS} {...figures.pending} />
    <StatCard label="Posts" {...figures.posts} />
  </div>
);

/** What was received in each currency; the months of all are one press away. */
export const Received = ({ revenue }: { revenue: EarnedInWords[] }) => (
  <section aria-labelledby="revenue" className="mt-8">
    <h2 id="revenue" className="mb-3 text-lg font-semibold">
      Revenue
    </h2>
    <div className="figures figures-money">
      {revenue.map(({ code, sum, payments }) => (
        <StatCard key={code} label={code} value={sum} detail={payments} to={REVENUE} />
      ))}
    </div>
  </section>
);
