import { Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyButton } from '#app/ui/components/copy-button.tsx';
import type { PaymentData } from './load.ts';

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

/** A QR code, a link for the phone it is shown on, and the same to copy. */
export function UpiPayment({ payment, upi }: { payment: PaymentData; upi: NonNullable<PaymentData['upi']> }) {
  return (
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
          {/* Only what is held in a hand has such an app. */}
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
}

export function PayPalPayment({ payment }: { payment: PaymentData }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-2">Send {payment.amount} with PayPal to this address.</p>
      <CopyRow label="PayPal address" text={payment.paypalEmail ?? ''} />
      <CopyRow label="Amount" text={payment.plainAmount} />
      <CopyRow label="Note to include" text={payment.note}>
        <p className="text-sm text-ink-3">It tells us that the payment is yours.</p>
      </CopyRow>
    </div>
  );
}
