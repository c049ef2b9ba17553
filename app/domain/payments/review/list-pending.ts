import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import { eraseAt } from '#app/domain/accounts/predicates.ts';
import { findSameScreenshots } from '#app/domain/payments/checkout/screenshots.ts';
import { newestFirst, toKeyset, withCurrentStatus } from '#app/domain/payments/history.ts';
import {
  LATE_AFTER_HOURS,
  PAYMENT_STATUSES,
  POSTS_PER_DAY_MAX,
  SEARCH_MAX,
} from '#app/domain/payments/limits.ts';
import { type Payment, selectPayments } from '#app/domain/payments/payment.ts';
import { text } from '#app/domain/platform/input-schema.ts';
import { isId, type Page, PageQuery, readCursor, toPage } from '#app/domain/platform/paging.ts';
import { containsPattern } from '#app/domain/platform/sql-like.ts';
import { previewPayments } from './preview-payments.ts';
import { needsTwoAdmins } from './two-person-rule.ts';

const LATE_AFTER_MS = LATE_AFTER_HOURS * 3_600_000;

/** Oldest first, with the effect of verifying each now. `isLate`: near the promised 24 hours. */
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
  const page = toPage(rows, query.limit, toKeyset);
  const zones = new Map(page.rows.map(({ userId, payerZone }) => [userId!, payerZone]));
  const preview = await previewPayments(db, page.rows, zones, now);
  const sameScreenshots = await findSameScreenshots(
    db,
    page.rows.filter(({ hasScreenshot }) => hasScreenshot).map(({ id }) => id),
  );
  const withDetails = (row: (typeof rows)[number]) => ({
    ...row,
    waitsMs: now.getTime() - row.createdAt.getTime(),
    isLate: now.getTime() - row.createdAt.getTime() > LATE_AFTER_MS,
    needsTwoAdmins: needsTwoAdmins(row),
    preview: preview.get(row.id)!,
    sameScreenshot: sameScreenshots.get(row.id) ?? null,
  });
  return { ...page, rows: page.rows.map(withDetails) };
}

/** `status` is the current one; `q` searches names, addresses, references and transactions. */
export const SubscriptionsQuery = PageQuery.extend({
  status: z.enum(PAYMENT_STATUSES).optional(),
  currencyCode: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  postsPerDay: z.coerce.number().int().min(1).max(POSTS_PER_DAY_MAX).optional(),
  q: text('The search', SEARCH_MAX).optional(),
});
export type SubscriptionsQuery = z.output<typeof SubscriptionsQuery>;

/** The SQL of `statusAt`, written so that indexes apply. */
function hasStatus(status: (typeof PAYMENT_STATUSES)[number], now: Date) {
  if (status === 'active') return sql<boolean>`status = 'active' and ends_at > ${now}`;
  if (status !== 'expired' && status !== 'cancelled') return sql<boolean>`status = ${sql.lit(status)}`;
  const cancelled = status === 'expired' ? sql`cancelled_at is null` : sql`cancelled_at is not null`;
  return sql<boolean>`(status = ${sql.lit(status)} or (status = 'active' and ends_at <= ${now} and ${cancelled}))`;
}

const searchText = sql<string>`(payer_name || e'\n' || payer_email || e'\n' || reference || e'\n' || coalesce(transaction_id, ''))`;

/** All payments, newest first; rejected ones only when asked for. */
export async function listSubscriptions(
  db: Db,
  { status, currencyCode, postsPerDay, q, ...query }: SubscriptionsQuery,
  now = new Date(),
): Promise<Page<Payment>> {
  const pattern = containsPattern(q ?? '');
  const rows = newestFirst(db, query)
    .$if(status === undefined, (select) => select.where('status', '<>', 'rejected'))
    .$if(status !== undefined, (select) => select.where(hasStatus(status!, now)))
    .$if(currencyCode !== undefined, (select) => select.where('currencyCode', '=', currencyCode!))
    .$if(postsPerDay !== undefined, (select) => select.where('postsPerDay', '=', postsPerDay!))
    .$if(Boolean(q), (select) =>
      select.where(
        sql<boolean>`(${searchText} ilike ${pattern} or ${searchText} ilike ${pattern.replace(/\s/g, '')})`,
      ),
    );
  return toPage(withCurrentStatus(await rows.execute(), now), query.limit, toKeyset);
}

/** Who decided a payment, and how; undefined while it is pending and for an unknown id. */
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

/** The payer of a request without a payment, which the search of payments does not find. */
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
