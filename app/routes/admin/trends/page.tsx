import { readReplica } from '#app/http/read-replica.ts';
import { actorAndTime } from '#app/http/session/session.ts';
import { AdminTabs, TRENDS } from '#app/routes/admin/tabs.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { TabLinks } from '#app/ui/components/tabs.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { PageHeader } from '#app/ui/layout/page.tsx';
import type { Route } from './+types/page.ts';
import { loadTrends } from './load.ts';
import trendStyles from './page.css?url';
import { TrendCard } from './trend-card.tsx';

const RANGES = [7, 30, 90];

export const meta: Route.MetaFunction = () =>
  pageMeta('Trends', 'How sign-ups, posts, payments and visits went, day by day.');

export function loader({ request, context }: Route.LoaderArgs) {
  const { actor, now } = actorAndTime(context);
  const { searchParams } = new URL(request.url);
  return readReplica((db) => loadTrends(db, searchParams, actor.timeZone, now));
}

export default function Trends({ loaderData: { range, trends, hasRevenue } }: Route.ComponentProps) {
  return (
    <>
      <link rel="stylesheet" href={trendStyles} precedence="page" />
      <PageHeader title="Trends" description="What each of the last days brought. Today is not over yet." />
      <AdminTabs current={TRENDS} />
      <TabLinks
        label="Range"
        tabs={RANGES.map((days) => ({
          to: `${TRENDS}?days=${days}`,
          label: `${days} days`,
          isCurrent: days === range,
        }))}
      />
      <div className="trends">
        {trends.map(({ key, ...trend }) => (
          <TrendCard key={key} {...trend} />
        ))}
        {!hasRevenue && (
          <Card title="Revenue">
            <p className="text-sm text-ink-2">Nothing yet</p>
          </Card>
        )}
      </div>
    </>
  );
}
