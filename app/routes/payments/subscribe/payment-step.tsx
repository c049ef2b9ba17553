import type { SubmissionResult } from '@conform-to/react';
import { Smartphone } from 'lucide-react';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import {
  SCREENSHOT_BYTES_MAX,
  TRANSACTION_ID_TYPED_MAX,
  VERIFIED_WITHIN_HOURS,
} from '#app/domain/payments/limits.ts';
import { CopyButton } from '#app/ui/components/copy-button.tsx';
import { controlProps, type Field, FieldFrame } from '#app/ui/form/field.tsx';
import { FieldError, FormPanel, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import { AmountDue } from './amount-due.tsx';
import { BackToPlans } from './back-to-plans.tsx';
import type { PaymentData } from './load.ts';

type Fields = { transactionId: string; amount: string; screenshot: string };

type PaymentStepProps = {
  payment: PaymentData;
  search: string;
  result?: SubmissionResult<string[]> | undefined;
  page: string;
};

export function PaymentStep({ payment, search, result, page }: PaymentStepProps) {
  const { outcome } = payment;
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
            <p>{describeNextStep(payment)}</p>
            {outcome.map((line) => (
              <p key={line} className="text-sm">
                {line}
              </p>
            ))}
            {payment.lostRequests.map(({ reference, paid, support }) => (
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

/** The outcome of an immediate upgrade is listed below. */
function describeNextStep({ startsOn, outcome }: PaymentData): string {
  if (outcome.length > 0) return 'You get a mail.';
  const when = startsOn ? ` on ${startsOn}` : '';
  return `You get a mail, and your plan begins${when}. Until then nothing changes.`;
}

const Part = ({ number, title, children }: { number: number; title: string; children: ReactNode }) => (
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
  const checkEmpty = (input: HTMLInputElement | null) => {
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
        // Something may have been typed before hydration.
        ref={checkEmpty}
        onInput={(event) => checkEmpty(event.currentTarget)}
      />
      <ScreenshotField field={fields.screenshot} wasRefused={result !== undefined} />
      <div>
        <SubmitButton className="w-full" busyLabel="Submitting…" disabled={isHydrated && isEmpty}>
          Submit
        </SubmitButton>
        <p className="mt-1.5 text-center text-sm text-ink-3">{`Verified within ${VERIFIED_WITHIN_HOURS} hours`}</p>
      </div>
    </FormPanel>
  );
}

const MEGABYTES = `${SCREENSHOT_BYTES_MAX / 1024 ** 2} MB`;
const TOO_LARGE = `The screenshot is over ${MEGABYTES}. Choose a smaller one, or submit without it`;

/** Rejects a file that is too large before it is uploaded, if there are scripts. */
function ScreenshotField({ field, wasRefused }: { field: Field; wasRefused: boolean }) {
  const [isTooLarge, setTooLarge] = useState(false);
  const checkSize = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const tooLarge = (input.files?.[0]?.size ?? 0) > SCREENSHOT_BYTES_MAX;
    setTooLarge(tooLarge);
    if (tooLarge) input.value = '';
  };
  const errors = isTooLarge ? [TOO_LARGE] : field.errors;
  // Without scripts the browser forgets the file when the page reloads.
  const again = wasRefused && !errors?.length;
  const hint = `PNG, JPEG or WebP, at most ${MEGABYTES}.${again ? ' Choose it again if it is not named here.' : ''}`;
  // A field's properties are getters, so a spread would not copy them.
  const { id, name, key, formId, errorId, descriptionId } = field;
  const copied = { id, name, key, formId, errorId, descriptionId, errors } as Field;
  return (
    <FieldFrame field={copied} label={LABEL} hint={hint}>
      <input
        {...controlProps(copied, true)}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        onChange={checkSize}
        className="file-input"
      />
    </FieldFrame>
  );
}

const LABEL = (
  <>
    Screenshot <span className="font-normal text-ink-3">(optional)</span>
  </>
);

const CopyRow = ({ label, text, children }: { label: string; text: string; children?: ReactNode }) => (
  <div className="flex items-center justify-between gap-3">
    <div className="min-w-0">
      <p className="text-sm text-ink-3">{label}</p>
      <p className="font-medium break-all select-all">{text}</p>
      {children}
    </div>
    <CopyButton text={text} label={label} />
  </div>
);

const UpiPayment = ({ payment, upi }: { payment: PaymentData; upi: NonNullable<PaymentData['upi']> }) => (
  <div className="flex flex-col gap-4">
    <div className="scan">
      <img
        src={upi.qr}
        width={160}
        height={160}
        alt={`QR code that pays ${payment.amount} to ${upi.id}`}
        className="pay-qr rounded-md border border-line bg-white"
      />
      <div>
        <p className="text-sm text-ink-2">
          Scan it with any UPI app<span className="open-upi">, or open one here</span>.
        </p>
        <a href={upi.url} className="open-upi btn btn-secondary">
          <Smartphone aria-hidden size={18} />
          Open UPI App
        </a>
      </div>
    </div>
    <CopyRow label="UPI ID" text={upi.id} />
    <CopyRow label="Amount" text={payment.plainAmount} />
    <CopyRow label="Note" text={payment.note} />
  </div>
);

const PayPalPayment = ({ payment }: { payment: PaymentData }) => (
  <div className="flex flex-col gap-4">
    <p className="text-ink-2">Send {payment.amount} with PayPal to this address.</p>
    <CopyRow label="PayPal address" text={payment.paypalEmail ?? ''} />
    <CopyRow label="Amount" text={payment.plainAmount} />
    <CopyRow label="Note to include" text={payment.note}>
      <p className="text-sm text-ink-3">It tells us that the payment is yours.</p>
    </CopyRow>
  </div>
);
