import { type Db, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { findActivePlan, findSubscription, type Subscription } from './subscription.ts';

/** Paid time runs to its end and is cancelled then. A repetition changes nothing. */
export async function cancelPlan(db: Db, actor: Actor, now = new Date()): Promise<Subscription> {
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    if (!(await findActivePlan(trx, actor.userId, now))) {
      throw new Refusal(409, 'no_active_subscription', 'You have no active plan to cancel');
    }
    await trx
      .updateTable('payments')
      .set({ cancelledAt: now })
      .where('userId', '=', actor.userId)
      .where('endsAt', '>', now)
      .where('cancelledAt', 'is', null)
      .execute();
    return (await findSubscription(trx, actor, now))!;
  });
}
