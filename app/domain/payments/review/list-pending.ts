import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import { eraseAt } from '#app/domain/accounts/predicates.ts';
import { findSameScreenshots } from '#app/domain/payments/checkout/screenshots.ts';
import { asOf, keyOf, newestFirst } from '#app/domain/payments/history.ts';
import {
  LATE_AFTER_HOURS,
  POSTS_PER_DAY_MAX,
  SEARCH_MAX,
  SHOWN_STATUSES,
} from '#app/domain/payments/limits.ts';
import { type Payment, selectPayments } from '#app/domain/payments/payment.ts';
import { text } from '#app/domain/platform/input-schema.ts';
import { isId, type Page, PageQuery, readCursor, toPage } from '#app/domain/platform/paging.ts';
import { has } from '#app/domain/platform/sql-like.ts';
import { previewPayments } from './preview-payments.ts';
import { needsTwoAdmins } from './two-person-rule.ts';

const LATE_AFTER_MS = LATE_AFTER_HOURS * 3_600_000;

/**
 * Everybody's payments that wait for an admin, oldest first; late ones are near the promised 24 hours. With what verifying
 * each does now, by the clock of its payer.
 */
export async function listPendingPayments(db: Db, query: PageQuery, now = new Date()) {
  const after = readCursor(query.cursor);
  const rows = await selectPayments(db)
    .select(eraseAt('payments.userId').as('payerEraseAt'))
    .select(({ selectFrom }) => [
      selectFrom('users')
        .select('timeZone')
        .whereRef('id', '=', 'payments.userId')
        .$asScalar()
        .$notNull()
        .as('payerZone'),
      selectFrom('users').select('name').whereRef('id', '=', 'firstVerifiedBy').as('firstVerifiedName'),
      selectFrom('paymentRequests')
        .select('creditMinor')
        .whereRef('id', '=', 'requestId')
        .where('isProrated', '=', false)
        .as('creditMinor'),
    ])
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
  const zones = new Map(page.rows.map(({ userId, payerZone }) => [userId!, payerZone]));
  const foreseen = await previewPayments(db, page.rows, zones, now);
  const same = await findSameScreenshots(
    db,
    page.rows.filter(({ hasScreenshot }) => hasScreenshot).map(({ id }) => id),
  );
  const withMore = (row: (typeof rows)[number]) => ({
    ...row,
    waitsMs: now.getTime() - row.createdAt.getTime(),
    isLate: now.getTime() - row.createdAt.getTime() > LATE_AFTER_MS,
    needsTwoAdmins: needsTwoAdmins(row),
    foreseen: foreseen.get(row.id)!,
    sameScreenshot: same.get(row.id) ?? null,
  });
  return { ...page, rows: page.rows.map(withMore) };
}

/** Which plans of everybody: `status` as it is shown, and a text in name, address, reference or transaction. */
export const SubscriptionsQuery = PageQuery.extend({
  status: z.enum(SHOWN_STATUSES).optional(),
  currencyCode: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  postsPerDay: z.coerce.number().int().min(1).max(POSTS_PER_DAY_MAX).optional(),
  q: text('The search', SEARCH_MAX).optional(),
});
export type SubscriptionsQuery = z.output<typeof SubscriptionsQuery>;

/** Plans that are shown with a status at `now`, as `statusAt` says it, in SQL; by what the indexes know. */
function hasStatus(status: (typeof SHOWN_STATUSES)[number], now: Date) {
  if (status === 'active') return sql<boolean>`status = 'active' and ends_at > ${now}`;
  if (status !== 'expired' && status !== 'cancelled') return sql<boolean>`status = ${sql.lit(status)}`;
  const cancelled = status === 'expired' ? sql`cancelled_at is null` : sql`cancelled_at is not null`;
  return sql<boolean>`(status = ${sql.lit(status)} or (status = 'active' and ends_at <= ${now} and ${cancelled}))`;
}

/** As the index has them, so that a text is found by it. */
const words = sql<string>`(payer_name || e'\n' || payer_email || e'\n' || reference || e'\n' || coalesce(transaction_id, ''))`;

/** Everybody's plans, newest first: those that wait, run or have ended; rejected payments when they are asked for. */
export async function listSubscriptions(
  db: Db,
  { status, currencyCode, postsPerDay, q, ...query }: SubscriptionsQuery,
  now = new Date(),
): Promise<Page<Payment>> {
  const like = has(q ?? '');
  const found = newestFirst(db, query)
    .$if(status === undefined, (select) => select.where('status', '<>', 'rejected'))
    .$if(status !== undefined, (select) => select.where(hasStatus(status!, now)))
    .$if(currencyCode !== undefined, (select) => select.where('currencyCode', '=', currencyCode!))
    .$if(postsPerDay !== undefined, (select) => select.where('postsPerDay', '=', postsPerDay!))
    .$if(Boolean(q), (select) =>
      select.where(sql<boolean>`(${words} ilike ${like} or ${words} ilike ${like.replace(/\s/g, '')})`),
    );
  return toPage(asOf(await found.execute(), now), query.limit, keyOf);
}

/** What became of a payment that an admin wanted to decide, and by whom; undefined while it waits, and when it is none. */
export async function findDecision(db: Db, paymentId: string | null) {
  if (!paymentId || !isId(paymentId)) return undefined;
  return db
    .selectFrom('payments')
    .leftJoin('users', (join) =>
      join.on((eb) => eb('users.id', '=', eb.fn.coalesce('payments.verifiedBy', 'rejectedBy'))),
    )
    .select(['reference', 'payerName', 'userId', 'payments.verifiedAt', 'rejectedAt', 'rejectReason'])
    .select('users.name as by')
    .where('payments.id', '=', paymentId)
    .where('status', '<>', 'pending')
    .executeTakeFirst();
}

/** Who was asked to pay with a reference that no payment has: a search of payments finds nothing by it. */
export async function findOpenRequest(db: Db, q: string | undefined) {
  const reference = q?.replaceAll(/\s/g, '').toUpperCase();
  if (!reference) return undefined;
  return db
    .selectFrom('paymentRequests')
    .innerJoin('users', 'users.id', 'paymentRequests.userId')
    .select(['reference', 'users.name', 'users.id as userId'])
    .where('reference', '=', reference)
    .where('status', '<>', 'taken')
    .executeTakeFirst();
}
