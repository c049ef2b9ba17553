import type { Outlook, PaymentInfo } from '#app/domain/payments/checkout/payment-info.ts';
import { supportFor } from '#app/domain/payments/checkout/pending-message.ts';
import { formatMoney, formatPrice, plainAmount } from '#app/domain/payments/money.ts';
import { postsADay } from '#app/domain/payments/plan-labels.ts';
import { presentOutcome } from '#app/domain/payments/review/preview-text.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatInstant } from '#app/domain/platform/dates.ts';
import { qrDataUri } from '#app/ui/qr.server.ts';

const QR_SIZE = 160;

/** What a choice costs and does. */
export function presentOutlook(info: Outlook, actor: Actor) {
  const currency = { code: info.currencyCode };
  const isImmediate = info.upgradeType === 'immediate';
  return {
    amount: formatMoney(info.amountMinor, currency),
    plan: postsADay(info.postsPerDay),
    promoPercent: info.promoPercent,
    fullPrice: formatMoney(info.fullPriceMinor, currency),
    credit: info.current && isImmediate ? formatMoney(info.current.creditMinor, currency) : null,
    daysRemaining: info.current?.daysRemaining ?? 0,
    startsOn: info.startsAt && formatDate(info.startsAt, actor.timeZone),
    tells: presentOutcome(info, actor.timeZone),
  };
}

/** Somebody may have paid what they were asked before: nobody is to pay twice. */
function presentLost(lost: PaymentInfo['lost'][number], { currencyCode: code }: Outlook) {
  const { reference } = lost;
  const paid = `Have you paid ${formatMoney(lost.amountMinor, { code })} with the reference`;
  return { reference, paid, support: supportFor({ reference }) };
}

/** How to pay it. */
export function presentDue(info: PaymentInfo, actor: Actor) {
  return {
    ...presentOutlook(info, actor),
    plainAmount: plainAmount(info.amountMinor),
    isFree: info.amountMinor === 0,
    lost: info.lost.map((request) => presentLost(request, info)),
    reference: info.reference,
    note: info.note,
    goodUntil: formatInstant(info.goodUntil, actor.timeZone),
    paypalEmail: info.paypalEmail,
    upi: info.upi && { ...info.upi, qr: qrDataUri(info.upi.url, QR_SIZE) },
    form: {
      postsPerDay: String(info.postsPerDay),
      currencyCode: info.currencyCode,
      amount: plainAmount(info.amountMinor),
      upgradeType: info.upgradeType ?? '',
    },
  };
}

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`);

/** What a start of another plan means in money and time, before it is chosen. */
export function presentStart(info: Outlook, actor: Actor): string {
  const price = (minor: number) => formatPrice(minor, { code: info.currencyCode });
  const { daysRemaining, startsOn, tells } = presentOutlook(info, actor);
  const pays = `You pay ${price(info.amountMinor)} now`;
  if (info.upgradeType !== 'immediate' || !info.current) {
    const when = startsOn
      ? `begins on ${startsOn}, when your plan ends: no gap`
      : 'begins when it is verified';
    return `${pays}. The new month ${when}.`;
  }
  const credit = price(info.current.creditMinor);
  const why = `${price(info.fullPriceMinor)} less ${credit} for the ${days(daysRemaining)} left of your plan`;
  return [`${pays}: ${why}.`, ...tells].join(' ');
}
