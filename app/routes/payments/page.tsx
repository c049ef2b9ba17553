import { CreditCard } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { db } from '#app/db/client.ts';
import { presentPending } from '#app/domain/payments/checkout/pending-message.ts';
import { countOwnPayments, findPendingPayment, listPayments } from '#app/domain/payments/history.ts';
import { offerRenewal } from '#app/domain/payments/subscription/renewal.ts';
import { findSubscription } from '#app/domain/payments/subscription/subscription.ts';
import { actorAndTime } from '#app/http/session/session.ts';
import { SubscribeDialog } from '#app/routes/payments/subscribe/dialog.tsx';
import { loadSubscribeDialog } from '#app/routes/payments/subscribe/load.ts';
import { submitPayment } from '#app/routes/payments/subscribe/submit.ts';
import { StatCard } from '#app/ui/components/card.tsx';
import { ConfirmDialog } from '#app/ui/components/dialog.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { Banner, EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { ignoreDialogParams } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/page.ts';
import { PaymentCard } from './card.tsx';
import { presentPayment } from './present.ts';
import { presentEnded } from './present-end.ts';

const PER_PAGE = 20;

export const meta: Route.MetaFunction = () =>
  pageMeta('Payment History', 'Your plan, what you paid for it, and receipts.');

export const shouldRevalidate = ignoreDialogParams('confirm-cancel');

export async function loader({ request, context }: Route.LoaderArgs) {
  const { actor, now } = actorAndTime(context);
  const query = new URL(request.url).searchParams;
  const cursor = query.get('cursor') || undefined;
  const { rows, nextCursor } = await listPayments(db(), actor, { limit: PER_PAGE, cursor }, now);
  const [current, waiting] = await Promise.all([
    findSubscription(db(), actor, now),
    findPendingPayment(db(), actor),
  ]);
  return {
    checking: waiting ? presentPending(waiting, actor.timeZone, now).text : null,
    renewal: await offerRenewal(db(), actor, current?.endsAt ?? null, now),
    ended: await presentEnded(db(), actor, current, now),
    payments: rows.map((row) => presentPayment(row, actor, now)),
    nextCursor,
    counts: await countOwnPayments(db(), actor, now),
    status: current?.status,
    canCancel: current?.status === 'active' && !current.cancelledAt,
    dialog: await loadSubscribeDialog(db(), actor, query, now),
  };
}

export const action = submitPayment;

export default function Payments({ loaderData, actionData }: Route.ComponentProps) {
  const { counts, status, canCancel, dialog } = loaderData;
  const isCancelling = useSearchParams()[0].has('confirm-cancel');
  const choose = (
    <ButtonLink to="?dialog=subscribe" preventScrollReset>
      {status === 'active' ? 'Upgrade Plan' : 'Choose a plan'}
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Payment History"
        description="Your plans, what you paid for them, and how each payment stands."
        actions={counts.total > 0 && counts.pending === 0 && choose}
      />
      <PaymentBanner {...loaderData} />
      {counts.total === 0 ? (
        <EmptyState
          icon={CreditCard}
          title="No payments yet"
          text="Choose a plan and your posts are written and published every day. Each payment is listed here."
          action={choose}
        />
      ) : (
        <History data={loaderData} />
      )}
      {dialog && <SubscribeDialog data={dialog} result={actionData} page="/app/payments" />}
      {isCancelling && canCancel && <CancelDialog />}
    </>
  );
}

const CancelDialog = () => (
  <ConfirmDialog
    failure="Failed to cancel your plan"
    title="Cancel your plan?"
    body="It keeps running to its end date, then nothing is written or published any more."
    closeTo="/app/payments"
    cancelLabel="Keep plan"
    confirmLabel="Cancel plan"
    action="/app/payments/cancel"
  />
);

type Data = Route.ComponentProps['loaderData'];

const History = ({ data: { counts, payments, nextCursor, canCancel } }: { data: Data }) => (
  <>
    <section aria-label="Summary" className="mb-6 grid grid-cols-3 gap-3 sm:gap-4">
      <StatCard label="Total payments" value={counts.total} />
      <StatCard label="Active" value={counts.active} />
      <StatCard label="Pending" value={counts.pending} />
    </section>
    <ul className="grid gap-4 lg:grid-cols-2">
      {payments.map((payment) => (
        <PaymentCard key={payment.id} payment={payment} />
      ))}
    </ul>
    <p className="mt-6 flex flex-wrap gap-4">
      {nextCursor && (
        <Link to={`?cursor=${nextCursor}`} className="link inline-flex min-h-11 items-center">
          Older payments
        </Link>
      )}
      {canCancel && (
        <Link
          to="?confirm-cancel=plan"
          preventScrollReset
          className="link inline-flex min-h-11 items-center text-danger-ink"
        >
          Cancel plan
        </Link>
      )}
    </p>
  </>
);

type PaymentBannerProps = {
  checking: string | null;
  renewal: { title: string; text: string; to: string; label?: string } | null;
  ended: { title: string; text: string } | null;
};

function PaymentBanner({ checking, renewal, ended }: PaymentBannerProps) {
  if (checking) {
    return (
      <Banner tone="warning" title="Payment pending" className="mb-6">
        {checking}
      </Banner>
    );
  }
  const offer = ended ? { ...ended, to: '/dashboard', label: 'Renew Now' } : renewal;
  if (!offer) return null;
  const renew = (
    <ButtonLink to={offer.to} size="sm">
      {offer.label ?? 'Renew'}
    </ButtonLink>
  );
  return (
    <Banner tone={ended ? 'danger' : 'info'} title={offer.title} className="mb-6" action={renew}>
      {offer.text}
    </Banner>
  );
}
