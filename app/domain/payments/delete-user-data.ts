import { sql } from 'kysely';
import type { Trx } from '#app/db/client.ts';

const UNDECIDED = 'The account was deleted before the payment was verified';

/**
 * Takes the person from their payments, which bookkeeping keeps: what was paid, when, how, and the transaction ID. A payment
 * that waits is rejected, so that its transaction may be submitted again from another account; a plan that runs ends.
 */
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
      // The words of an admin to the payer.
      rejectReason: sql`case when status = 'pending' then ${UNDECIDED} end`,
      cancelledAt: sql`case when status = 'active' then coalesce(cancelled_at, ${now}) else cancelled_at end`,
    })
    .where('userId', '=', userId)
    .execute();
  await deleteUnpaidRequests(trx, userId);
}

/** What somebody was asked to pay is kept where it was paid. */
async function deleteUnpaidRequests(trx: Trx, userId: string): Promise<void> {
  const paid = sql`exists (select from payments where payments.request_id = payment_requests.id)`;
  await trx
    .deleteFrom('paymentRequests')
    .where('userId', '=', userId)
    .where(sql<boolean>`not ${paid}`)
    .execute();
  await trx.updateTable('paymentRequests').set({ userId: null }).where('userId', '=', userId).execute();
}
