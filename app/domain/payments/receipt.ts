import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { type Payment, selectPayments } from './payment.ts';

export const hasReceipt = (payment: Payment) => payment.verifiedAt !== null;

/** Throws a Refusal unless it is a verified payment of the actor. */
export async function findPaid(
  db: Db,
  actor: Actor,
  paymentId: string,
): Promise<Payment & { verifiedAt: Date }> {
  const payment = isId(paymentId)
    ? await selectPayments(db)
        .where('payments.id', '=', paymentId)
        .where('userId', '=', actor.userId)
        .executeTakeFirst()
    : undefined;
  if (!payment?.verifiedAt) throw notFound('This receipt');
  return { ...payment, verifiedAt: payment.verifiedAt };
}

export const receiptNumber = ({ reference, verifiedAt }: { reference: string; verifiedAt: Date }) =>
  `R-${verifiedAt.getUTCFullYear()}-${reference.replace(/^TP-/, '')}`;

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
