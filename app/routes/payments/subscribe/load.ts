import type { Db } from '#app/db/client.ts';
import {
  type PaymentInfo,
  type PurchasePreview,
  tryPreparePayment,
} from '#app/domain/payments/checkout/payment-info.ts';
import { presentPending, supportLink } from '#app/domain/payments/checkout/pending-message.ts';
import { findRequest } from '#app/domain/payments/checkout/requests.ts';
import { findPendingPayment } from '#app/domain/payments/history.ts';
import { POSTS_PER_DAY, POSTS_PER_DAY_MAX } from '#app/domain/payments/limits.ts';
import { FALLBACK_PRICE_MINOR, formatMoney, formatPrice, plainAmount } from '#app/domain/payments/money.ts';
import type { Payment } from '#app/domain/payments/payment.ts';
import { postsADay } from '#app/domain/payments/plan-labels.ts';
import { findPrices, listCurrencies } from '#app/domain/payments/prices.ts';
import { presentOutcome } from '#app/domain/payments/review/preview-text.ts';
import { type ActivePlan, findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatInstant } from '#app/domain/platform/dates.ts';
import { qrDataUri } from '#app/ui/qr.server.ts';

const QR_SIZE = 160;

function presentPurchase(info: PurchasePreview, actor: Actor) {
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
    outcome: presentOutcome(info, actor.timeZone),
  };
}

/** The user may have paid an earlier request, and must not pay twice. */
function presentLost(lost: PaymentInfo['lost'][number], { currencyCode: code }: PurchasePreview) {
  const { reference } = lost;
  const paid = `Have you paid ${formatMoney(lost.amountMinor, { code })} with the reference`;
  return { reference, paid, support: supportLink({ reference }) };
}

