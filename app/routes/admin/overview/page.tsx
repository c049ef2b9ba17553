import { redirect, useLocation } from 'react-router';
import { db } from '#app/db/client.ts';
import { rejectPayment } from '#app/domain/payments/review/verify-reject.ts';
import { RejectForm } from '#app/domain/payments/schema.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { requireRecentAuth } from '#app/http/session/require-recent-auth.ts';
import { actorAndTime, actorOf } from '#app/http/session/session.ts';
import adminStyles from '#app/routes/admin/admin.css?url';
import { OperatorAlerts } from '#app/routes/admin/alerts.tsx';
import { EmailTab } from '#app/routes/admin/analytics/email-tab.tsx';
import { VisitsTab } from '#app/routes/admin/analytics/visits-tab.tsx';
import type { PresentedRevenue } from '#app/routes/admin/payments/revenue/present.ts';
import { PaymentsTab, RejectDialog } from '#app/routes/admin/payments/tab.tsx';
import {
  AdminTabs,
  OVERVIEW,
  PAYMENTS,
  PUBLISHING,
  REVENUE,
  SUBSCRIPTIONS,
  TRENDS,
  USERS,
} from '#app/routes/admin/tabs.tsx';
import { UsersTab } from '#app/routes/admin/users/tab.tsx';
import { StatCard } from '#app/ui/components/card.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { PageHeader } from '#app/ui/layout/page.tsx';
import { ignoreDialogParams } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/page.ts';
import { loadAdminPage } from './load.ts';
import type { presentFigures } from './present-stats.ts';
import { adminTabOf, OVERVIEW_TABS } from './tab-param.ts';

export const middleware: Route.MiddlewareFunction[] = [requireRecentAuth];

export const meta: Route.MetaFunction = ({ location }) => [
  { title: `${OVERVIEW_TABS[adminTabOf(new URLSearchParams(location.search))].title} – Tidepost` },
  { name: 'description', content: 'How Tidepost stands: people, payments to look at, mails and visits.' },
];

const DIALOGS = ['confirm-verify', 'reject'];

export const shouldRevalidate = ignoreDialogParams(...DIALOGS);

export async function loader({ request, context }: Route.LoaderArgs) {
  const { actor, now } = actorAndTime(context);
  await RejectDialog.load();
  return loadAdminPage(db(), actor, new URL(request.url).searchParams, now);
}

export function action({ request, context }: Route.ActionArgs) {
  const paymentId = new URL(request.url).searchParams.get('reject') ?? '';
  return submit({ context }, RejectForm, async (input) => {
    try {
      await rejectPayment(db(), actorOf(context), { ...input, paymentId });
      setFlash(context, 'success', 'Payment rejected');
    } catch (error) {
      // Another admin was quicker. The form would be of no use, so the list is shown instead.
      if (!(error instanceof Refusal) || error.code !== 'not_pending') throw error;
      setFlash(context, 'error', error.message, 'page');
    }
    return redirect(PAYMENTS);
  });
}

export default function Admin({ loaderData, actionData }: Route.ComponentProps) {
  const { faults, pauseReason, tab, overview, pending, email, visits, users } = loaderData;
  const { search } = useLocation();
  return (
    <>
      <link rel="stylesheet" href={adminStyles} precedence="view" />
      <PageHeader
        title="Admin Dashboard"
        description={(email ?? visits)?.zone}
        actions={
          <>
            <ButtonLink to={withoutDialogs(search)} preventScrollReset variant="secondary">
              Refresh
            </ButtonLink>
            <ButtonLink to="/app/admin/audit" variant="secondary">
              Audit log
            </ButtonLink>
          </>
        }
      />
      <OperatorAlerts
        faults={faults}
        pauseReason={pauseReason}
        action={
          <ButtonLink to={PUBLISHING} size="sm" variant="secondary">
            Open the switch
          </ButtonLink>
        }
      />
      <AdminTabs current={OVERVIEW_TABS[tab].to} />
      {overview && <Figures figures={overview.figures} />}
      {overview && <Received revenue={overview.revenue} />}
      {pending && <PaymentsTab pending={pending} result={actionData} />}
      {email && <EmailTab {...email} />}
      {visits && <VisitsTab {...visits} />}
      {users && <UsersTab {...users} />}
    </>
  );
}

function withoutDialogs(search: string) {
  const query = new URLSearchParams(search);
  for (const name of DIALOGS) query.delete(name);
  return query.size > 0 ? `${OVERVIEW}?${query}` : OVERVIEW;
}

const Figures = ({ figures }: { figures: ReturnType<typeof presentFigures> }) => (
  <div className="stat-row figures mb-6">
    <StatCard label="Users" to={USERS} {...figures.users} />
    <StatCard label="Active subscriptions" to={`${SUBSCRIPTIONS}?status=active`} {...figures.active} />
    <StatCard label="Pending payments" to={PAYMENTS} {...figures.pending} />
    <StatCard label="Posts" to={TRENDS} {...figures.posts} />
  </div>
);

const Received = ({ revenue }: { revenue: PresentedRevenue[] }) => (
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
