import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { formatDate } from '#app/domain/dates.ts';
import { describeChecking, supportFor } from '#app/domain/payments/being-checked.ts';
import { findWaitingPayment } from '#app/domain/payments/history.ts';
import { POSTS_PER_DAY, POSTS_PER_DAY_MAX } from '#app/domain/payments/limits.ts';
import { FALLBACK_PRICE_MINOR, formatMoney, formatPrice, plainAmount } from '#app/domain/payments/money.ts';
import type { Payment } from '#app/domain/payments/payment.ts';
import { type PaymentInfo, previewPayment } from '#app/domain/payments/payment-info.ts';
import { postsADay } from '#app/domain/payments/plan-words.ts';
import { listCurrencies, listPrices } from '#app/domain/payments/prices.ts';
import { type ActivePlan, findActivePlan } from '#app/domain/payments/subscription.ts';
import { qrDataUri } from '#app/ui/qr.server.ts';

const QR_SIZE = 160;

type Currency = Awaited<ReturnType<typeof listCurrencies>>[number];

/** One step up; whoever has the largest plan can only step down. */
function usualCount(plan: ActivePlan | undefined): number {
  if (!plan) return POSTS_PER_DAY[0];
  return plan.postsPerDay === POSTS_PER_DAY_MAX ? POSTS_PER_DAY_MAX - 1 : plan.postsPerDay + 1;
}

/** What the address says was chosen, with the defaults of the screen for the rest. */
function readChoice(query: URLSearchParams, plan: ActivePlan | undefined, currencies: Currency[]) {
  const usual = usualCount(plan);
  const wanted = Number(query.get('posts'));
  const postsPerDay = POSTS_PER_DAY.find((count) => count === wanted) ?? usual;
  const find = (code: string | null | undefined) => currencies.find((currency) => currency.code === code);
  const currency = find(query.get('currency')) ?? find(plan?.currencyCode) ?? find('USD') ?? currencies[0];
  const isNext = query.get('start') === 'next';
  return { postsPerDay, currency, start: isNext ? ('next' as const) : ('immediate' as const) };
}

function describeDue(info: PaymentInfo, actor: Actor) {
  const currency = { code: info.currencyCode, symbol: info.currencySymbol };
  const amount = formatMoney(info.amountMinor, currency);
  const isImmediate = info.upgradeType === 'immediate';
  return {
    amount,
    plainAmount: plainAmount(info.amountMinor),
    plan: postsADay(info.postsPerDay),
    reference: info.reference,
    note: info.note,
    promoPercent: info.promoPercent,
    fullPrice: formatMoney(info.fullPriceMinor, currency),
    credit: info.current && isImmediate ? formatMoney(info.current.creditMinor, currency) : null,
    daysRemaining: info.current?.daysRemaining ?? 0,
    startsOn: info.current && !isImmediate ? formatDate(info.current.endsAt, actor.timeZone) : null,
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

/** In place of a choice while a payment waits: nobody is led to pay a second time. */
function describeWaiting(payment: Payment, { timeZone }: Actor, now: Date) {
  const { currencyCode: code, currencySymbol: symbol, transactionId, reference, postsPerDay } = payment;
  return {
    step: 'waiting' as const,
    amount: formatMoney(payment.amountMinor, { code, symbol }),
    plan: postsADay(postsPerDay),
    ...{ transactionId, reference },
    checking: describeChecking(payment, timeZone, now),
    support: supportFor(payment),
  };
}
export type WaitingData = ReturnType<typeof describeWaiting>;

/** What the subscription dialog shows, or undefined when the address does not ask for it. */
export async function loadSubscribeDialog(db: Db, actor: Actor, query: URLSearchParams, now = new Date()) {
  if (query.get('dialog') !== 'subscribe') return undefined;
  const [plan, currencies, waiting] = await Promise.all([
    findActivePlan(db, actor.userId, now),
    listCurrencies(db),
    findWaitingPayment(db, actor),
  ]);
  if (waiting) return describeWaiting(waiting, actor, now);
  const { postsPerDay, currency, start } = readChoice(query, plan, currencies);
  if (!currency) return { step: 0 as const, problem: 'Payments are not set up yet. Please come back later' };
  const upgradeType = plan ? (start === 'next' ? 'next_billing' : 'immediate') : null;
  const choice = { postsPerDay, currencyCode: currency.code, upgradeType } as const;
  const { info, problem } = await previewPayment(db, actor, choice, now);
  const prices = await listPrices(db, currency.code);
  const options = POSTS_PER_DAY.map((count) => {
    const price = prices.find((row) => row.postsPerDay === count)?.amountMinor ?? FALLBACK_PRICE_MINOR;
    const isCurrent = plan?.postsPerDay === count;
    return { count, label: postsADay(count), price: formatPrice(price, currency), isCurrent };
  });
  const search = new URLSearchParams({ posts: String(postsPerDay), currency: currency.code, start });
  return {
    step: info && query.get('step') === '2' ? (2 as const) : (1 as const),
    problem,
    isUpgrade: Boolean(plan),
    currentPlan: plan && {
      label: postsADay(plan.postsPerDay),
      endsOn: formatDate(plan.endsAt, actor.timeZone),
    },
    choice: { postsPerDay, currencyCode: currency.code, start, search: search.toString() },
    currencies: currencies.map(({ code, symbol, name }) => ({
      value: code,
      label: `${code} ${symbol} ${name}`,
    })),
    options,
    price: options[postsPerDay - 1]!.price,
    payment: info && describeDue(info, actor),
  };
}

export type SubscribeData = NonNullable<Awaited<ReturnType<typeof loadSubscribeDialog>>>;
export type ChooseData = Exclude<SubscribeData, { step: 0 | 'waiting' }>;
export type PaymentData = NonNullable<ChooseData['payment']>;
