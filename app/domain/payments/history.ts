import type { Db } from '#app/db/client.ts';
import { statusAt } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isAfterCursor, type Page, type PageQuery, toPage } from '#app/domain/platform/paging.ts';
import { type Payment, selectPayments } from './payment.ts';

export const toKeyset = (row: Payment) => ({ at: row.createdAt, id: row.id });

export const withCurrentStatus = (rows: Payment[], now: Date) =>
  rows.map((row) => ({ ...row, status: statusAt(row, now) }));

export const newestFirst = (db: Db, query: PageQuery) =>
  selectPayments(db)
    .where(isAfterCursor(query.cursor, 'payments.createdAt', 'payments.id'))
    .orderBy('payments.createdAt', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(query.limit + 1);

export async function listPayments(
  db: Db,
  actor: Actor,
  query: PageQuery,
  now = new Date(),
): Promise<Page<Payment>> {
  const rows = await newestFirst(db, query).where('userId', '=', actor.userId).execute();
  return toPage(withCurrentStatus(rows, now), query.limit, toKeyset);
}

export const findPendingPayment = (db: Db, { userId }: { userId: string }): Promise<Payment | undefined> =>
  selectPayments(db).where('userId', '=', userId).where('status', '=', 'pending').executeTakeFirst();

export async function countOwnPayments(db: Db, actor: Actor, now = new Date()) {
  return db
    .selectFrom('payments')
    .select((eb) => [
      eb.cast<number>(eb.fn.countAll(), 'integer').as('total'),
      eb
        .cast<number>(
          eb.fn.countAll().filterWhere('status', '=', 'active').filterWhere('endsAt', '>', now),
          'integer',
        )
        .as('active'),
      eb.cast<number>(eb.fn.countAll().filterWhere('status', '=', 'pending'), 'integer').as('pending'),
    ])
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
}
