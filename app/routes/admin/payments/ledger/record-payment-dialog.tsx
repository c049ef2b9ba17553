import type { SubmissionResult } from '@conform-to/react';
import { TRANSACTION_ID_TYPED_MAX } from '#app/domain/payments/limits.ts';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import type { DescribedLedger } from './present.ts';

type RecordPaymentDialogProps = {
  entry: DescribedLedger['entries'][number];
  payerName: string;
  result?: SubmissionResult<string[]>;
  closeTo: string;
};

const AS_ASKED = 'Verified, it is what was asked for then, by its price and its credit.';
const BY_SHARE =
  'Another payment was verified after this was asked for, so its credit and its half price stand no more. Verified, it runs for as much of a month as was paid of the full price.';

/** Asks for the transaction that the payer has named. */
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
        {lost?.byShare ? BY_SHARE : AS_ASKED}
      </p>
      <FormPanel form={form} failure="Failed to take the payment in">
        <TextField
          field={fields.transactionId}
          label="Transaction ID"
          hint="As the payer has sent it, and as it stands on our statement."
          autoComplete="off"
        />
        <div className="flex flex-wrap justify-end gap-3">
          <ButtonLink to={closeTo} replace preventScrollReset variant="secondary">
            Cancel
          </ButtonLink>
          <SubmitButton busyLabel="Taking in…">Take the payment in</SubmitButton>
        </div>
      </FormPanel>
    </Dialog>
  );
}
