import type { Db } from '#app/db/client.ts';
import type { UpgradeType } from '#app/db/tables.ts';
import type { Actor } from '#app/domain/actor.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { env } from '#app/env.ts';
import { upiUrl } from './methods.ts';
import { type Quote, quotePurchase } from './quote.ts';
import type { PlanChoice, UpgradeChoice } from './schema.ts';

export type PaymentInfo = Quote & {
  /** What the payer writes into the note, so that the payment can be found. */
  note: string;
  upi: { url: string; id: string } | null;
  paypalEmail: string | null;
};

function toInfo(quote: Quote): PaymentInfo {
  const note = `Tidepost ${quote.reference}`;
  const isUpi = quote.method === 'upi';
  return {
    ...quote,
    note,
    upi: isUpi ? { url: upiUrl({ amountMinor: quote.amountMinor, note }), id: env().UPI_ID! } : null,
    paypalEmail: isUpi ? null : env().PAYPAL_EMAIL!,
  };
}

/** How to pay a first plan, or a new one after the last has ended. Stores nothing. */
export async function preparePayment(
  db: Db,
  actor: Actor,
  input: PlanChoice,
  now = new Date(),
): Promise<PaymentInfo> {
  return toInfo(await quotePurchase(db, actor, { ...input, upgradeType: null }, now));
}

/** How to pay the change of an active plan, now or at its end. Stores nothing. */
export async function prepareUpgrade(
  db: Db,
  actor: Actor,
  input: UpgradeChoice,
  now = new Date(),
): Promise<PaymentInfo> {
  const { newPostsPerDay: postsPerDay, currencyCode, startImmediately } = input;
  const upgradeType = startImmediately ? 'immediate' : 'next_billing';
  return toInfo(await quotePurchase(db, actor, { postsPerDay, currencyCode, upgradeType }, now));
}

export type Preview = { info: PaymentInfo; problem: null } | { info: null; problem: string };

/** How to pay a choice, or the sentence that says why it can't be bought now. */
export async function previewPayment(
  db: Db,
  actor: Actor,
  choice: PlanChoice & { upgradeType: UpgradeType | null },
  now = new Date(),
): Promise<Preview> {
  try {
    return { info: toInfo(await quotePurchase(db, actor, choice, now)), problem: null };
  } catch (error) {
    if (error instanceof Refusal) return { info: null, problem: error.message };
    throw error;
  }
}
