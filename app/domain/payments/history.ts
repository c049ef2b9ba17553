import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { type Page, type PageQuery, readCursor, toPage } from '#app/domain/paging.ts';
import { LATE_AFTER_HOURS } from './limits.ts';
import { type Payment, selectPayments } from './payment.ts';
import { statusAt } from './subscription.ts';

const LATE_AFTER_MS = LATE_AFTER_HOURS * 3_600_000;
const keyOf = (row: Payment) => ({ at: row.createdAt, id: row.id });

const asOf = (rows: Payment[], now: Date) => rows.map((row) => ({ ...row, status: statusAt(row, now) }));

function newestFirst(db: Db, query: PageQuery) {
  const after = readCursor(query.cursor);
  return selectPayments(db)
    .$if(after !== undefined, (q) =>
      q.where((eb) =>
        eb(eb.refTuple('payments.createdAt', 'payments.id'), '<', eb.tuple(after!.at, after!.id)),
      ),
    )
    .orderBy('payments.createdAt', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(query.limit + 1);
}

/** The actor's payments, newest first. */
export async function listPayments(
  db: Db,
  actor: Actor,
  query: PageQuery,
  now = new Date(),
): Promise<Page<Payment>> {
  const rows = await newestFirst(db, query).where('userId', '=', actor.userId).execute();
  return toPage(asOf(rows, now), query.limit, keyOf);
}

/** The actor's payment that waits for an admin. */
export const findWaitingPayment = (db: Db, actor: Actor): Promise<Payment | undefined> =>
  selectPayments(db).where('userId', '=', actor.userId).where('status', '=', 'pending').executeTakeFirst();

/** How many payments the actor has made, and how many of them are active and waiting. */
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

/** Everybody's payments that wait for an admin, oldest first; late ones are near the promised 24 hours. */
export async function listPendingPayments(db: Db, query: PageQuery, now = new Date()) {
  const after = readCursor(query.cursor);
  const rows = await selectPayments(db)
    .where('status', '=', 'pending')
    .$if(after !== undefined, (q) =>
      q.where((eb) =>
        eb(eb.refTuple('payments.createdAt', 'payments.id'), '>', eb.tuple(after!.at, after!.id)),
      ),
    )
    .orderBy('payments.createdAt')
    .orderBy('payments.id')
    .limit(query.limit + 1)
    .execute();
  const page = toPage(rows, query.limit, keyOf);
  const isLate = (row: Payment) => now.getTime() - row.createdAt.getTime() > LATE_AFTER_MS;
  return { ...page, rows: page.rows.map((row) => ({ ...row, isLate: isLate(row) })) };
}

/** Everybody's plans, newest first: those that wait, run or have ended. */
export async function listSubscriptions(db: Db, query: PageQuery, now = new Date()): Promise<Page<Payment>> {
  const rows = await newestFirst(db, query).where('status', '<>', 'rejected').execute();
  return toPage(asOf(rows, now), query.limit, keyOf);
}
