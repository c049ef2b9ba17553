import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import { lockUserIfExists, mailUser } from '#app/domain/accounts/users.ts';
import { paymentShape } from '#app/domain/payments/api-shape.ts';
import { closeRequests, reopenRequest, setStatus } from '#app/domain/payments/checkout/requests.ts';
import { formatMoney } from '#app/domain/payments/money.ts';
import { getPayment, type Payment, planChanged } from '#app/domain/payments/payment.ts';
import { postsADay } from '#app/domain/payments/plan-labels.ts';
import type { RejectInput } from '#app/domain/payments/schema.ts';
import { movePieces } from '#app/domain/payments/subscription/spans.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { sendEventOf } from '#app/domain/webhooks/send-events.ts';
import { env } from '#app/env.ts';
import type { PaymentPreview } from './preview.ts';
import { previewPayments } from './preview-payments.ts';
import { presentMoves, presentPreview } from './preview-text.ts';
import { isDecisive } from './two-person-rule.ts';

const notPending = () =>
  new Refusal(409, 'not_pending', 'This payment has already been verified or rejected');

const nothingLeft = () => {
  const message = 'All that this payment was to be paid with has been used meanwhile. Please reject it';
  return new Refusal(409, 'nothing_left', message);
};

/** The payment, which waits, and its payer, locked. */
async function claim(trx: Trx, paymentId: string) {
  const found = isId(paymentId)
    ? await trx.selectFrom('payments').select('userId').where('id', '=', paymentId).executeTakeFirst()
    : undefined;
  const payer = found?.userId ? await lockUserIfExists(trx, found.userId) : undefined;
  if (!payer) throw notFound('This payment');
  const payment = await getPayment(trx, paymentId);
  if (payment.status !== 'pending') throw notPending();
  return { payer, payment };
}

const endNow = (trx: Trx, paymentId: string) =>
  trx
    .updateTable('payments')
    .set({ status: sql`case when cancelled_at is null then 'expired' else 'cancelled' end` })
    .where('id', '=', paymentId)
    .execute();

/** Puts the plan and what moves because of it into their places. */
async function place(
  trx: Trx,
  payment: Payment,
  verifiedBy: string | null,
  foreseen: PaymentPreview,
  now: Date,
): Promise<void> {
  const { startsAt, endsAt, worthMinor, takenMs, ended, moved, pieces } = foreseen;
  const rests = moved.filter(({ isBegun }) => isBegun).map(({ paymentId }) => paymentId);
  await movePieces(trx, pieces, rests, now);
  const { paymentId, leftMs } = ended ?? { paymentId: null, leftMs: 0 };
  if (paymentId && leftMs === 0) await endNow(trx, paymentId);
  const verified = await trx
    .updateTable('payments')
    .set({
      status: 'active',
      verifiedAt: now,
      verifiedBy,
      startsAt,
      endsAt,
      worthMinor,
      keepsLength: takenMs > 0,
    })
    .where('id', '=', payment.id)
    .where('status', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  if (!verified) throw notPending();
}

/** Makes a pending payment the plan of its month, with all that follows; nobody has verified what cost nothing. */
export async function beginPlan(
  trx: Trx,
  payer: { id: string; timeZone: string },
  payment: Payment,
  verifiedBy: string | null,
  now: Date,
): Promise<PaymentPreview> {
  const zones = new Map([[payer.id, payer.timeZone]]);
  const foreseen = (await previewPayments(trx, [payment], zones, now)).get(payment.id)!;
  if (foreseen.endsAt <= foreseen.startsAt) throw nothingLeft();
  await place(trx, payment, verifiedBy, foreseen, now);
  await closeRequests(trx, payer.id);
  await mailUser(trx, payer.id, 'paymentVerified', {
    ...presentMoves(payment, foreseen, payer.timeZone, now),
    isFree: payment.amountMinor === 0,
    url: new URL('/app/dashboard', env().APP_URL).href,
  });
  await planChanged(trx, payer.id);
  await sendEventOf(trx, payer.id, 'payment.verified', async () => ({
    payment: paymentShape(await getPayment(trx, payment.id)),
  }));
  return foreseen;
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
    if (!(await isDecisive(trx, payment, admin.userId, now))) {
      const entry = auditEntry('payment.verified_first', payment, { status: 'pending' });
      await recordAdminAction(trx, admin, entry, now);
      return getPayment(trx, paymentId);
    }
    const foreseen = await beginPlan(trx, payer, payment, admin.userId, now);
    const { startsAt, endsAt } = foreseen;
    const also = presentPreview(foreseen, payer.timeZone).join(' ');
    const detail = { status: 'active', startsAt, endsAt, ...(also && { also }) };
    await recordAdminAction(trx, admin, auditEntry('payment.verified', payment, detail), now);
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
      .set({ status: 'rejected', rejectedAt: now, rejectedBy: admin.userId, rejectReason: reason })
      .where('id', '=', paymentId)
      .where('status', '=', 'pending')
      .returning('requestId')
      .executeTakeFirst();
    if (!rejected) throw notPending();
    if (payment.isProrated) await setStatus(trx, rejected.requestId!, 'closed');
    else if (rejected.requestId) await reopenRequest(trx, { userId: payer.id }, rejected.requestId, now);
    await recordAdminAction(
      trx,
      admin,
      auditEntry('payment.rejected', payment, { status: 'rejected', reason }),
      now,
    );
    await mailUser(trx, payer.id, 'paymentRejected', {
      plan: postsADay(payment.postsPerDay),
      reason,
      reference: payment.reference,
      writeTo: payment.isProrated ? env().SUPPORT_EMAIL : null,
      url: new URL('/app/payments', env().APP_URL).href,
    });
    return getPayment(trx, paymentId);
  });
}

function auditEntry(action: string, payment: Payment, detail: Record<string, unknown>) {
  const { id, reference, transactionId, postsPerDay, status } = payment;
  const amount = formatMoney(payment.amountMinor, { code: payment.currencyCode });
  return {
    action,
    subjectId: id,
    detail: { reference, amount, transactionId, postsPerDay, ...detail },
    before: { status },
  };
}
