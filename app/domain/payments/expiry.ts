import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { env } from '#app/env.ts';
import { lockPayer } from './payment.ts';
import { planChanged } from './plan-changed.ts';
import { formatDay, postsADay } from './plan-words.ts';
import { findActivePlan } from './subscription.ts';

const WARN_BEFORE_MS = 3 * 86_400_000;

const urlOf = (path: string) => new URL(path, env().APP_URL).href;

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
    const ended = await trx
      .updateTable('payments')
      .set({ status: sql`case when cancelled_at is null then 'expired' else 'cancelled' end` })
      .where('userId', '=', userId)
      .where('status', '=', 'active')
      .where('endsAt', '<=', now)
      .returning(['id', 'postsPerDay'])
      .execute();
    if (ended.length === 0) return 0;
    await planChanged(trx, userId);
    if (!(await findActivePlan(trx, userId, now))) await tellEnded(trx, userId, ended.at(-1)!);
    return ended.length;
  });
}

async function tellEnded(trx: Trx, userId: string, plan: { id: string; postsPerDay: number }): Promise<void> {
  const { name, email } = await trx
    .selectFrom('users')
    .select(['name', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const data = { name, plan: postsADay(plan.postsPerDay), url: urlOf('/app/dashboard?dialog=subscribe') };
  await queueMail(trx, { address: email, userId }, 'planEnded', data, `plan-ended:${plan.id}`);
}

/** Mails once, three days before a plan ends that no other one follows. */
export async function warnEndingPlans(db: Db, now = new Date()): Promise<void> {
  const soon = new Date(now.getTime() + WARN_BEFORE_MS);
  const ending = await db
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.userId')
    .select(['payments.id', 'payments.userId', 'payments.postsPerDay', 'payments.endsAt'])
    .select(['users.name', 'users.email', 'users.timeZone'])
    .where('payments.status', '=', 'active')
    .where('payments.endsAt', '>', now)
    .where('payments.endsAt', '<=', soon)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payments as next')
            .select('next.id')
            .whereRef('next.userId', '=', 'payments.userId')
            .where('next.status', '=', 'active')
            .whereRef('next.startsAt', '>=', 'payments.endsAt'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('mails')
            .select('mails.id')
            .where('mails.dedupeKey', '=', sql<string>`'plan-ending:' || payments.id`),
        ),
      ),
    )
    .execute();
  for (const { id, userId, postsPerDay, endsAt, name, email, timeZone } of ending) {
    const data = {
      name,
      plan: postsADay(postsPerDay),
      day: formatDay(endsAt!, timeZone),
      url: urlOf('/app/dashboard'),
    };
    await queueMail(db, { address: email, userId }, 'planEnding', data, `plan-ending:${id}`);
  }
}
