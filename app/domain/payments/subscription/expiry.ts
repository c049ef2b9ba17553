import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { findUser, lockUserIfExists, mailUser } from '#app/domain/accounts/users.ts';
import { isMailWritten } from '#app/domain/email/predicates.ts';
import { findPendingPayment } from '#app/domain/payments/history.ts';
import { enqueueReschedule } from '#app/domain/payments/payment.ts';
import { postsADay } from '#app/domain/payments/plan-labels.ts';
import { formatDate } from '#app/domain/platform/dates.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { env } from '#app/env.ts';
import { renewalPath } from './renewal.ts';
import { findActivePlan } from './subscription.ts';

const WARN_BEFORE_MS = 3 * 86_400_000;

const urlOf = (path: string) => new URL(path, env().APP_URL).href;

export async function endPlans(db: Db, now = new Date()): Promise<number> {
  const due = await db
    .selectFrom('payments')
    .select('userId')
    .distinct()
    .where('status', '=', 'active')
    .where('endsAt', '<=', now)
    .$narrowType<{ userId: string }>()
    .execute();
  let ended = 0;
  await forEachSettled(due, async ({ userId }) => {
    ended += await endPlansOf(db, userId, now);
  });
  return ended;
}

async function endPlansOf(db: Db, userId: string, now: Date): Promise<number> {
  return transact(db, async (trx) => {
    // The user may have been deleted.
    if (!(await lockUserIfExists(trx, userId))) return 0;
    const ended = await trx
      .updateTable('payments')
      .set({ status: sql`case when cancelled_at is null then 'expired' else 'cancelled' end` })
      .where('userId', '=', userId)
      .where('status', '=', 'active')
      .where('endsAt', '<=', now)
      .returning(['id', 'postsPerDay', 'endsAt'])
      .execute();
    // The rows are not ordered.
    const latest = ended.toSorted((one, other) => one.endsAt!.getTime() - other.endsAt!.getTime()).at(-1);
    if (!latest) return 0;
    await enqueueReschedule(trx, userId);
    if (!(await findActivePlan(trx, userId, now))) await mailPlanEnded(trx, userId, latest);
    return ended.length;
  });
}

async function findMailLink(db: Db, userId: string, path: string) {
  const isPending = (await findPendingPayment(db, { userId })) !== undefined;
  return { isChecking: isPending, url: urlOf(isPending ? '/app/payments' : path) };
}

async function mailPlanEnded(
  trx: Trx,
  userId: string,
  { id, postsPerDay }: { id: string; postsPerDay: number },
) {
  const link = await findMailLink(trx, userId, '/app/dashboard?dialog=subscribe');
  await mailUser(trx, userId, 'planEnded', { plan: postsADay(postsPerDay), ...link }, `plan-ended:${id}`);
}

/** The dedupe key of the mail: another end date (in UTC) is announced again. */
const announced = sql<string>`'plan-ending:' || payments.id || ':' || to_char(ends_at at time zone 'utc', 'YYYY-MM-DD')`;

/** Plans that end within three days without a successor and without a mail. */
const selectEnding = (db: Db, now: Date) =>
  db
    .selectFrom('payments')
    .select(['userId', 'postsPerDay', 'currencyCode', 'endsAt', announced.as('dedupeKey')])
    .where('status', '=', 'active')
    .where('endsAt', '>', now)
    .where('endsAt', '<=', new Date(now.getTime() + WARN_BEFORE_MS))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payments as next')
            .select('next.id')
            .whereRef('next.userId', '=', 'payments.userId')
            .whereRef('next.endsAt', '>', 'payments.endsAt'),
        ),
      ),
    )
    .where(({ not }) => not(isMailWritten(announced)))
    .$narrowType<{ userId: string; endsAt: Date }>();

export async function warnEndingPlans(db: Db, now = new Date()): Promise<void> {
  await forEachSettled(await selectEnding(db, now).execute(), ({ userId }) =>
    transact(db, async (trx) => {
      if (!(await lockUserIfExists(trx, userId))) return;
      const plan = await selectEnding(trx, now).where('userId', '=', userId).executeTakeFirst();
      if (!plan) return;
      const { postsPerDay, currencyCode, endsAt, dedupeKey } = plan;
      const { timeZone } = await findUser(trx, userId);
      const data = {
        plan: postsADay(postsPerDay),
        day: formatDate(endsAt, timeZone),
        ...(await findMailLink(trx, userId, renewalPath({ postsPerDay, currencyCode }))),
      };
      await mailUser(trx, userId, 'planEnding', data, dedupeKey);
    }),
  );
}
