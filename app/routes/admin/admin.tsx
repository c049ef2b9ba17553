import { CircleCheck } from 'lucide-react';
import { Link, redirect, useSearchParams } from 'react-router';
import { db } from '#app/db/client.ts';
import { listOperatorFaults } from '#app/domain/operator-faults.ts';
import { listPendingPayments } from '#app/domain/payments/history.ts';
import { rejectPayment } from '#app/domain/payments/review.ts';
import { RejectInput } from '#app/domain/payments/schema.ts';
import { findPause } from '#app/domain/publishing/pause.ts';
import { submit } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { Banner, EmptyState, PageHeader } from '#app/ui/page.tsx';
import { knowsDialogs } from '#app/ui/same-page.ts';
import type { Route } from './+types/admin.ts';
import { AdminTabs, PAYMENTS as PAGE, PUBLISHING } from './admin-tabs.tsx';
import { describePending } from './describe-pending.ts';
import { PendingCard } from './pending-card.tsx';
import { RejectDialog } from './reject-dialog.tsx';

const PER_PAGE = 50;

export const meta: Route.MetaFunction = () => [{ title: 'Admin Dashboard – Tidepost' }];

export const shouldRevalidate = knowsDialogs('tab', 'confirm-verify', 'reject');

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const cursor = query.get('cursor') ?? undefined;
  const { rows, nextCursor } = await listPendingPayments(db(), { limit: PER_PAGE, cursor });
  const payments = rows.map((row) => describePending(row, actorOf(context)));
  const [faults, pause] = await Promise.all([listOperatorFaults(db()), findPause(db(), new Date())]);
  const pauseReason = pause?.reason ?? null;
  return {
    payments,
    nextCursor,
    pauseReason,
    faults: faults.map(({ key, message }) => ({ key, message })),
  };
}

export function action({ request, context }: Route.ActionArgs) {
  const paymentId = new URL(request.url).searchParams.get('reject') ?? '';
  return submit({ request, context }, RejectInput, async (input) => {
    await rejectPayment(db(), actorOf(context), { ...input, paymentId });
    notify(context, 'success', 'Payment rejected');
    return redirect(PAGE);
  });
}

const auditLink = (
  <ButtonLink to="/app/admin/audit" variant="secondary">
    Audit log
  </ButtonLink>
);

export default function Admin({ loaderData, actionData }: Route.ComponentProps) {
  const { payments, faults, pauseReason } = loaderData;
  const [query] = useSearchParams();
  const find = (name: string) => payments.find(({ id }) => id === query.get(name));
  const [verifying, rejecting] = [find('confirm-verify'), find('reject')];
  return (
    <>
      <PageHeader title="Admin Dashboard" actions={auditLink} />
      {pauseReason !== null && <Paused reason={pauseReason} />}
      {faults.length > 0 && <Faults faults={faults} />}
      <AdminTabs current="payments" />
      {payments.length === 0 ? (
        <EmptyState
          icon={CircleCheck}
          title="No payments to verify"
          text="A payment that somebody submits stands here until you verify or reject it. You get a mail for each."
        />
      ) : (
        <Pending {...loaderData} />
      )}
      {verifying && (
        <ConfirmDialog
          failure="Failed to verify payment"
          title="Verify this payment?"
          body={`${verifying.payerName} pays ${verifying.amount}, transaction ${verifying.transactionId}. The plan (${verifying.plan}) becomes active.`}
          closeTo={PAGE}
          confirmLabel="Verify payment"
          action={`/app/admin/payments/${verifying.id}/verify`}
          tone="neutral"
        />
      )}
      {rejecting && (
        <RejectDialog key={rejecting.id} payment={rejecting} result={actionData} closeTo={PAGE} />
      )}
    </>
  );
}

type Data = Route.ComponentProps['loaderData'];

const Paused = ({ reason }: { reason: string }) => (
  <Banner
    tone="warning"
    title="Publishing is stopped for everybody"
    className="mb-3"
    action={
      <ButtonLink to={PUBLISHING} size="sm" variant="secondary">
        Open the switch
      </ButtonLink>
    }
  >
    {reason}
  </Banner>
);

const Faults = ({ faults }: Pick<Data, 'faults'>) => (
  <div className="mb-6 flex flex-col gap-3">
    {faults.map(({ key, message }) => (
      <Banner key={key} tone="danger" title="Something needs the operator">
        {message}
      </Banner>
    ))}
  </div>
);

const Pending = ({ payments, nextCursor }: Pick<Data, 'payments' | 'nextCursor'>) => (
  <section>
    <h2 className="mb-4 font-display text-xl font-semibold">Pending verifications</h2>
    <ul className="grid gap-4">
      {payments.map((payment) => (
        <PendingCard key={payment.id} payment={payment} />
      ))}
    </ul>
    {nextCursor && (
      <p className="mt-6">
        <Link to={`?tab=payments&cursor=${nextCursor}`} className="link">
          Next payments
        </Link>
      </p>
    )}
  </section>
);