function presentDue(info: PaymentInfo, actor: Actor) {
  return {
    ...presentPurchase(info, actor),
    plainAmount: plainAmount(info.amountMinor),
    isFree: info.amountMinor === 0,
    lostRequests: info.lost.map((request) => presentLost(request, info)),
    reference: info.reference,
    note: info.note,
    expiresAt: formatInstant(info.expiresAt, actor.timeZone),
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

/** What starting another plan costs and changes, before it is chosen. */
function presentStart(info: PurchasePreview, actor: Actor): string {
  const price = (minor: number) => formatPrice(minor, { code: info.currencyCode });
  const { daysRemaining, startsOn, outcome } = presentPurchase(info, actor);
  const pays = `You pay ${price(info.amountMinor)} now`;
  if (info.upgradeType !== 'immediate' || !info.current) {
    const when = startsOn
      ? `begins on ${startsOn}, when your plan ends: no gap`
      : 'begins when it is verified';
    return `${pays}. The new month ${when}.`;
  }
  const credit = price(info.current.creditMinor);
  const why = `${price(info.fullPriceMinor)} less ${credit} for the ${days(daysRemaining)} left of your plan`;
  return [`${pays}: ${why}.`, ...outcome].join(' ');
}

type Choice = { postsPerDay: number; currencyCode: string };
const UPGRADE_TYPES = { immediate: 'immediate', next: 'next_billing' } as const;
const START_LABELS = { immediate: 'Immediately', next: 'Next Billing' };
type Start = keyof typeof UPGRADE_TYPES;
type PresentedStart = { value: Start; label: string; text: string; isPossible: boolean };

/** Both starts of another plan: what each means, or why it isn't possible. */
async function presentStarts(db: Db, actor: Actor, choice: Choice, now: Date): Promise<PresentedStart[]> {
  const describe = async (value: Start) => {
    const requested = { ...choice, upgradeType: UPGRADE_TYPES[value] };
    const { preview, problem } = await tryPreparePayment(db, actor, requested, false, now);
    const text = preview ? presentStart(preview, actor) : `${problem}.`;
    return { value, label: START_LABELS[value], text, isPossible: preview !== null };
  };
  return Promise.all([describe('immediate'), describe('next')]);
}

/** If only the other start is possible, offers that one. */
function possibleStart(start: Start, starts: PresentedStart[]): Start {
  const possible = starts.filter(({ isPossible }) => isPossible).map(({ value }) => value);
  return possible.includes(start) ? start : (possible[0] ?? start);
}

/** The choices of posts per day with their prices. `own`: the user's current number. */
function presentOptions(prices: { postsPerDay: number; amountMinor: number }[], code: string, own?: number) {
  return POSTS_PER_DAY.map((count) => {
    const price = prices.find((row) => row.postsPerDay === count)?.amountMinor ?? FALLBACK_PRICE_MINOR;
    return { count, price: formatPrice(price, { code }), isCurrent: own === count };
  });
}

type Currency = Awaited<ReturnType<typeof listCurrencies>>[number];

/** One step up; from the largest plan one step down. */
function defaultCount(plan: ActivePlan | undefined): number {
  if (!plan) return POSTS_PER_DAY[0];
  return plan.postsPerDay === POSTS_PER_DAY_MAX ? POSTS_PER_DAY_MAX - 1 : plan.postsPerDay + 1;
}

function readChoice(query: URLSearchParams, plan: ActivePlan | undefined, currencies: Currency[]) {
  const requested = Number(query.get('posts'));
  const postsPerDay = POSTS_PER_DAY.find((count) => count === requested) ?? defaultCount(plan);
  const find = (code: string | null | undefined) => currencies.find((currency) => currency.code === code);
  const currency = find(query.get('currency')) ?? find(plan?.currencyCode) ?? find('USD') ?? currencies[0];
  const isNext = query.get('start') === 'next';
  return { postsPerDay, currency, start: isNext ? ('next' as const) : ('immediate' as const) };
}

/** Shown instead of a choice while a payment is verified, so that the user doesn't pay twice. */
function presentWaiting(payment: Payment, { timeZone }: Actor, now: Date) {
  const { currencyCode: code, transactionId, reference, postsPerDay } = payment;
  return {
    step: 'waiting' as const,
    amount: formatMoney(payment.amountMinor, { code }),
    plan: postsADay(postsPerDay),
    transactionId,
    reference,
    checking: presentPending(payment, timeZone, now),
    support: supportLink(payment),
  };
}
export type WaitingData = ReturnType<typeof presentWaiting>;

/** A payment that was requested before the plan ended can still be paid, with the start in its URL. */
async function findUpgradeType(
  db: Db,
  actor: Actor,
  plan: ActivePlan | undefined,
  choice: ChoiceQuery,
  now: Date,
) {
  const upgradeType = choice.start === 'next' ? ('next_billing' as const) : ('immediate' as const);
  if (plan) return upgradeType;
  return choice.start && (await findRequest(db, actor, { ...choice, upgradeType }, now)) ? upgradeType : null;
}

/** The choice as a query string. `start` is only set beside a plan. */
function searchOf({ postsPerDay, currencyCode, start }: ChoiceQuery): string {
  const search = new URLSearchParams({ posts: String(postsPerDay), currency: currencyCode });
  if (start) search.set('start', start);
  return search.toString();
}

type ChoiceQuery = { postsPerDay: number; currencyCode: string; start: string | null };

export async function loadSubscribeDialog(db: Db, actor: Actor, query: URLSearchParams, now = new Date()) {
  if (query.get('dialog') !== 'subscribe') return undefined;
  const [plan, currencies, waiting] = await Promise.all([
    findActivePlan(db, actor.userId, now),
    listCurrencies(db),
    findPendingPayment(db, actor),
  ]);
  if (waiting) return presentWaiting(waiting, actor, now);
  const { postsPerDay, currency, start: requested } = readChoice(query, plan, currencies);
  if (!currency) return { step: 0 as const, problem: 'Payments are not set up yet. Please come back later' };
  const choice = { postsPerDay, currencyCode: currency.code };
  const isPaying = query.get('step') === '2';
  const upgradeType = await findUpgradeType(db, actor, plan, { ...choice, start: query.get('start') }, now);
  const ready = await tryPreparePayment(db, actor, { ...choice, upgradeType }, isPaying, now);
  const starts = plan ? await presentStarts(db, actor, choice, now) : [];
  const start = plan ? possibleStart(requested, starts) : requested;
  const search = searchOf({ ...choice, start: upgradeType && start });
  return {
    step: ready.info ? (2 as const) : (1 as const),
    problem: isPaying || !plan ? ready.problem : null,
    canContinue: plan ? starts.some(({ isPossible }) => isPossible) : ready.problem === null,
    isUpgrade: Boolean(plan),
    currentPlan: plan && {
      label: postsADay(plan.postsPerDay),
      endsOn: formatDate(plan.endsAt, actor.timeZone),
    },
    choice: { ...choice, start, search },
    currencies: currencies.map(({ code, symbol, name }) => ({
      value: code,
      label: `${code} ${symbol} ${name}`,
    })),
    options: presentOptions(await findPrices(db, currency.code), currency.code, plan?.postsPerDay),
    starts,
    preview: ready.preview && presentPurchase(ready.preview, actor),
    payment: ready.info && presentDue(ready.info, actor),
  };
}

export type SubscribeData = NonNullable<Awaited<ReturnType<typeof loadSubscribeDialog>>>;
export type ChooseData = Exclude<SubscribeData, { step: 0 | 'waiting' }>;
export type PaymentData = NonNullable<ChooseData['payment']>;
