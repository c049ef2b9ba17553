import { type Db, type Trx, transact } from '#app/db/client.ts';
import { listAdmins } from '#app/domain/accounts/admins.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { methodOf } from '#app/domain/payments/methods.ts';
import { formatMoney } from '#app/domain/payments/money.ts';
import { getPayment, type Payment } from '#app/domain/payments/payment.ts';
import { postsADay } from '#app/domain/payments/plan-labels.ts';
import { activatePlan } from '#app/domain/payments/review/verify-reject.ts';
import type { ProofInput } from '#app/domain/payments/schema.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { requireNoPendingPayment } from './quote.ts';
import { findRequestForProof } from './reference.ts';
import { markRequestTaken, type PaymentRequest } from './requests.ts';
import { type Screenshot, storeScreenshot } from './screenshots.ts';

const duplicate = () =>
  new Refusal(409, 'duplicate_transaction', 'This transaction ID has already been submitted', {
    field: 'transactionId',
  });

type Transaction = { currencyCode: string; transactionId: string };

async function refuseKnownTransaction(trx: Trx, input: Transaction): Promise<void> {
  const existing = await trx
    .selectFrom('payments')
    .select('id')
    .where('method', '=', methodOf(input.currencyCode))
    .where('transactionId', '=', input.transactionId)
    .where('status', '<>', 'rejected')
    .executeTakeFirst();
  if (existing) throw duplicate();
}

/**
 * Stores a pending payment for the request that the proof identifies, and mails the payer and all admins. The stated
 * amount is compared and a difference refused. Without an amount there is nothing to verify: the plan begins
 * immediately.
 */
export async function submitProof(
  db: Db,
  actor: Actor,
  input: ProofInput & { picture?: Screenshot | undefined },
  now = new Date(),
): Promise<Payment> {
  return transact(db, async (trx) => {
    const payer = await lockUser(trx, actor.userId);
    await refuseKnownTransaction(trx, input);
    await requireNoPendingPayment(trx, actor.userId);
    const request = await findRequestForProof(trx, actor, input, now);
    const { reference, amountMinor, upgradeType } = request;
    const isFree = amountMinor === 0;
    // Without a transfer there is no transaction.
    const transactionId = isFree ? reference.replace('-', '') : input.transactionId;
    const proof = { transactionId, isProrated: false, upgradeType };
    const payment = await storeProof(trx, payer, request, proof, now);
    if (input.picture) await storeScreenshot(trx, payment.id, input.picture);
    if (isFree) await activatePlan(trx, payer, payment, null, now);
    else await mailProof(trx, payment);
    return getPayment(trx, payment.id);
  });
}

/** A pending payment with the same transaction and plan: the client repeats the call because the response was lost. */
export async function findPendingSubmission(
  db: Db,
  { userId }: Actor,
  { transactionId, currencyCode, postsPerDay }: Transaction & Pick<ProofInput, 'postsPerDay'>,
): Promise<Payment | undefined> {
  const existing = await db
    .selectFrom('payments')
    .select('id')
    .where('userId', '=', userId)
    .where('status', '=', 'pending')
    .where('transactionId', '=', transactionId)
    .where('currencyCode', '=', currencyCode)
    .where('postsPerDay', '=', postsPerDay)
    .executeTakeFirst();
  return existing && getPayment(db, existing.id);
}

type Proof = Pick<Payment, 'transactionId' | 'isProrated' | 'upgradeType'>;

export async function storeProof(
  trx: Trx,
  payer: { id: string; name: string; email: string },
  { id: requestId, reference, postsPerDay, currencyCode, amountMinor, fullPriceMinor }: PaymentRequest,
  proof: Proof,
  now: Date,
): Promise<Payment> {
  const stored = await trx
    .insertInto('payments')
    .values({
      userId: payer.id,
      payerName: payer.name,
      payerEmail: payer.email,
      createdAt: now,
      requestId,
      reference,
      method: methodOf(currencyCode),
      postsPerDay,
      currencyCode,
      amountMinor,
      fullPriceMinor,
      ...proof,
    })
    // A transaction can be submitted once, by any user.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!stored) throw duplicate();
  await markRequestTaken(trx, requestId);
  return getPayment(trx, stored.id);
}

export async function mailProof(trx: Trx, payment: Payment): Promise<void> {
  const { transactionId, reference, payerName, payerEmail, postsPerDay } = payment;
  const amount = formatMoney(payment.amountMinor, { code: payment.currencyCode });
  await queueMail(trx, { address: payerEmail, userId: payment.userId }, 'proofReceived', {
    name: payerName,
    plan: postsADay(postsPerDay),
    amount,
    transactionId,
    reference,
  });
  const url = new URL('/app/admin?tab=payments', env().APP_URL).href;
  const payer = `${payerName} (${payerEmail})`;
  for (const { id, email } of await listAdmins(trx)) {
    const data = { payer, amount, transactionId, reference, url };
    await queueMail(trx, { address: email, userId: id }, 'paymentToVerify', data);
  }
}
