import { type Db, type Trx, transact } from '#app/db/client.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import { lockUserIfExists } from '#app/domain/accounts/users.ts';
import { getRequest, type PaymentRequest } from '#app/domain/payments/checkout/requests.ts';
import { mailProof, storeProof } from '#app/domain/payments/checkout/submit.ts';
import { formatMoney } from '#app/domain/payments/money.ts';
import type { Payment } from '#app/domain/payments/payment.ts';
import type { LatePaymentInput } from '#app/domain/payments/schema.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { isExpiredUnpaid, isSuperseded } from './expired-unpaid.ts';

type LatePayment = { requestId: string; payerId: string };

/** Locks the payer and returns their expired request. Throws a Refusal while another payment is pending. */
async function lockExpiredRequest(trx: Trx, { requestId, payerId }: LatePayment, now: Date) {
  const row = isId(requestId)
    ? await trx.selectFrom('paymentRequests').select('userId').where('id', '=', requestId).executeTakeFirst()
    : undefined;
  const payer = row?.userId === payerId ? await lockUserIfExists(trx, payerId) : undefined;
  if (!payer) throw notFound('This payment request');
  const request = await getRequest(trx, requestId);
  if (!isExpiredUnpaid(request, now)) {
    const message = 'This request has a payment, or its payer can still submit one';
    throw new Refusal(409, 'not_lost', message);
  }
  const payments = await trx
    .selectFrom('payments')
    .select(['status', 'verifiedAt'])
    .where('userId', '=', payer.id)
    .execute();
  if (payments.some(({ status }) => status === 'pending')) {
    const message = 'Another payment of this payer waits. Please verify or reject that one first';
    throw new Refusal(409, 'payment_pending', message);
  }
  return { payer, request, isProrated: isSuperseded(request, payments) };
}

/** A prorated plan interrupts only a smaller plan, and only if it was to begin immediately. */
async function findUpgradeType(
  trx: Trx,
  userId: string,
  { upgradeType, postsPerDay }: PaymentRequest,
  now: Date,
) {
  const plan = await findActivePlan(trx, userId, now);
  if (!plan) return null;
  return upgradeType === 'immediate' && plan.postsPerDay < postsPerDay ? 'immediate' : 'next_billing';
}

/**
 * Records a payment for an expired request as pending. It has the terms of its request unless another payment was
 * verified since; then it runs for the paid share of a month, so that no credit or promotion counts twice and no
 * money is lost.
 */
export async function recordLatePayment(
  db: Db,
  admin: Actor,
  { transactionId, ...target }: LatePaymentInput & LatePayment,
  now = new Date(),
): Promise<Payment> {
  return transact(db, async (trx) => {
    const { payer, request, isProrated } = await lockExpiredRequest(trx, target, now);
    const upgradeType = isProrated ? await findUpgradeType(trx, payer.id, request, now) : request.upgradeType;
    const proof = { transactionId, isProrated, upgradeType };
    const payment = await storeProof(trx, payer, request, proof, now);
    const { reference, currencyCode: code, postsPerDay, status } = request;
    const amount = formatMoney(request.amountMinor, { code });
    const detail = { status: 'pending', byShare: isProrated };
    const entry = { reference, amount, transactionId, postsPerDay, ...detail };
    const action = { action: 'payment.taken_in', subjectId: payment.id, detail: entry, before: { status } };
    await recordAdminAction(trx, admin, action, now);
    await mailProof(trx, payment);
    return payment;
  });
}
