import type { SubmissionResult } from '@conform-to/react';
import { FieldError, FormPanel, SubmitButton, useFormOf } from '#app/ui/form/form.tsx';
import { AmountDue } from './amount-due.tsx';
import { BackToPlans } from './back-to-plans.tsx';
import type { PaymentData } from './load.ts';

type FreeStepProps = {
  payment: PaymentData;
  search: string;
  result?: SubmissionResult<string[]> | undefined;
  page: string;
};

/** Where nothing is to be paid nothing is checked: the plan begins with a press. */
export function FreeStep({ payment, search, result, page }: FreeStepProps) {
  const [form, fields] = useFormOf<{ amount: string }>(result, { id: 'payment-proof' });
  return (
    <div className="mt-4 grid gap-5">
      <AmountDue payment={payment} isFirstStop={!result} />
      <div className="grid gap-2 text-ink-2">
        <p>
          There is nothing to pay, so there is nothing to check: your plan begins as you press the button.
        </p>
        {payment.tells.slice(1).map((line) => (
          <p key={line} className="text-sm">
            {line}
          </p>
        ))}
      </div>
      <FormPanel
        form={form}
        failure="Failed to submit payment proof"
        isOnce
        action={`${page}?dialog=subscribe&step=2&${search}`}
        fields={{ ...payment.form, transactionId: payment.reference.replace('-', '') }}
        preventScrollReset
      >
        <FieldError field={fields.amount} />
        <SubmitButton className="w-full" busyLabel="One moment…">
          Start Plan
        </SubmitButton>
      </FormPanel>
      <BackToPlans to={`${page}?dialog=subscribe&${search}`} />
    </div>
  );
}
