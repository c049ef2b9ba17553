import { sql } from 'kysely';
import type { Trx } from '#app/db/client.ts';

const REJECT_REASON = 'The account was deleted before the payment was verified';

/** Accounting keeps anonymized payments. A pending one is rejected, so that its transaction can be submitted again. */
export async function deletePaymentData(trx: Trx, userId: string, now: Date): Promise<void> {
  const own = trx.selectFrom('payments').select('id').where('userId', '=', userId);
  await trx.deleteFrom('paymentScreenshots').where('paymentId', 'in', own).execute();
  await trx
    .updateTable('payments')
    .set({
      userId: null,
      payerName: '',
      payerEmail: '',
      status: sql`case status when 'pending' then 'rejected' when 'active' then 'cancelled' else status end`,
      rejectedAt: sql`case when status = 'pending' then ${now} else rejected_at end`,
      // An admin wrote it to the payer.
      rejectReason: sql`case when status = 'pending' then ${REJECT_REASON} end`,
      cancelledAt: sql`case when status = 'active' then coalesce(cancelled_at, ${now}) else cancelled_at end`,
    })
    .where('userId', '=', userId)
    .execute();
  await deleteUnpaidRequests(trx, userId);
}

/** Requests with a payment are kept with it. */
async function deleteUnpaidRequests(trx: Trx, userId: string): Promise<void> {
  const paid = sql`exists (select from payments where payments.request_id = payment_requests.id)`;
  await trx
    .deleteFrom('paymentRequests')
    .where('userId', '=', userId)
    .where(sql<boolean>`not ${paid}`)
    .execute();
  await trx.updateTable('paymentRequests').set({ userId: null }).where('userId', '=', userId).execute();
}
