import type { PaymentMethod } from '#app/db/tables.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { plainAmount } from './money.ts';

/** The method follows the currency: rupees are paid by UPI, everything else by PayPal. */
export const methodOf = (currencyCode: string): PaymentMethod => (currencyCode === 'INR' ? 'upi' : 'paypal');

/** Whether the operator has said where payments of this method go. */
export const isConfigured = (method: PaymentMethod) =>
  Boolean(method === 'upi' ? env().UPI_ID : env().PAYPAL_EMAIL);

export function configuredMethodOf(currencyCode: string): PaymentMethod {
  const method = methodOf(currencyCode);
  if (isConfigured(method)) return method;
  const name = method === 'upi' ? 'UPI' : 'PayPal';
  throw new Refusal(
    503,
    'payment_method_unavailable',
    `Payments by ${name} are not set up yet. Please choose another currency`,
    { field: 'currencyCode' },
  );
}

/**
 * The link that opens a UPI app, NPCI Linking Specification 1.6. A personal address carries pa, pn, am, cu
 * and tn only: apps refuse merchant parameters for it. A space is %20, never a plus; the @ stays raw.
 */
export function upiUrl(payment: { amountMinor: number; note: string }): string {
  const values = {
    pa: env().UPI_ID ?? '',
    pn: env().UPI_NAME ?? 'Tidepost',
    am: plainAmount(payment.amountMinor),
    cu: 'INR',
    tn: payment.note,
  };
  const pairs = Object.entries(values).map(
    ([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%40', '@')}`,
  );
  return `upi://pay?${pairs.join('&')}`;
}
