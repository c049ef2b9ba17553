import type { SubmissionResult } from '@conform-to/react';
import { TRANSACTION_ID_TYPED_MAX } from '#app/domain/payments/limits.ts';
import { Dialog, DialogButtons } from '#app/ui/components/dialog.tsx';
import { FormPanel, TextField, useFormOf } from '#app/ui/form/form.tsx';
import type { PresentedLedger } from './present.ts';

type RecordPaymentDialogProps = {
  entry: PresentedLedger['entries'][number];
  payerName: string;
  result?: SubmissionResult<string[]>;
  closeTo: string;
};

const FULL_PERIOD = 'Verified, it is what was asked for then, by its price and its credit.';
const PRORATED =
  'Another payment was verified after this was asked for, so its credit and its half price stand no more. Verified, it runs for as much of a month as was paid of the full price.';

export function RecordPaymentDialog({ entry, payerName, result, closeTo }: RecordPaymentDialogProps) {
  const { reference, amount, plan, lost } = entry;
  const [form, fields] = useFormOf<{ transactionId: string }>(result, {
    id: 'take-in',
    constraint: { transactionId: { required: true, maxLength: TRANSACTION_ID_TYPED_MAX } },
  });
  return (
    <Dialog title="Take this payment in?" closeTo={closeTo}>
      <p className="mt-3 mb-5 text-ink-2">
        {payerName} paid {amount} for {plan}, with the reference{' '}
        <span className="font-mono">{reference}</span>, which is over. It then waits with the other payments.{' '}
        {lost?.isProrated ? PRORATED : FULL_PERIOD}
      </p>
      <FormPanel form={form} failure="Failed to take the payment in">
        <TextField
          field={fields.transactionId}
          label="Transaction ID"
          hint="As the payer has sent it, and as it stands on our statement."
          autoComplete="off"
        />
        <DialogButtons closeTo={closeTo} busyLabel="Taking in…">
          Take the payment in
        </DialogButtons>
      </FormPanel>
    </Dialog>
  );
}
