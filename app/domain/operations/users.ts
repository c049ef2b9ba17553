import { type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import type { Database } from '#app/db/tables.ts';
import { USER_FILTERS, USER_SEARCH_MAX } from '#app/domain/accounts/limits.ts';
import { eraseAt, isDisabled } from '#app/domain/accounts/predicates.ts';
import { mayBeUncovered, planCovers, plannedPostsPerDay } from '#app/domain/payments/predicates.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { text } from '#app/domain/platform/input-schema.ts';
import {
  findOrRefuse,
  isAfterCursor,
  isId,
  type Page,
  PageQuery,
  toPage,
} from '#app/domain/platform/paging.ts';
import { countsOfEach } from '#app/domain/posts/counts/counts.ts';

/** Shorter texts occur in nearly every word, so they match beginnings of words only. */
const PREFIX_BELOW = 3;

/** `q` searches names and addresses, or is the id of an account. */
export const UsersQuery = PageQuery.extend({
  q: text('The search', USER_SEARCH_MAX).optional(),
  show: z.enum(USER_FILTERS).optional(),
});
export type UsersQuery = z.output<typeof UsersQuery>;

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

const searchText = sql<string>`(' ' || users.name || ' ' || users.email)`;

function matches(q: string) {
  const pattern = q.length < PREFIX_BELOW ? `% ${escapeLike(q)}%` : `%${escapeLike(q)}%`;
  const containsText = sql<boolean>`${searchText} ilike ${pattern}`;
  return isId(q) ? sql<boolean>`(users.id = ${q} or ${containsText})` : containsText;
}

const FILTERS = {
  plan: (now: Date) => sql<boolean>`${planCovers('users.id', now)}`,
  disabled: () => sql<boolean>`${isDisabled('users.id')}`,
  admins: () => sql<boolean>`users.role = 'admin'`,
};

function selectMatching(
  db: Db,
  { q, show, cursor, limit }: UsersQuery,
  now: Date,
): SelectQueryBuilder<Database, never, { id: string; createdAt: Date }> {
  const matching = db
    .selectFrom('users')
    .select(['users.id', 'users.createdAt'])
    .$if(Boolean(q), (select) => select.where(matches(q!)))
    .where(isAfterCursor(cursor, 'createdAt'))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (show !== 'no_plan')
    return matching.$if(show !== undefined, (select) => select.where(FILTERS[show!](now)));
  // An index has the users without any plan in this order. Of the others only few have no current plan.
  const withoutPlan = matching.where(sql<boolean>`not has_plan`);
  const withInactivePlan = matching
    .where(sql<boolean>`has_plan and ${mayBeUncovered('users.id', now)}`)
    .where(sql<boolean>`not ${planCovers('users.id', now)}`);
  return db
    .selectFrom(withoutPlan.as('without'))
    .selectAll()
    .unionAll(db.selectFrom(withInactivePlan.as('others')).selectAll())
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
}

type Row = {
  id: string;
  name: string;
  email: string;
  isAdmin: boolean;
  isDisabled: boolean;
  createdAt: Date;
  /** Of the current plan; null without one. */
  postsPerDay: number | null;
};
export type ListedUser = Row & { postCount: number; publishedCount: number };

export async function listUsers(db: Db, query: UsersQuery, now = new Date()): Promise<Page<ListedUser>> {
  const rows: Row[] = await db
    .selectFrom(selectMatching(db, query, now).as('asked'))
    .innerJoin('users', 'users.id', 'asked.id')
    .select(['users.id', 'name', 'email', 'users.createdAt', sql<boolean>`role = 'admin'`.as('isAdmin')])
    .select(plannedPostsPerDay('users.id', now).as('postsPerDay'))
    .select(isDisabled('users.id').$castTo<boolean>().as('isDisabled'))
    .orderBy('users.createdAt', 'desc')
    .orderBy('users.id', 'desc')
    .execute();
  const page = toPage(rows, query.limit, ({ createdAt, id }) => ({ at: createdAt, id }));
  const { rows: counts } = await countsOfEach(page.rows.map(({ id }) => id)).execute(db);
  const countOf = new Map(counts.map((count) => [count.userId, count]));
  const withCounts = (row: Row) => {
    const { published = 0, failed = 0, waiting = 0 } = countOf.get(row.id) ?? {};
    return { ...row, postCount: published + failed + waiting, publishedCount: published };
  };
  return { ...page, rows: page.rows.map(withCounts) };
}

export async function getListedUser(db: Db, userId: string): Promise<Actor> {
  return findOrRefuse('This account', userId, () =>
    db
      .selectFrom('users')
      .select(['id as userId', 'name', 'email', 'timeZone', sql<boolean>`role = 'admin'`.as('isAdmin')])
      .where('id', '=', userId)
      .executeTakeFirst(),
  );
}

export async function readAccount(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .leftJoin('disabledAccounts', 'disabledAccounts.userId', 'users.id')
    .select(['users.createdAt', 'users.signedInAt', 'disabledAccounts.disabledAt', 'disabledAccounts.reason'])
    .select(eraseAt('users.id').as('eraseAt'))
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
}
