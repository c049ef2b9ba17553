import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { lockPayer } from './payment.ts';
import { planChanged } from './plan-changed.ts';

/** Closes the plans whose end has passed. Answers how many; a second run finds none. */
export async function endPlans(db: Db, now = new Date()): Promise<number> {
  const due = await db
    .selectFrom('payments')
    .select('userId')
    .distinct()
    .where('status', '=', 'active')
    .where('endsAt', '<=', now)
    .execute();
  let ended = 0;
  for (const { userId } of due) ended += await endPlansOf(db, userId, now);
  return ended;
}

async function endPlansOf(db: Db, userId: string, now: Date): Promise<number> {
  return transact(db, async (trx) => {
    await lockPayer(trx, userId);
    const { numUpdatedRows } = await trx
      .updateTable('payments')
      .set({ status: sql`case when cancelled_at is null then 'expired' else 'cancelled' end` })
      .where('userId', '=', userId)
      .where('status', '=', 'active')
      .where('endsAt', '<=', now)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await planChanged(trx, userId);
    return Number(numUpdatedRows);
  });
}
