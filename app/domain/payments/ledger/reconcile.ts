import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { lockUserIfExists, setHasPlan } from '#app/domain/accounts/users.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { clearFaults, reportFault } from '#app/domain/platform/operator-alerts.ts';

const FAULT = 'payment_sums';

export type Corrections = { sums: number; plans: number };

const SUMS = ['payments', 'full_minor', 'credit_minor', 'paid_minor'];
const sumColumns = (table: string) =>
  sql.join(SUMS.map((name) => sql`coalesce(${sql.ref(`${table}.${name}`)}, 0)`));

/** The sums computed from the payments, in the rows of `earnings`. */
const counted = sql`
  select span, payments.currency_code, begins, count(*) as payments, sum(cost.full_minor)::bigint as full_minor,
    sum(cost.credit_minor)::bigint as credit_minor, sum(payments.amount_minor)::bigint as paid_minor
  from payments left join payment_requests on payment_requests.id = request_id,
    lateral (select case when is_prorated then payments.amount_minor else payments.full_price_minor end as full_minor,
      case when is_prorated then 0 else coalesce(payment_requests.credit_minor, 0) end as credit_minor) as cost,
    lateral (values ('day', date_trunc('day', verified_at, 'UTC')),
      ('quarter', date_bin('15 minutes', verified_at, '2000-01-01Z'))) as spans (span, begins)
  where verified_at is not null
  group by span, payments.currency_code, begins`;

const reconcileEarnings = (db: Db): Promise<number> =>
  transact(db, async (trx) => {
    // Blocks verifications meanwhile; the next statement sees the earlier ones.
    await sql`lock table earnings in share row exclusive mode`.execute(trx);
    const { numAffectedRows } = await sql`
      insert into earnings (span, currency_code, begins, payments, full_minor, credit_minor, paid_minor)
      select span, currency_code, begins, ${sumColumns('counted')}
      from earnings as stored full join (${counted}) as counted using (span, currency_code, begins)
      where (${sumColumns('stored')}) is distinct from (${sumColumns('counted')})
      on conflict (span, currency_code, begins) do update set payments = excluded.payments,
        full_minor = excluded.full_minor, credit_minor = excluded.credit_minor, paid_minor = excluded.paid_minor`.execute(
      trx,
    );
    return Number(numAffectedRows);
  });

const hasActive = sql<boolean>`exists (select from payments where payments.user_id = users.id and status = 'active')`;

async function reconcilePlanFlags(db: Db): Promise<number> {
  const { rows } = await sql<{ id: string }>`select id from users where has_plan <> ${hasActive}`.execute(db);
  let corrections = 0;
  await forEachSettled(rows, ({ id }) =>
    transact(db, async (trx) => {
      await lockUserIfExists(trx, id);
      const { rows: current } = await sql<{ hasPlan: boolean }>`
        select ${hasActive} as "hasPlan" from users where id = ${id} and has_plan <> ${hasActive}`.execute(
        trx,
      );
      for (const { hasPlan } of current) await setHasPlan(trx, id, hasPlan);
      corrections += current.length;
    }),
  );
  return corrections;
}

/** Corrects what triggers derive from payments, which is wrong after a restore of data only; alerts the operator. */
export async function reconcilePayments(db: Db, now: Date): Promise<Corrections> {
  const corrections = { sums: await reconcileEarnings(db), plans: await reconcilePlanFlags(db) };
  if (corrections.sums + corrections.plans === 0) await clearFaults(db, FAULT);
  else
    await reportFault(
      db,
      FAULT,
      `What is kept of payments was wrong and has been set right: ${corrections.sums} sums, and of ${corrections.plans} users whether they have a plan.`,
      now,
    );
  return corrections;
}
