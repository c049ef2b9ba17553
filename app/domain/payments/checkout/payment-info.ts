import type { Db } from '#app/db/client.ts';
import type { PaymentMethod } from '#app/db/tables.ts';
import { findUser } from '#app/domain/accounts/users.ts';
import { methodOf, upiUrl } from '#app/domain/payments/methods.ts';
import { findPrice } from '#app/domain/payments/prices.ts';
import { type Moved, previewPayment, type Terms } from '#app/domain/payments/review/preview.ts';
import type { PlanChoice, UpgradeChoice } from '#app/domain/payments/schema.ts';
import { countDays, daysOf } from '#app/domain/payments/subscription/periods.ts';
import { listPieces } from '#app/domain/payments/subscription/spans.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { type Choice, quotePurchase } from './quote.ts';
import { findRequest, listLost, openRequest, type PaymentRequest } from './requests.ts';

type Due = Choice & Terms & { promoPercent: number; currencySymbol: string };

/** What a purchase costs, what it is made of and what it will do. */
export type Outlook = Due & {
  method: PaymentMethod;
  current: { postsPerDay: number; endsAt: Date; daysRemaining: number; creditMinor: number } | null;
  /** When the month begins that is paid for; null where it begins with the verification. */
  startsAt: Date | null;
  /** What of other plans goes on after an immediate upgrade, as it would be now. */
  goesOn: Moved[];
  /** How much of the credited time has been used already, and what that takes off the new month. */
  usedMs: number;
  takenMs: number;
};

export type PaymentInfo = Outlook & {
  reference: string;
  /** Until then this is what is taken. */
  expiresAt: Date;
  /** What the payer writes into the note, so that the payment can be found. */
  note: string;
  upi: { url: string; id: string } | null;
  paypalEmail: string | null;
  /** What was asked before for the same plan, is no longer taken, and may have been paid. */
  lost: { reference: string; amountMinor: number }[];
};

/** The plan that is credited or that runs, and what is left of it. */
async function currentOf(db: Db, actor: Actor, { credit }: Due, now: Date): Promise<Outlook['current']> {
  const plan = await findActivePlan(db, actor.userId, now);
  const creditMinor = credit?.minor ?? 0;
  if (credit) {
    const own = (await listPieces(db, [actor.userId])).filter(
      ({ paymentId }) => paymentId === credit.paymentId,
    );
    const { postsPerDay, endsAt } = own.at(-1)!;
    return { postsPerDay, endsAt, daysRemaining: daysOf(credit.ms), creditMinor };
  }
  if (!plan) return null;
  const { postsPerDay, endsAt } = plan;
  return { postsPerDay, endsAt, daysRemaining: countDays(plan, now).remaining, creditMinor };
}

async function lookAhead(db: Db, actor: Actor, due: Due, now: Date): Promise<Outlook> {
  const { timeZone } = await findUser(db, actor.userId);
  const { startsAt, moved, usedMs, takenMs } = previewPayment(
    due,
    await listPieces(db, [actor.userId]),
    timeZone,
    now,
  );
  return {
    ...due,
    method: methodOf(due.currencyCode),
    current: await currentOf(db, actor, due, now),
    startsAt: due.upgradeType === 'next_billing' && startsAt > now ? startsAt : null,
    goesOn: moved,
    usedMs,
    takenMs,
  };
}

async function toInfo(db: Db, actor: Actor, request: PaymentRequest, now: Date): Promise<PaymentInfo> {
  const outlook = await lookAhead(db, actor, request, now);
  const { amountMinor, reference, expiresAt } = request;
  const note = `Tidepost ${reference}`;
  const isUpi = outlook.method === 'upi';
  const isFree = amountMinor === 0;
  return {
    ...outlook,
    reference,
    expiresAt,
    note,
    upi: isUpi && !isFree ? { url: upiUrl({ amountMinor, note }), id: env().UPI_ID! } : null,
    paypalEmail: isUpi || isFree ? null : env().PAYPAL_EMAIL!,
    lost: await listLost(db, actor, request, now),
  };
}

/** How to pay a first plan, or a new one after the last has ended: its open request. */
export const preparePayment = (
  db: Db,
  actor: Actor,
  input: PlanChoice,
  now = new Date(),
): Promise<PaymentInfo> => prepare(db, actor, { ...input, upgradeType: null }, now);

/** How to pay the change of an active plan, now or at its end, or its renewal: its open request. */
export async function prepareUpgrade(
  db: Db,
  actor: Actor,
  input: UpgradeChoice,
  now = new Date(),
): Promise<PaymentInfo> {
  const { newPostsPerDay: postsPerDay, currencyCode, startImmediately } = input;
  const upgradeType = startImmediately ? 'immediate' : 'next_billing';
  return prepare(db, actor, { postsPerDay, currencyCode, upgradeType }, now);
}

/** How to pay a choice: the request that is open for it, or the one that this opens. */
export async function prepare(db: Db, actor: Actor, choice: Choice, now = new Date()): Promise<PaymentInfo> {
  return toInfo(db, actor, await openRequest(db, actor, choice, now), now);
}

type Ready =
  | { outlook: Outlook; info: PaymentInfo | null; problem: null }
  | { outlook: null; info: null; problem: string };

/**
 * What a choice costs, and with `isOpened` how to pay it, by its open request; or the sentence that says why it can't be
 * bought now. Only looking at a price opens no request.
 */
export async function readyPayment(
  db: Db,
  actor: Actor,
  choice: Choice,
  isOpened: boolean,
  now = new Date(),
): Promise<Ready> {
  try {
    const info = isOpened ? await prepare(db, actor, choice, now) : null;
    return { outlook: info ?? (await preview(db, actor, choice, now)), info, problem: null };
  } catch (error) {
    if (error instanceof Refusal) return { outlook: null, info: null, problem: error.message };
    throw error;
  }
}

async function preview(db: Db, actor: Actor, choice: Choice, now: Date): Promise<Outlook> {
  const open = await findRequest(db, actor, choice, now);
  if (open) return lookAhead(db, actor, open, now);
  const quote = await quotePurchase(db, actor, choice, now);
  const { symbol: currencySymbol } = await findPrice(db, choice.currencyCode, choice.postsPerDay);
  return lookAhead(db, actor, { ...quote, currencySymbol }, now);
}
