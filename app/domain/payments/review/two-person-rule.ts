import type { Trx } from '#app/db/client.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';

type Amount = { amountMinor: number; currencyCode: string };

export function needsTwoAdmins({ amountMinor, currencyCode }: Amount): boolean {
  const limit = env().PAYMENT_FOUR_EYES.get(currencyCode);
  return limit !== undefined && amountMinor > limit;
}

type PendingPayment = Amount & { id: string; firstVerifiedBy: string | null };

/** Returns whether the plan becomes active. The first of two is only recorded; they need different admins. */
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
