import { type Db, type Trx, transact } from '#app/db/client.ts';
import { listAdmins } from '#app/domain/accounts/admins.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { methodOf } from '#app/domain/payments/methods.ts';
import { formatMoney } from '#app/domain/payments/money.ts';
import { getPayment, type Payment } from '#app/domain/payments/payment.ts';
import { postsADay } from '#app/domain/payments/plan-labels.ts';
import { beginPlan } from '#app/domain/payments/review/verify-reject.ts';
import type { ReauthInput } from '#app/domain/payments/schema.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { refuseWhileWaiting } from './quote.ts';
import { requestOfProof } from './reference.ts';
import { type PaymentRequest, takeRequest } from './requests.ts';
import { type Screenshot, storeScreenshot } from './screenshots.ts';

const duplicate = () =>
  new Refusal(409, 'duplicate_transaction', 'This transaction ID has already been submitted', {
    field: 'transactionId',
  });

type Transaction = { currencyCode: string; transactionId: string };

async function refuseKnownTransaction(trx: Trx, input: Transaction): Promise<void> {
  const known = await trx
    .selectFrom('payments')
    .select('id')
    .where('method', '=', methodOf(input.currencyCode))
    .where('transactionId', '=', input.transactionId)
    .where('status', '<>', 'rejected')
    .executeTakeFirst();
  if (known) throw duplicate();
}

/**
 * Stores a purchase as pending, as the request that it names by plan, currency and amount says. What the client says it
 * paid is compared and refused when it differs. Mails the payer and every admin. Where nothing is to be paid nothing can be
 * checked: the plan begins at once.
 */
export async function submitProof(
  db: Db,
  actor: Actor,
  input: ReauthInput & { picture?: Screenshot | undefined },
  now = new Date(),
): Promise<Payment> {
  return transact(db, async (trx) => {
    const payer = await lockUser(trx, actor.userId);
    await refuseKnownTransaction(trx, input);
    await refuseWhileWaiting(trx, actor.userId);
    const request = await requestOfProof(trx, actor, input, now);
    const { reference, amountMinor, upgradeType } = request;
    const isFree = amountMinor === 0;
    // Without a transfer it has no transaction.
    const transactionId = isFree ? reference.replace('-', '') : input.transactionId;
    const proof = { transactionId, isProrated: false, upgradeType };
    const payment = await storeProof(trx, payer, request, proof, now);
    if (input.picture) await storeScreenshot(trx, payment.id, input.picture);
    if (isFree) await beginPlan(trx, payer, payment, null, now);
    else await mailProof(trx, payment);
    return getPayment(trx, payment.id);
  });
}

/**
 * What the user has submitted of a transaction for a plan and waits to be checked: nobody who sends that again, as the
 * answer was lost, has done anything wrong. Undefined when there is none.
 */
export async function findSubmitted(
  db: Db,
  { userId }: Actor,
  { transactionId, currencyCode, postsPerDay }: Transaction & Pick<ReauthInput, 'postsPerDay'>,
): Promise<Payment | undefined> {
  const known = await db
    .selectFrom('payments')
    .select('id')
    .where('userId', '=', userId)
    .where('status', '=', 'pending')
    .where('transactionId', '=', transactionId)
    .where('currencyCode', '=', currencyCode)
    .where('postsPerDay', '=', postsPerDay)
    .executeTakeFirst();
  return known && getPayment(db, known.id);
}

type Proof = Pick<Payment, 'transactionId' | 'isProrated' | 'upgradeType'>;

/** What was paid for a request waits from now on, with what that says. */
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
    // Not the same transaction twice, whoever submits it.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!stored) throw duplicate();
  await takeRequest(trx, requestId);
  return getPayment(trx, stored.id);
}

/** Tells the payer that it is being checked, and every admin that it is to be. */
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
