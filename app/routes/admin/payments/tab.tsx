import type { SubmissionResult } from '@conform-to/react';
import { useSearchParams } from 'react-router';
import type { PaymentsPage } from '#app/routes/admin/overview/load.ts';
import { OVERVIEW, PAYMENTS } from '#app/routes/admin/tabs.tsx';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { onDemand } from '#app/ui/lazy.tsx';
import type { Decided } from './describe-decided.ts';
import { type DialogOf, PendingList } from './pending-list.tsx';
import { VerifyDialog } from './verify-dialog.tsx';

/** Its script comes when a payment is turned down. */
export const RejectDialog = onDemand(async () => (await import('./reject-dialog.tsx')).RejectDialog);

/** The address of the page without dialogs, and with one of them. */
function addressesIn(query: URLSearchParams) {
  const kept = [...query].filter(([name]) => name !== 'confirm-verify' && name !== 'reject');
  const closeTo = kept.length > 0 ? `${OVERVIEW}?${new URLSearchParams(kept)}` : OVERVIEW;
  const dialogOf: DialogOf = (name, id) => `?${new URLSearchParams([...kept, [name, id]])}`;
  return { closeTo, dialogOf };
}

type PaymentsTabProps = { pending: PaymentsPage; result: SubmissionResult<string[]> | undefined };

/** The payments that wait, with what is asked before one is decided. */
export function PaymentsTab({ pending, result }: PaymentsTabProps) {
  const { payments, nextCursor, isLater, decided } = pending;
  const [query] = useSearchParams();
  const { closeTo, dialogOf } = addressesIn(query);
  const asked = (name: string) => payments.find(({ id }) => id === query.get(name));
  const [verifying, rejecting] = [asked('confirm-verify'), asked('reject')];
  const isAsked = query.has('confirm-verify') || query.has('reject');
  return (
    <>
      <PendingList
        payments={payments}
        dialogOf={dialogOf}
        next={nextCursor && `${PAYMENTS}&cursor=${nextCursor}`}
        first={isLater ? PAYMENTS : null}
      />
      {verifying && <VerifyDialog payment={verifying} closeTo={closeTo} />}
      {rejecting && <RejectDialog key={rejecting.id} payment={rejecting} result={result} closeTo={closeTo} />}
      {isAsked && !verifying && !rejecting && decided && (
        <DecidedDialog decided={decided} closeTo={closeTo} />
      )}
    </>
  );
}

type DecidedDialogProps = { decided: Decided; closeTo: string };

/** In the place of a question about a payment that was decided meanwhile. */
const DecidedDialog = ({ decided: { title, text, reason, ledger }, closeTo }: DecidedDialogProps) => (
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
