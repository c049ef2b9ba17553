import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { jsonReader } from '#app/db/json-rows.ts';
import type { PaymentStatus } from '#app/db/tables.ts';
import { covers } from '#app/domain/payments/predicates.ts';
import type { Actor } from '#app/domain/platform/actor.ts';

export type ActivePlan = NonNullable<Awaited<ReturnType<typeof findActivePlan>>>;

export async function findActivePlan(db: Db, userId: string, now = new Date()) {
  const row = await db
    .selectFrom('payments')
    .select(['id', 'postsPerDay', 'currencyCode', 'amountMinor', 'fullPriceMinor', 'upgradeType'])
    .select(['startsAt', 'endsAt', 'cancelledAt', 'worthMinor'])
    .where('userId', '=', userId)
    .where(covers('payments', now))
    .executeTakeFirst();
  if (!row) return undefined;
  const { startsAt, endsAt, worthMinor, amountMinor } = row;
  return { ...row, startsAt: startsAt!, endsAt: endsAt!, worthMinor: worthMinor ?? amountMinor };
}

type StoredPlan = { status: PaymentStatus; endsAt: Date | null; cancelledAt: Date | null };

/** A plan has ended at its end, even if the sweep has not updated it yet. */
export function statusAt({ status, endsAt, cancelledAt }: StoredPlan, now: Date): PaymentStatus {
  if (status !== 'active' || !endsAt || endsAt > now) return status;
  return cancelledAt ? 'cancelled' : 'expired';
}

/** The plan that covers `now`, else the pending payment, else the plan that ended last. */
export const subscriptionOf = (db: Db, { userId, now }: { userId: string; now: Date }) =>
  db
    .selectFrom('payments')
    .innerJoin('currencies', 'currencies.code', 'payments.currencyCode')
    .select(['status', 'postsPerDay', 'currencyCode', 'symbol as currencySymbol', 'amountMinor'])
    .select(['fullPriceMinor', 'startsAt', 'endsAt', 'cancelledAt'])
    .select(sql<boolean>`not isempty(interruptions)`.as('isInterrupted'))
    .where('userId', '=', userId)
    .where('status', '<>', 'rejected')
    .orderBy(sql`case when ${covers('payments', now)} then 0 when status = 'pending' then 1 else 2 end`)
    .orderBy('endsAt', 'desc')
    .limit(1);

const readSubscription = compiledQuery(subscriptionOf);
type Row = Awaited<ReturnType<typeof readSubscription>>[number];

export const readSubscriptionRow = jsonReader<Row>({ startsAt: true, endsAt: true, cancelledAt: true });

export const toSubscription = (row: Row, now: Date) => ({ ...row, status: statusAt(row, now) });
export type Subscription = ReturnType<typeof toSubscription>;

export async function findSubscription(db: Db, actor: Actor, now = new Date()) {
  const [row] = await readSubscription(db, { userId: actor.userId, now });
  return row ? toSubscription(row, now) : null;
}
