import type { SubmissionResult } from '@conform-to/react';
import { ArrowLeft, Smartphone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { TRANSACTION_ID_TYPED_MAX, VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { FieldError, FormPanel, SubmitButton, TextField, useFormOf } from '#app/ui/form.tsx';
import { useHydrated } from '#app/ui/hydrated.ts';
import type { PaymentData } from './subscribe-data.ts';

type Fields = { transactionId: string; amount: string };

type PaymentStepProps = {
  payment: PaymentData;
  search: string;
  result?: SubmissionResult<string[]>;
  page: string;
};

/** What to pay, how, and the transaction ID that proves it. */
export function PaymentStep({ payment, search, result, page }: PaymentStepProps) {
  const [form, fields] = useFormOf<Fields>(result, { id: 'payment-proof' });
  const isHydrated = useHydrated();
  const [isEmpty, setEmpty] = useState(!fields.transactionId.defaultValue);
  const usual = payment.upi ? 'UPI: usually 12 digits.' : 'PayPal: usually 17 letters and digits.';
  return (
    <div className="mt-4 flex flex-col gap-5">
      <Amount payment={payment} isFirstStop={!result} />
      {payment.upi ? <UpiPayment payment={payment} upi={payment.upi} /> : <PayPalPayment payment={payment} />}
      <FormPanel
        form={form}
        action={`/app/payments/submit?dialog=subscribe&step=2&${search}`}
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
          onInput={(event) => setEmpty(event.currentTarget.value.trim() === '')}
        />
        <div>
          <SubmitButton className="w-full" busyLabel="Submitting…" disabled={isHydrated && isEmpty}>
            Submit
          </SubmitButton>
          <p className="mt-1.5 text-center text-sm text-ink-3">
            Verified within {VERIFIED_WITHIN_HOURS} hours
          </p>
        </div>
      </FormPanel>
      <ButtonLink to={`${page}?dialog=subscribe&${search}`} replace preventScrollReset variant="ghost">
        <ArrowLeft aria-hidden size={16} />
        Back
      </ButtonLink>
    </div>
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

type CopyRowProps = { label: string; text: string; children?: ReactNode };

function CopyRow({ label, text, children }: CopyRowProps) {
  return (
    <div className="flex items-center justify-between gap-3">
      <div className="min-w-0">
        <p className="text-sm text-ink-3">{label}</p>
        <p className="font-medium break-all select-all">{text}</p>
        {children}
      </div>
      <CopyButton text={text} label={label} />
    </div>
  );
}

function UpiPayment({ payment, upi }: { payment: PaymentData; upi: NonNullable<PaymentData['upi']> }) {
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col items-center gap-3 text-center">
        <img
          src={upi.qr}
          width={160}
          height={160}
          alt={`QR code that pays ${payment.amount} to ${upi.id}`}
          className="rounded-md border border-line bg-white"
        />
        <p className="text-sm text-ink-2">Scan it with any UPI app, or open one on this phone.</p>
        <a href={upi.url} className="btn btn-secondary">
          <Smartphone aria-hidden size={18} />
          Open UPI App
        </a>
      </div>
      <CopyRow label="UPI ID" text={upi.id} />
      <CopyRow label="Amount" text={payment.plainAmount} />
      <CopyRow label="Note" text={payment.note} />
    </div>
  );
}

function PayPalPayment({ payment }: { payment: PaymentData }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-2">Send {payment.amount} with PayPal to this address.</p>
      <CopyRow label="PayPal address" text={payment.paypalEmail ?? ''} />
      <CopyRow label="Note to include" text={payment.note}>
        <p className="text-sm text-ink-3">It tells us that the payment is yours.</p>
      </CopyRow>
    </div>
  );
}
