import type { FieldMetadata, SubmissionResult } from '@conform-to/react';
import { REJECT_REASON_MAX, REJECT_REASONS } from '#app/domain/payments/limits.ts';
import { Dialog, DialogButtons } from '#app/ui/components/dialog.tsx';
import { FormPanel, TextArea, useFormOf } from '#app/ui/form/form.tsx';
import type { PendingPayment } from './present.ts';

type RejectDialogProps = { payment: PendingPayment; result?: SubmissionResult<string[]>; closeTo: string };

export function RejectDialog({ payment, result, closeTo }: RejectDialogProps) {
  const [form, fields] = useFormOf<{ usual?: string; reason: string }>(result, {
    id: 'reject',
    constraint: { reason: { maxLength: REJECT_REASON_MAX } },
  });
  return (
    <Dialog title="Reject this payment?" closeTo={closeTo} tone="danger">
      <p className="mt-3 mb-5 text-ink-2">
        {payment.payerName}, {payment.amount}, <span className="font-mono">{payment.transactionId}</span>. No
        plan starts, and the payer may submit again.
      </p>
      <FormPanel form={form} failure="Failed to reject payment">
        <UsualReasons field={fields.usual} />
        <TextArea
          field={fields.reason}
          label="Reason"
          hint="The payer reads this word for word, after the sentence that you chose, in a mail and on screen."
          rows={3}
        />
        <DialogButtons closeTo={closeTo} isDanger busyLabel="Rejecting…">
          Reject payment
        </DialogButtons>
      </FormPanel>
    </Dialog>
  );
}

const CHOICES = [...Object.entries(REJECT_REASONS), ['', 'In my own words']] as const;

const UsualReasons = ({ field }: { field: FieldMetadata<string | undefined> }) => (
  <fieldset className="grid gap-1">
    <legend className="field-label mb-1">What is wrong?</legend>
    {CHOICES.map(([value, sentence]) => (
      <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3 ">
        <input
          type="radio"
          name={field.name}
          form={field.formId}
          value={value}
          defaultChecked={(field.initialValue ?? '') === value}
          className="radio"
        />
        <span className="min-w-0">{sentence}</span>
      </label>
    ))}
  </fieldset>
);
