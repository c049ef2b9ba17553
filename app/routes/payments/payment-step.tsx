import type { SubmissionResult } from '@conform-to/react';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { TRANSACTION_ID_TYPED_MAX, VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { FieldError, FormPanel, SubmitButton, TextField, useFormOf } from '#app/ui/form.tsx';
import { useHydrated } from '#app/ui/hydrated.ts';
import type { PaymentData } from './subscribe-data.ts';
import { PayPalPayment, UpiPayment } from './ways-to-pay.tsx';

type Fields = { transactionId: string; amount: string };

type PaymentStepProps = {
  payment: PaymentData;
  search: string;
  result?: SubmissionResult<string[]> | undefined;
  page: string;
};

/** What to pay and how; then the transaction ID that proves it, and what happens after that. */
export function PaymentStep({ payment, search, result, page }: PaymentStepProps) {
  return (
    <div className="mt-4 grid gap-x-8 gap-y-5 md:grid-cols-2">
      <Part number={1} title="Pay">
        <Amount payment={payment} isFirstStop={!result} />
        {payment.upi ? (
          <UpiPayment payment={payment} upi={payment.upi} />
        ) : (
          <PayPalPayment payment={payment} />
        )}
      </Part>
      <div className="grid content-start gap-5">
        <Part number={2} title="Paste the ID">
          <ProofForm payment={payment} search={search} result={result} page={page} />
        </Part>
        <Part number={3} title={`We check within ${VERIFIED_WITHIN_HOURS} hours`}>
          <p className="text-ink-2">You get a mail, and your plan begins. Until then nothing changes.</p>
        </Part>
        <ButtonLink
          to={`${page}?dialog=subscribe&${search}`}
          replace
          preventScrollReset
          variant="ghost"
          className="justify-self-start"
        >
          <ArrowLeft aria-hidden size={16} />
          Back
        </ButtonLink>
      </div>
    </div>
  );
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
      <div>
        <SubmitButton className="w-full" busyLabel="Submitting…" disabled={isHydrated && isEmpty}>
          Submit
        </SubmitButton>
        <p className="mt-1.5 text-center text-sm text-ink-3">{`Verified within ${VERIFIED_WITHIN_HOURS} hours`}</p>
      </div>
    </FormPanel>
  );
}

type AmountProps = { payment: PaymentData; isFirstStop: boolean };

/** Has the focus when the step opens, so that a phone shows what to pay before where to type. */
function Amount({ payment, isFirstStop }: AmountProps) {
  const { amount, plan, credit, fullPrice, daysRemaining, promoPercent, startsOn } = payment;
  return (
    <div tabIndex={-1} data-first-stop={isFirstStop || undefined} className="rounded-md bg-sunken p-4">
      <p className="text-sm text-ink-2">Amount to pay</p>
      <p className="font-display text-2xl font-semibold tabular-nums">{amount}</p>
      <p className="text-ink-2">
        {plan}, one month{startsOn && `, starting ${startsOn}`}
      </p>
      {promoPercent > 0 && (
        <p className="mt-1 text-sm text-accent-ink">
          {promoPercent}% off the first month, instead of {fullPrice}.
        </p>
      )}
      {credit && (
        <dl className="mt-3 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 border-t border-line pt-3 text-sm tabular-nums">
          <dt>New plan, full price</dt>
          <dd className="text-end">{fullPrice}</dd>
          <dt>
            Credit for {daysRemaining === 1 ? '1 day' : `${daysRemaining} days`} left of your current plan
          </dt>
          <dd className="text-end">−{credit}</dd>
          <dt className="font-semibold">Amount to pay</dt>
          <dd className="text-end font-semibold">{amount}</dd>
        </dl>
      )}
    </div>
  );
}
