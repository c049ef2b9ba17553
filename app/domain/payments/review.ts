import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser, mailUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { recordAdminAction } from '#app/domain/audit.ts';
import { formatDate } from '#app/domain/dates.ts';
import { isId } from '#app/domain/paging.ts';
import { notFound, Refusal } from '#app/domain/refusal.ts';
import { env } from '#app/env.ts';
import { formatMoney } from './money.ts';
import { getPayment, type Payment, planChanged } from './payment.ts';
import { addMonth } from './periods.ts';
import { postsADay } from './plan-words.ts';
import type { RejectInput } from './schema.ts';

const notPending = () =>
  new Refusal(409, 'not_pending', 'This payment has already been verified or rejected');

/** The payment, which waits, and its payer, locked. */
async function claim(trx: Trx, paymentId: string) {
  const found = isId(paymentId)
    ? await trx.selectFrom('payments').select('userId').where('id', '=', paymentId).executeTakeFirst()
    : undefined;
  if (!found) throw notFound('This payment');
  const payer = await lockUser(trx, found.userId);
  const payment = await getPayment(trx, paymentId);
  if (payment.status !== 'pending') throw notPending();
  return { payer, payment };
}

type Payer = { id: string; timeZone: string };
type Period = { startsAt: Date; endsAt: Date };
const monthFrom = (startsAt: Date, { timeZone }: Payer): Period => ({
  startsAt,
  endsAt: addMonth(startsAt, timeZone),
});

const plansAhead = (trx: Trx, userId: string, now: Date) =>
  trx
    .selectFrom('payments')
    .select(['id', 'startsAt', 'endsAt'])
    .where('userId', '=', userId)
    .where('status', '=', 'active')
    .where('endsAt', '>', now)
    .orderBy('endsAt')
    .execute();

/** Ends the current plan now; plans already paid for later move behind the new month. */
async function startNow(trx: Trx, payer: Payer, now: Date): Promise<Period> {
  const period = monthFrom(now, payer);
  const ahead = await plansAhead(trx, payer.id, now);
  const later = ahead.filter(({ startsAt }) => startsAt! > now);
  let last = period;
  const moved = later.map(({ id }) => {
    last = monthFrom(last.endsAt, payer);
    return { id, ...last };
  });
  // From the last to the first, because no instant may be covered twice in between.
  for (const { id, ...place } of moved.reverse()) {
    await trx.updateTable('payments').set(place).where('id', '=', id).execute();
  }
  await trx
    .updateTable('payments')
    .set({
      endsAt: now,
      status: sql`case when cancelled_at is null then 'expired' else 'cancelled' end`,
    })
    .where('userId', '=', payer.id)
    .where('status', '=', 'active')
    .where('startsAt', '<=', now)
    .where('endsAt', '>', now)
    .execute();
  return period;
}

async function startAfterLast(trx: Trx, payer: Payer, now: Date): Promise<Period> {
  const ahead = await plansAhead(trx, payer.id, now);
  return monthFrom(ahead.at(-1)?.endsAt ?? now, payer);
}

/** Makes a pending payment the plan of its month. Of two admins at once one wins, the other is refused. */
export async function verifyPayment(
  db: Db,
  admin: Actor,
  paymentId: string,
  now = new Date(),
): Promise<Payment> {
  return transact(db, async (trx) => {
    const { payer, payment } = await claim(trx, paymentId);
    const { userId, postsPerDay } = payment;
    const place = payment.upgradeType === 'immediate' ? startNow : startAfterLast;
    const period = await place(trx, payer, now);
    const verified = await trx
      .updateTable('payments')
      .set({ status: 'active', verifiedAt: now, verifiedBy: admin.userId, ...period })
      .where('id', '=', paymentId)
      .where('status', '=', 'pending')
      .returning('id')
      .executeTakeFirst();
    if (!verified) throw notPending();
    await recordAdminAction(trx, admin, auditEntry('payment.verified', payment, period), now);
    const day = (at: Date) => formatDate(at, payer.timeZone);
    const isLater = period.startsAt > now;
    await mailUser(trx, userId, 'paymentVerified', {
      plan: isLater ? `${postsADay(postsPerDay)}, from ${day(period.startsAt)},` : postsADay(postsPerDay),
      until: day(period.endsAt),
      url: new URL('/app/dashboard', env().APP_URL).href,
    });
    await planChanged(trx, userId);
    return getPayment(trx, paymentId);
  });
}

/** Turns a pending payment down, with a reason the payer reads. The transaction may be submitted again. */
export async function rejectPayment(
  db: Db,
  admin: Actor,
  input: RejectInput & { paymentId: string },
  now = new Date(),
): Promise<Payment> {
  return transact(db, async (trx) => {
    const { paymentId, reason } = input;
    const { payer, payment } = await claim(trx, paymentId);
    const rejected = await trx
      .updateTable('payments')
      .set({ status: 'rejected', rejectedAt: now, rejectReason: reason })
      .where('id', '=', paymentId)
      .where('status', '=', 'pending')
      .returning('id')
      .executeTakeFirst();
    if (!rejected) throw notPending();
    await recordAdminAction(trx, admin, auditEntry('payment.rejected', payment, { reason }), now);
    await mailUser(trx, payer.id, 'paymentRejected', {
      plan: postsADay(payment.postsPerDay),
      reason,
      url: new URL('/app/payments', env().APP_URL).href,
    });
    return getPayment(trx, paymentId);
  });
}

function auditEntry(action: string, payment: Payment, detail: Record<string, unknown>) {
  const { id, reference, payerName, payerEmail, transactionId, postsPerDay } = payment;
  const amount = formatMoney(payment.amountMinor, {
    code: payment.currencyCode,
    symbol: payment.currencySymbol,
  });
  return {
    action,
    subjectId: id,
    detail: { reference, payerName, payerEmail, amount, transactionId, postsPerDay, ...detail },
  };
}
