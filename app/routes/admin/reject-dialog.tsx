import type { SubmissionResult } from '@conform-to/react';
import { REJECT_REASON_MAX } from '#app/domain/payments/limits.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FormPanel, SubmitButton, TextArea, useFormOf } from '#app/ui/form.tsx';
import type { PendingPayment } from './describe-pending.ts';

type RejectDialogProps = { payment: PendingPayment; result?: SubmissionResult<string[]>; closeTo: string };

/** Asks why, because the payer reads it. */
export function RejectDialog({ payment, result, closeTo }: RejectDialogProps) {
  const [form, fields] = useFormOf<{ reason: string }>(result, {
    id: 'reject',
    constraint: { reason: { required: true, maxLength: REJECT_REASON_MAX } },
  });
  return (
    <Dialog title="Reject this payment?" closeTo={closeTo} tone="danger">
      <p className="mt-3 mb-5 text-ink-2">
        {payment.payerName}, {payment.amount}, {payment.transactionId}. No plan starts, and the payer may
        submit again.
      </p>
      <FormPanel form={form} failure="Failed to reject payment">
        <TextArea
          field={fields.reason}
          label="Reason"
          hint="The payer reads it in a mail and on screen."
          rows={3}
        />
        <div className="flex flex-wrap justify-end gap-3">
          <ButtonLink to={closeTo} replace preventScrollReset variant="secondary">
            Cancel
          </ButtonLink>
          <SubmitButton variant="danger" busyLabel="Rejecting…">
            Reject payment
          </SubmitButton>
        </div>
      </FormPanel>
    </Dialog>
  );
}
