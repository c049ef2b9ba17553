import type { Db } from '#app/db/client.ts';
import type { PaymentMethod } from '#app/db/tables.ts';
import { findUser } from '#app/domain/accounts/users.ts';
import { methodOf, upiUrl } from '#app/domain/payments/methods.ts';
import { findPrice } from '#app/domain/payments/prices.ts';
import { type MovedPlan, previewPayment, type Terms } from '#app/domain/payments/review/preview.ts';
import type { PlanChoice, UpgradeChoice } from '#app/domain/payments/schema.ts';
import { countDays, daysOf } from '#app/domain/payments/subscription/periods.ts';
import { listPlanSpans } from '#app/domain/payments/subscription/spans.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { type Choice, quotePurchase } from './quote.ts';
import { findRequest, listExpiredUnpaid, openRequest, type PaymentRequest } from './requests.ts';

type Due = Choice & Terms & { promoPercent: number; currencySymbol: string };

export type PurchasePreview = Due & {
  method: PaymentMethod;
  current: { postsPerDay: number; endsAt: Date; daysRemaining: number; creditMinor: number } | null;
  /** When the new month begins; null when it begins with the verification. */
  startsAt: Date | null;
  /** Other plans that continue after an immediate upgrade, as of now. */
  movedPlans: MovedPlan[];
  /** How much of the credited time has been used meanwhile, and by how much that shortens the new month. */
  usedMs: number;
  takenMs: number;
};

export type PaymentInfo = PurchasePreview & {
  reference: string;
  /** Until then the amount is valid. */
  expiresAt: Date;
  /** The payer writes it into the transfer's note, so that the payment can be found. */
  note: string;
  upi: { url: string; id: string } | null;
  paypalEmail: string | null;
  /** Earlier requests for the same plan that are no longer valid and may have been paid. */
  lost: { reference: string; amountMinor: number }[];
};

/** The credited or current plan, and what remains of it. */
async function findCurrentPlan(
  db: Db,
  actor: Actor,
  { credit }: Due,
  now: Date,
): Promise<PurchasePreview['current']> {
  const plan = await findActivePlan(db, actor.userId, now);
  const creditMinor = credit?.minor ?? 0;
  if (credit) {
    const spans = (await listPlanSpans(db, [actor.userId])).filter(
      ({ paymentId }) => paymentId === credit.paymentId,
    );
    const { postsPerDay, endsAt } = spans.at(-1)!;
    return { postsPerDay, endsAt, daysRemaining: daysOf(credit.ms), creditMinor };
  }
  if (!plan) return null;
  const { postsPerDay, endsAt } = plan;
  return { postsPerDay, endsAt, daysRemaining: countDays(plan, now).remaining, creditMinor };
}

async function previewPurchase(db: Db, actor: Actor, due: Due, now: Date): Promise<PurchasePreview> {
  const { timeZone } = await findUser(db, actor.userId);
  const { startsAt, moved, usedMs, takenMs } = previewPayment(
    due,
    await listPlanSpans(db, [actor.userId]),
    timeZone,
    now,
  );
  return {
    ...due,
    method: methodOf(due.currencyCode),
    current: await findCurrentPlan(db, actor, due, now),
    startsAt: due.upgradeType === 'next_billing' && startsAt > now ? startsAt : null,
    movedPlans: moved,
    usedMs,
    takenMs,
  };
}

async function toInfo(db: Db, actor: Actor, request: PaymentRequest, now: Date): Promise<PaymentInfo> {
  const preview = await previewPurchase(db, actor, request, now);
  const { amountMinor, reference, expiresAt } = request;
  const note = `Tidepost ${reference}`;
  const isUpi = preview.method === 'upi';
  const isFree = amountMinor === 0;
  return {
    ...preview,
    reference,
    expiresAt,
    note,
    upi: isUpi && !isFree ? { url: upiUrl({ amountMinor, note }), id: env().UPI_ID! } : null,
    paypalEmail: isUpi || isFree ? null : env().PAYPAL_EMAIL!,
    lost: await listExpiredUnpaid(db, actor, request, now),
  };
}

/** Opens or returns the request for a first plan, or for a new one after the last has ended. */
export const preparePayment = (
  db: Db,
  actor: Actor,
  input: PlanChoice,
  now = new Date(),
): Promise<PaymentInfo> => prepare(db, actor, { ...input, upgradeType: null }, now);

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

export async function prepare(db: Db, actor: Actor, choice: Choice, now = new Date()): Promise<PaymentInfo> {
  return toInfo(db, actor, await openRequest(db, actor, choice, now), now);
}

type PreparedPayment =
  | { preview: PurchasePreview; info: PaymentInfo | null; problem: null }
  | { preview: null; info: null; problem: string };

/** The price of a choice and, with `shouldOpen`, its open request; or why it can't be bought now. */
export async function tryPreparePayment(
  db: Db,
  actor: Actor,
  choice: Choice,
  shouldOpen: boolean,
  now = new Date(),
): Promise<PreparedPayment> {
  try {
    const info = shouldOpen ? await prepare(db, actor, choice, now) : null;
    return { preview: info ?? (await preview(db, actor, choice, now)), info, problem: null };
  } catch (error) {
    if (error instanceof Refusal) return { preview: null, info: null, problem: error.message };
    throw error;
  }
}

async function preview(db: Db, actor: Actor, choice: Choice, now: Date): Promise<PurchasePreview> {
  const open = await findRequest(db, actor, choice, now);
  if (open) return previewPurchase(db, actor, open, now);
  const quote = await quotePurchase(db, actor, choice, now);
  const { symbol: currencySymbol } = await findPrice(db, choice.currencyCode, choice.postsPerDay);
  return previewPurchase(db, actor, { ...quote, currencySymbol }, now);
}
