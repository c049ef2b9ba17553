import { redirect, useSearchParams } from 'react-router';
import { db } from '#app/db/client.ts';
import { rejectPayment } from '#app/domain/payments/review.ts';
import { RejectForm } from '#app/domain/payments/schema.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { confirmFirst } from '#app/http/confirm-first.ts';
import { submit } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf, askerOf } from '#app/http/session.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { onDemand } from '#app/ui/on-demand.tsx';
import { Banner, PageHeader } from '#app/ui/page.tsx';
import { knowsDialogs } from '#app/ui/same-page.ts';
import type { Route } from './+types/admin.ts';
import adminStyles from './admin.css?url';
import { AdminTabs, OVERVIEW, PAYMENTS, PUBLISHING } from './admin-tabs.tsx';
import { DecidedDialog } from './decided-dialog.tsx';
import { Figures, Received } from './figures.tsx';
import { loadDesk } from './load-desk.ts';
import { type DialogOf, PendingList } from './pending-list.tsx';
import { VerifyDialog } from './verify-dialog.tsx';

/** Its script comes when a payment is turned down. */
const RejectDialog = onDemand(async () => (await import('./reject-dialog.tsx')).RejectDialog);

export const middleware: Route.MiddlewareFunction[] = [confirmFirst];

export const meta: Route.MetaFunction = ({ location }) => [
  { title: `${location.search.includes('tab=payments') ? 'Payments' : 'Admin Dashboard'} – Tidepost` },
];

export const shouldRevalidate = knowsDialogs('confirm-verify', 'reject');

export async function loader({ request, context }: Route.LoaderArgs) {
  const { actor, now } = askerOf(context);
  await RejectDialog.load();
  return loadDesk(db(), actor, new URL(request.url).searchParams, now);
}

export function action({ request, context }: Route.ActionArgs) {
  const paymentId = new URL(request.url).searchParams.get('reject') ?? '';
  return submit({ request, context }, RejectForm, async (input) => {
    try {
      await rejectPayment(db(), actorOf(context), { ...input, paymentId });
      notify(context, 'success', 'Payment rejected');
    } catch (error) {
      // There is nothing to type anew: somebody was quicker, and the list says what waits still.
      if (!(error instanceof Refusal) || error.code !== 'not_pending') throw error;
      notify(context, 'error', error.message, 'page');
    }
    return redirect(PAYMENTS);
  });
}

/** The address of the page without dialogs, and with one of them. */
function addressesIn(query: URLSearchParams) {
  const kept = [...query].filter(([name]) => name !== 'confirm-verify' && name !== 'reject');
  const closeTo = kept.length > 0 ? `${OVERVIEW}?${new URLSearchParams(kept)}` : OVERVIEW;
  const dialogOf: DialogOf = (name, id) => `?${new URLSearchParams([...kept, [name, id]])}`;
  return { closeTo, dialogOf };
}

export default function Admin({ loaderData, actionData }: Route.ComponentProps) {
  const { payments, overview, nextCursor, isLater, decided } = loaderData;
  const [query] = useSearchParams();
  const { closeTo, dialogOf } = addressesIn(query);
  const asked = (name: string) => payments.find(({ id }) => id === query.get(name));
  const [verifying, rejecting] = [asked('confirm-verify'), asked('reject')];
  const isAsked = query.has('confirm-verify') || query.has('reject');
  return (
    <>
      <link rel="stylesheet" href={adminStyles} precedence="view" />
      <PageHeader title="Admin Dashboard" actions={<Actions refresh={closeTo} />} />
      <Alerts {...loaderData} />
      <AdminTabs current={query.get('tab') === 'payments' ? PAYMENTS : OVERVIEW} />
      {overview && <Figures figures={overview.figures} />}
      <PendingList
        payments={payments}
        dialogOf={dialogOf}
        next={nextCursor && `${PAYMENTS}&cursor=${nextCursor}`}
        first={isLater ? PAYMENTS : null}
      />
      {overview && <Received revenue={overview.revenue} />}
      {verifying && <VerifyDialog payment={verifying} closeTo={closeTo} />}
      {rejecting && (
        <RejectDialog key={rejecting.id} payment={rejecting} result={actionData} closeTo={closeTo} />
      )}
      {isAsked && !verifying && !rejecting && decided && (
        <DecidedDialog decided={decided} closeTo={closeTo} />
      )}
    </>
  );
}

const Actions = ({ refresh }: { refresh: string }) => (
  <>
    <ButtonLink to={refresh} preventScrollReset variant="secondary">
      Refresh
    </ButtonLink>
    <ButtonLink to="/app/admin/audit" variant="secondary">
      Audit log
    </ButtonLink>
  </>
);

type Data = Route.ComponentProps['loaderData'];

/** What an operator has to see first. */
const Alerts = ({ faults, pauseReason }: Pick<Data, 'faults' | 'pauseReason'>) => (
  <div className="mb-6 flex flex-col gap-3 empty:hidden">
    {pauseReason !== null && (
      <Banner
        tone="warning"
        title="Publishing is stopped for everybody"
        action={
          <ButtonLink to={PUBLISHING} size="sm" variant="secondary">
            Open the switch
          </ButtonLink>
        }
      >
        {pauseReason}
      </Banner>
    )}
    {faults.map(({ key, message }) => (
      <Banner key={key} tone="danger" title="Something needs the operator">
        {message}
      </Banner>
    ))}
  </div>
);
