import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { UpgradeType } from '#app/db/tables.ts';
import { listAdmins, lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { env } from '#app/env.ts';
import { methodOf } from './methods.ts';
import { formatMoney, toMinor } from './money.ts';
import { getPayment, type Payment } from './payment.ts';
import { postsADay } from './plan-words.ts';
import { quotePurchase } from './quote.ts';
import type { ProofInput } from './schema.ts';
import { findActivePlan } from './subscription.ts';

const duplicate = () =>
  new Refusal(409, 'duplicate_transaction', 'This transaction ID has already been submitted', {
    field: 'transactionId',
  });

/** Without a plan `startImmediately` alone says nothing; with one it says which kind of upgrade is meant. */
async function upgradeTypeOf(
  trx: Trx,
  actor: Actor,
  input: ProofInput,
  now: Date,
): Promise<UpgradeType | null> {
  const { upgradeType, startImmediately } = input;
  if (upgradeType || startImmediately === null) return upgradeType;
  if (!(await findActivePlan(trx, actor.userId, now))) return null;
  return startImmediately ? 'immediate' : 'next_billing';
}

async function refuseKnownTransaction(trx: Trx, input: ProofInput): Promise<void> {
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
 * Stores a purchase as pending, with the amount the server computes now. What the client says it paid is
 * compared and refused when it differs. Mails the payer and every admin.
 */
export async function submitProof(
  db: Db,
  actor: Actor,
  input: ProofInput,
  now = new Date(),
): Promise<Payment> {
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    await refuseKnownTransaction(trx, input);
    const { postsPerDay, currencyCode, transactionId } = input;
    const upgradeType = await upgradeTypeOf(trx, actor, input, now);
    const quote = await quotePurchase(trx, actor, { postsPerDay, currencyCode, upgradeType }, now);
    const { method, amountMinor, fullPriceMinor, reference, currencySymbol: symbol } = quote;
    if (toMinor(input.amount) !== amountMinor) {
      const amount = formatMoney(amountMinor, { code: currencyCode, symbol });
      throw new Refusal(409, 'amount_mismatch', `The amount to pay is ${amount}`, { field: 'amount' });
    }
    const stored = await trx
      .insertInto('payments')
      .values({
        userId: actor.userId,
        payerName: actor.name,
        payerEmail: actor.email,
        createdAt: now,
        ...{ reference, method, postsPerDay, currencyCode, amountMinor },
        ...{ fullPriceMinor, transactionId, upgradeType },
      })
      // Another user's proof with the same transaction may have come in between.
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!stored) throw duplicate();
    const payment = await getPayment(trx, stored.id);
    await mailProof(trx, payment);
    return payment;
  });
}

async function mailProof(trx: Trx, payment: Payment): Promise<void> {
  const { transactionId, reference, payerName, payerEmail, postsPerDay } = payment;
  const amount = formatMoney(payment.amountMinor, {
    code: payment.currencyCode,
    symbol: payment.currencySymbol,
  });
  await queueMail(trx, { address: payerEmail, userId: payment.userId }, 'proofReceived', {
    name: payerName,
    plan: postsADay(postsPerDay),
    amount,
    transactionId,
  });
  const url = new URL('/app/admin?tab=payments', env().APP_URL).href;
  const payer = `${payerName} (${payerEmail})`;
  for (const { id, email } of await listAdmins(trx)) {
    const data = { payer, amount, transactionId, reference, url };
    await queueMail(trx, { address: email, userId: id }, 'paymentToVerify', data);
  }
}
