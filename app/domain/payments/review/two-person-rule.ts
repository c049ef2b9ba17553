import type { Trx } from '#app/db/client.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';

type Amount = { amountMinor: number; currencyCode: string };

/** Large payments are verified by two admins. */
export function needsTwoAdmins({ amountMinor, currencyCode }: Amount): boolean {
  const limit = env().PAYMENT_FOUR_EYES.get(currencyCode);
  return limit !== undefined && amountMinor > limit;
}

type PendingPayment = Amount & { id: string; firstVerifiedBy: string | null };

/**
 * Returns whether this verification activates the plan. The first of two is only recorded; the same admin can't make
 * both.
 */
export async function recordVerification(
  trx: Trx,
  payment: PendingPayment,
  adminId: string,
  now: Date,
): Promise<boolean> {
  const { id, firstVerifiedBy } = payment;
  if (!needsTwoAdmins(payment)) return true;
  if (firstVerifiedBy === adminId) {
    const message = 'You have verified this payment. It is so large that another admin has to verify it, too';
    throw new Refusal(409, 'needs_another_admin', message);
  }
  if (firstVerifiedBy) return true;
  await trx
    .updateTable('payments')
    .set({ firstVerifiedBy: adminId, firstVerifiedAt: now })
    .where('id', '=', id)
    .execute();
  return false;
}
