import type { SubmissionResult } from '@conform-to/react';
import { useSearchParams } from 'react-router';
import type { PaymentsPage } from '#app/routes/admin/overview/load.ts';
import { OVERVIEW, PAYMENTS } from '#app/routes/admin/tabs.tsx';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { onDemand } from '#app/ui/lazy.tsx';
import { type DialogAddress, PendingList } from './pending-list.tsx';
import type { PresentedDecision } from './present-decision.ts';
import { VerifyDialog } from './verify-dialog.tsx';

export const RejectDialog = onDemand(async () => (await import('./reject-dialog.tsx')).RejectDialog);

type PaymentsTabProps = { pending: PaymentsPage; result: SubmissionResult<string[]> | undefined };

export function PaymentsTab({ pending, result }: PaymentsTabProps) {
  const { payments, nextCursor, isLater, decision } = pending;
  const [query] = useSearchParams();
  const pageQuery = [...query].filter(([name]) => name !== 'confirm-verify' && name !== 'reject');
  const closeTo = pageQuery.length > 0 ? `${OVERVIEW}?${new URLSearchParams(pageQuery)}` : OVERVIEW;
  const dialogAddress: DialogAddress = (name, id) => `?${new URLSearchParams([...pageQuery, [name, id]])}`;
  const find = (name: string) => payments.find(({ id }) => id === query.get(name));
  const [verifying, rejecting] = [find('confirm-verify'), find('reject')];
  const isDialogOpen = query.has('confirm-verify') || query.has('reject');
  return (
    <>
      <PendingList
        payments={payments}
        dialogAddress={dialogAddress}
        next={nextCursor && `${PAYMENTS}&cursor=${nextCursor}`}
        first={isLater ? PAYMENTS : null}
      />
      {verifying && <VerifyDialog payment={verifying} closeTo={closeTo} />}
      {rejecting && <RejectDialog key={rejecting.id} payment={rejecting} result={result} closeTo={closeTo} />}
      {isDialogOpen && !verifying && !rejecting && decision && (
        <DecisionDialog {...decision} closeTo={closeTo} />
      )}
    </>
  );
}

/** Shown instead of the dialog for a payment that was decided meanwhile. */
const DecisionDialog = ({
  title,
  text,
  reason,
  ledger,
  closeTo,
}: PresentedDecision & { closeTo: string }) => (
  <Dialog title={title} closeTo={closeTo}>
    <p className="mt-3 text-ink-2">{text}</p>
    {reason && <blockquote className="decided-reason">{reason}</blockquote>}
    <p className="mt-6 flex flex-wrap justify-end gap-3">
      <ButtonLink to={closeTo} replace preventScrollReset variant="secondary">
        Back to the list
      </ButtonLink>
      {ledger && <ButtonLink to={ledger}>Open the ledger</ButtonLink>}
    </p>
  </Dialog>
);
