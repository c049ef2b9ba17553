import type { SubmissionResult } from '@conform-to/react';
import { type ReactNode, useState } from 'react';
import { TRANSACTION_ID_TYPED_MAX, VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';
import { FieldError, FormPanel, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import { AmountDue } from './amount-due.tsx';
import { BackToPlans } from './back-to-plans.tsx';
import type { PaymentData } from './load.ts';
import { ScreenshotField } from './screenshot-field.tsx';
import { PayPalPayment, UpiPayment } from './ways-to-pay.tsx';

type Fields = { transactionId: string; amount: string; screenshot: string };

type PaymentStepProps = {
  payment: PaymentData;
  search: string;
  result?: SubmissionResult<string[]> | undefined;
  page: string;
};

/** What to pay and how; then the transaction ID that proves it, and what happens after that. */
export function PaymentStep({ payment, search, result, page }: PaymentStepProps) {
  const { tells } = payment;
  return (
    <div className="mt-4 grid gap-x-8 gap-y-5 md:grid-cols-2">
      <Part number={1} title="Pay">
        <AmountDue payment={payment} isFirstStop={!result} />
        {payment.upi ? (
          <UpiPayment payment={payment} upi={payment.upi} />
        ) : (
          <PayPalPayment payment={payment} />
        )}
      </Part>
      <div className="grid content-start gap-5">
        <Part number={2} title="Paste the transaction ID">
          <ProofForm payment={payment} search={search} result={result} page={page} />
        </Part>
        <Part number={3} title={`We check within ${VERIFIED_WITHIN_HOURS} hours`}>
          <div className="grid gap-2 text-ink-2">
            <p>{whatFollows(payment)}</p>
            {tells.map((line) => (
              <p key={line} className="text-sm">
                {line}
              </p>
            ))}
            {payment.lost.map(({ reference, paid, support }) => (
              <p key={reference} className="text-sm">
                {paid} <span className="whitespace-nowrap">{reference}</span> already? Then don’t pay again.
                Write to us, and we put it right by hand:{' '}
                <a href={support.href} className="link break-words">
                  {support.address}
                </a>
              </p>
            ))}
          </div>
        </Part>
        <BackToPlans to={`${page}?dialog=subscribe&${search}`} />
      </div>
    </div>
  );
}

/** Of an upgrade at once there is more to say. */
function whatFollows({ startsOn, tells }: PaymentData): string {
  if (tells.length > 0) return 'You get a mail.';
  const when = startsOn ? ` on ${startsOn}` : '';
  return `You get a mail, and your plan begins${when}. Until then nothing changes.`;
}

type PartProps = { number: number; title: string; children: ReactNode };

const Part = ({ number, title, children }: PartProps) => (
  <section className="grid content-start gap-4">
    <h3 className="flex items-center gap-3 font-semibold">
      <span aria-hidden className="grid size-7 place-items-center rounded-full bg-brand-soft text-brand-ink">
        {number}
      </span>
      {title}
    </h3>
    {children}
  </section>
);

function ProofForm({ payment, search, result, page }: PaymentStepProps) {
  const [form, fields] = useFormOf<Fields>(result, { id: 'payment-proof' });
  const isHydrated = useHydrated();
  const [isEmpty, setEmpty] = useState(!fields.transactionId.defaultValue);
  const look = (input: HTMLInputElement | null) => {
    if (input) setEmpty(input.value.trim() === '');
  };
  const usual = payment.upi ? 'UPI: usually 12 digits.' : 'PayPal: usually 17 letters and digits.';
  return (
    <FormPanel
      form={form}
      failure="Failed to submit payment proof"
      isOnce
      action={`${page}?dialog=subscribe&step=2&${search}`}
      fields={payment.form}
      encType="multipart/form-data"
      preventScrollReset
    >
      <FieldError field={fields.amount} />
      <TextField
        field={fields.transactionId}
        label="Transaction ID"
        hint={`From your payment app. ${usual}`}
        maxLength={TRANSACTION_ID_TYPED_MAX}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        aria-required
        // Something may have been typed before scripts came.
        ref={look}
        onInput={(event) => look(event.currentTarget)}
      />
      <ScreenshotField field={fields.screenshot} wasRefused={result !== undefined} />
      <Submit isDisabled={isHydrated && isEmpty} />
    </FormPanel>
  );
}

const Submit = ({ isDisabled }: { isDisabled: boolean }) => (
  <div>
    <SubmitButton className="w-full" busyLabel="Submitting…" disabled={isDisabled}>
      Submit
    </SubmitButton>
    <p className="mt-1.5 text-center text-sm text-ink-3">{`Verified within ${VERIFIED_WITHIN_HOURS} hours`}</p>
  </div>
);
