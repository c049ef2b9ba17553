import type { Trx } from '#app/db/client.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';

type Amount = { amountMinor: number; currencyCode: string };

/** Whether a payment is so large that two admins have to verify it. */
export function needsTwoAdmins({ amountMinor, currencyCode }: Amount): boolean {
  const most = env().PAYMENT_FOUR_EYES.get(currencyCode);
  return most !== undefined && amountMinor > most;
}

type Waiting = Amount & { id: string; firstVerifiedBy: string | null };

/**
 * Whether a verification is the one that counts. The first of two is only written down; whoever made it can't make the
 * second one.
 */
export async function isDecisive(trx: Trx, payment: Waiting, adminId: string, now: Date): Promise<boolean> {
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
