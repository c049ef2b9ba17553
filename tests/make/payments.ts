import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { UpgradeType } from '#app/db/tables.ts';
import { prepare } from '#app/domain/payments/checkout/payment-info.ts';
import { submitProof } from '#app/domain/payments/checkout/submit.ts';
import { toMajor } from '#app/domain/payments/money.ts';
import type { Payment } from '#app/domain/payments/payment.ts';
import { verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser } from './accounts.ts';

/** A transaction ID that nobody else has. */
export const transactionId = () => randomBytes(8).toString('hex').toUpperCase();

type Choice = { currencyCode?: string; upgradeType?: UpgradeType | null };

/** A payment that waits for an admin, for what it costs now; a plan at once where that is nothing. */
export async function makePayment(
  db: Db,
  actor: Actor,
  postsPerDay: number,
  now = new Date(),
  { currencyCode = 'USD', upgradeType = null }: Choice = {},
): Promise<Payment> {
  const choice = { postsPerDay, currencyCode, upgradeType };
  const { amountMinor } = await prepare(db, actor, choice, now);
  const proof = { transactionId: transactionId(), amount: toMajor(amountMinor), startImmediately: null };
  return submitProof(db, actor, { ...choice, ...proof }, now);
}

/** An active plan: a payment submitted and verified at `now`. */
export async function makePlan(
  db: Db,
  actor: Actor,
  postsPerDay: number,
  now = new Date(),
  choice: Choice = {},
): Promise<Payment> {
  const admin = await makeUser(db, { isAdmin: true });
  const payment = await makePayment(db, actor, postsPerDay, now, choice);
  return payment.status === 'active' ? payment : verifyPayment(db, admin, payment.id, now);
}

/** What is paid for ends at an instant, as if it had begun a month before. */
export const endPlanAt = (db: Db, { userId }: Actor, endsAt: Date) =>
  db
    .updateTable('payments')
    .set({ endsAt, startsAt: sql<Date>`least(starts_at, ${endsAt}::timestamptz - interval '31 days')` })
    .where('userId', '=', userId)
    .execute();
