import { formatMoney } from '#app/domain/payments/money.ts';
import { planLabel, postsADay } from '#app/domain/payments/plan-labels.ts';
import { type findPaid, receiptNumber, seller } from '#app/domain/payments/receipt.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatMinute } from '#app/domain/platform/dates.ts';

type Paid = Awaited<ReturnType<typeof findPaid>>;

/** What was taken off the price, and why: the credit of an upgrade, else the promotion. */
function reductionOf(
  { fullPriceMinor, amountMinor, upgradeType, byShare }: Paid,
  money: (minor: number) => string,
) {
  const minor = fullPriceMinor - amountMinor;
  if (minor <= 0) return null;
  if (byShare) return { why: 'Less than a month', amount: `−${money(minor)}` };
  const why =
    upgradeType === 'immediate' ? 'Credit for what was left of the plan before' : 'First month promotion';
  return { why, amount: `−${money(minor)}` };
}

/** A receipt in words, in the time zone of its reader. */
export function describeReceipt(payment: Paid, { timeZone }: Actor) {
  const { postsPerDay, startsAt, endsAt, verifiedAt, createdAt } = payment;
  const currency = { code: payment.currencyCode };
  const money = (minor: number) => formatMoney(minor, currency);
  const day = (at: Date) => formatDate(at, timeZone);
  return {
    number: receiptNumber(payment),
    issuedOn: day(verifiedAt),
    seller: seller(),
    payer: { name: payment.payerName, email: payment.payerEmail },
    plan: `${planLabel(postsPerDay)} plan, ${postsADay(postsPerDay)}`,
    period: startsAt && endsAt ? `${day(startsAt)} to ${day(endsAt)}` : null,
    zone: timeZone.replaceAll('_', ' '),
    price: money(payment.fullPriceMinor),
    reduction: reductionOf(payment, money),
    amount: money(payment.amountMinor),
    facts: [
      ['Payment method', payment.method === 'upi' ? 'UPI' : 'PayPal'],
      ['Transaction ID', payment.transactionId],
      ['Reference', payment.reference],
      ['Submitted', formatMinute(createdAt, timeZone)],
      ['Verified', formatMinute(verifiedAt, timeZone)],
    ] as const,
  };
}

export type DescribedReceipt = ReturnType<typeof describeReceipt>;
