import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import { lockUserIfExists, mailUser } from '#app/domain/accounts/users.ts';
import { paymentShape } from '#app/domain/payments/api-shape.ts';
import { closeRequests, reopenRequest, setStatus } from '#app/domain/payments/checkout/requests.ts';
import { formatMoney } from '#app/domain/payments/money.ts';
import { enqueueReschedule, getPayment, type Payment } from '#app/domain/payments/payment.ts';
import { postsADay } from '#app/domain/payments/plan-labels.ts';
import type { RejectInput } from '#app/domain/payments/schema.ts';
import { movePlanSpans } from '#app/domain/payments/subscription/spans.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { sendEventIfSubscribed } from '#app/domain/webhooks/send-events.ts';
import { env } from '#app/env.ts';
import type { PaymentPreview } from './preview.ts';
import { previewPayments } from './preview-payments.ts';
import { presentPlanMail, presentPreview } from './preview-text.ts';
import { recordVerification } from './two-person-rule.ts';

const notPending = () =>
  new Refusal(409, 'not_pending', 'This payment has already been verified or rejected');

/** Locks the payer and returns their pending payment. */
async function lockPending(trx: Trx, paymentId: string) {
  const row = isId(paymentId)
    ? await trx.selectFrom('payments').select('userId').where('id', '=', paymentId).executeTakeFirst()
    : undefined;
  const payer = row?.userId ? await lockUserIfExists(trx, row.userId) : undefined;
  if (!payer) throw notFound('This payment');
  const payment = await getPayment(trx, paymentId);
  if (payment.status !== 'pending') throw notPending();
  return { payer, payment };
}

const endPlan = (trx: Trx, paymentId: string) =>
  trx
    .updateTable('payments')
    .set({ status: sql`case when cancelled_at is null then 'expired' else 'cancelled' end` })
    .where('id', '=', paymentId)
    .execute();

/** Stores the plan and the plans that it moves. */
async function storePlan(
  trx: Trx,
  payment: Payment,
  verifiedBy: string | null,
  preview: PaymentPreview,
  now: Date,
): Promise<void> {
  const { startsAt, endsAt, worthMinor, takenMs, ended, moved, spans } = preview;
  const movedRests = moved.filter(({ isBegun }) => isBegun).map(({ paymentId }) => paymentId);
  await movePlanSpans(trx, spans, movedRests, now);
  const { paymentId, leftMs } = ended ?? { paymentId: null, leftMs: 0 };
  if (paymentId && leftMs === 0) await endPlan(trx, paymentId);
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

/** Activates a pending payment. `verifiedBy` is null when nothing had to be paid. */
export async function activatePlan(
  trx: Trx,
  payer: { id: string; timeZone: string },
  payment: Payment,
  verifiedBy: string | null,
  now: Date,
): Promise<PaymentPreview> {
  const zones = new Map([[payer.id, payer.timeZone]]);
  const preview = (await previewPayments(trx, [payment], zones, now)).get(payment.id)!;
  if (preview.endsAt <= preview.startsAt) {
    const message = 'All that this payment was to be paid with has been used meanwhile. Please reject it';
    throw new Refusal(409, 'nothing_left', message);
  }
  await storePlan(trx, payment, verifiedBy, preview, now);
  await closeRequests(trx, payer.id);
  await mailUser(trx, payer.id, 'paymentVerified', {
    ...presentPlanMail(payment, preview, payer.timeZone, now),
    isFree: payment.amountMinor === 0,
    url: new URL('/app/dashboard', env().APP_URL).href,
  });
  await enqueueReschedule(trx, payer.id);
  await sendEventIfSubscribed(trx, payer.id, 'payment.verified', async () => ({
    payment: paymentShape(await getPayment(trx, payment.id)),
  }));
  return preview;
}

/** Verifies a pending payment. The second of two concurrent admins gets a Refusal. */
export async function verifyPayment(
  db: Db,
  admin: Actor,
  paymentId: string,
  now = new Date(),
): Promise<Payment> {
  return transact(db, async (trx) => {
    const { payer, payment } = await lockPending(trx, paymentId);
    if (!(await recordVerification(trx, payment, admin.userId, now))) {
      const entry = auditEntry('payment.verified_first', payment, { status: 'pending' });
      await recordAdminAction(trx, admin, entry, now);
      return getPayment(trx, paymentId);
    }
    const preview = await activatePlan(trx, payer, payment, admin.userId, now);
    const { startsAt, endsAt } = preview;
    const also = presentPreview(preview, payer.timeZone).join(' ');
    const detail = { status: 'active', startsAt, endsAt, ...(also && { also }) };
    await recordAdminAction(trx, admin, auditEntry('payment.verified', payment, detail), now);
    return getPayment(trx, paymentId);
  });
}

/** Rejects a pending payment; the payer reads the reason. The transaction can be submitted again. */
export async function rejectPayment(
  db: Db,
  admin: Actor,
  input: RejectInput & { paymentId: string },
  now = new Date(),
): Promise<Payment> {
  return transact(db, async (trx) => {
    const { paymentId, reason } = input;
    const { payer, payment } = await lockPending(trx, paymentId);
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
