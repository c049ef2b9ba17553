import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { type Payment, selectPayments } from './payment.ts';

/** A payment that was verified has a receipt, whatever became of its plan. */
export const hasReceipt = (payment: Payment) => payment.verifiedAt !== null;

/** A payment of the actor that was verified. */
export async function findPaid(
  db: Db,
  actor: Actor,
  paymentId: string,
): Promise<Payment & { verifiedAt: Date }> {
  const found = isId(paymentId)
    ? await selectPayments(db)
        .where('payments.id', '=', paymentId)
        .where('userId', '=', actor.userId)
        .executeTakeFirst()
    : undefined;
  if (!found?.verifiedAt) throw notFound('This receipt');
  return { ...found, verifiedAt: found.verifiedAt };
}

/** No two payments have the same reference, so no two receipts have the same number. */
export const receiptNumber = ({ reference, verifiedAt }: { reference: string; verifiedAt: Date }) =>
  `R-${verifiedAt.getUTCFullYear()}-${reference.replace(/^TP-/, '')}`;

/** Who sold it, as the operator has said. */
export function seller() {
  const { SELLER_NAME, SELLER_ADDRESS, SELLER_TAX_ID, SUPPORT_EMAIL } = env();
  const lines = (SELLER_ADDRESS ?? '').split(';').map((line) => line.trim());
  return {
    name: SELLER_NAME ?? 'Tidepost',
    address: lines.filter((line) => line !== ''),
    taxId: SELLER_TAX_ID ?? null,
    email: SUPPORT_EMAIL,
  };
}
