import type { ReceivedInWords } from '#app/routes/admin/revenue/present.ts';
import { PAYMENTS, REVENUE, SUBSCRIPTIONS, TRENDS, USERS } from '#app/routes/admin/tabs.tsx';
import { StatCard } from '#app/ui/components/card.tsx';
import type { describeFigures } from './describe-figures.ts';

/** How many there are of everything, each with the list behind it; of posts their days, as everybody's stand in no list. */
export const Figures = ({ figures }: { figures: ReturnType<typeof describeFigures> }) => (
  <div className="stat-row figures mb-6">
    <StatCard label="Users" to={USERS} {...figures.users} />
    <StatCard label="Active subscriptions" to={`${SUBSCRIPTIONS}?status=active`} {...figures.active} />
    <StatCard label="Pending payments" to={PAYMENTS} {...figures.pending} />
    <StatCard label="Posts" to={TRENDS} {...figures.posts} />
  </div>
);

/** What was received in each currency; the months of all are one press away. */
export const Received = ({ revenue }: { revenue: ReceivedInWords[] }) => (
  <section aria-labelledby="revenue">
    <h2 id="revenue" className="mb-3 text-lg font-semibold">
      Revenue
    </h2>
    <div className="stat-row mb-6">
      {revenue.map(({ code, sum, payments }) => (
        <StatCard key={code} label={code} value={sum} detail={payments} to={REVENUE} />
      ))}
    </div>
  </section>
);
