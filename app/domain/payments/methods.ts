import type { PaymentMethod } from '#app/db/tables.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { plainAmount } from './money.ts';

export const methodOf = (currencyCode: string): PaymentMethod => (currencyCode === 'INR' ? 'upi' : 'paypal');

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

/** NPCI Linking Specification 1.6. For a personal address apps accept only pa, pn, am, cu and tn. */
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
