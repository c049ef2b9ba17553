import { db } from '#app/db/client.ts';
import { readOperations } from '#app/domain/operations/readings.ts';
import { formatTimeZone } from '#app/domain/platform/dates.ts';
import { actorOf } from '#app/http/session/session.ts';
import { OperatorAlerts } from '#app/routes/admin/alerts.tsx';
import { loadAlerts } from '#app/routes/admin/overview/load.ts';
import styles from '#app/routes/admin/tables.css?url';
import { AdminTabs, OPERATIONS, PUBLISHING } from '#app/routes/admin/tabs.tsx';
import { Badge } from '#app/ui/components/badge.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { PageHeader } from '#app/ui/layout/page.tsx';
import type { Route } from './+types/page.ts';
import { Lanes, LinkedIn, Numbers, Ticks } from './cards.tsx';
import { presentOperations } from './present.ts';

export const meta: Route.MetaFunction = () =>
  pageMeta('Operations', 'Queues, jobs and mails: what waits, what failed and what needs the operator.');

export async function loader({ context }: Route.LoaderArgs) {
  const now = new Date();
  const [readings, alerts] = await Promise.all([readOperations(db(), now), loadAlerts(db(), now)]);
  const { timeZone } = actorOf(context);
  return { ...presentOperations(readings, timeZone), zone: formatTimeZone(timeZone), ...alerts };
}

export default function Operations({ loaderData }: Route.ComponentProps) {
  const { faults, pauseReason, numbers, ticks, lanes, linkedIn, at, zone } = loaderData;
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="page" />
      <PageHeader
        title="Operations"
        description={`Whether the service does its work, as of ${at}. ${zone}.`}
        badge={
          <Badge tone={pauseReason === null ? 'success' : 'warning'}>
            {pauseReason === null ? 'Publishing is on' : 'Publishing is stopped'}
          </Badge>
        }
        actions={
          <>
            <ButtonLink to={OPERATIONS} preventScrollReset variant="secondary">
              Refresh
            </ButtonLink>
            <ButtonLink to={PUBLISHING} variant="secondary">
              {pauseReason === null ? 'Pause publishing' : 'Open the switch'}
            </ButtonLink>
          </>
        }
      />
      <OperatorAlerts faults={faults} pauseReason={pauseReason} />
      <AdminTabs current={OPERATIONS} />
      <div className="flex flex-col gap-6">
        <Numbers numbers={numbers} />
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
          <div className="flex min-w-0 flex-col gap-6">
            <Lanes lanes={lanes} />
            <LinkedIn linkedIn={linkedIn} />
          </div>
          <Ticks ticks={ticks} />
        </div>
      </div>
    </>
  );
}
