import { type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import type { Database } from '#app/db/tables.ts';
import { USER_FILTERS, USER_SEARCH_MAX } from '#app/domain/accounts/limits.ts';
import { eraseAt, isDisabled } from '#app/domain/accounts/predicates.ts';
import { mayBeUncovered, planCovers, plannedPostsPerDay } from '#app/domain/payments/predicates.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { text } from '#app/domain/platform/input-schema.ts';
import { isId, type Page, PageQuery, readCursor, toPage } from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { countsOfEach } from '#app/domain/posts/counts/counts.ts';

/** So few characters are in nearly every word: those that begin with them are meant. */
const FEW = 3;

/** Whom admins look for: a text in name or address, or the id of an account, and which of them. */
export const UsersQuery = PageQuery.extend({
  q: text('The search', USER_SEARCH_MAX).optional(),
  show: z.enum(USER_FILTERS).optional(),
});
export type UsersQuery = z.output<typeof UsersQuery>;

const escaped = (said: string) => said.replace(/[\\%_]/g, '\\$&');

/** As the index has it, so that the text is found by it. */
const words = sql<string>`(' ' || users.name || ' ' || users.email)`;

function says(q: string) {
  const like = q.length < FEW ? `% ${escaped(q)}%` : `%${escaped(q)}%`;
  const isSaid = sql<boolean>`${words} ilike ${like}`;
  return isId(q) ? sql<boolean>`(users.id = ${q} or ${isSaid})` : isSaid;
}

const NARROWED = {
  plan: (now: Date) => sql<boolean>`${planCovers('users.id', now)}`,
  disabled: () => sql<boolean>`${isDisabled('users.id')}`,
  admins: () => sql<boolean>`users.role = 'admin'`,
};

/** The first of those whom an address asks for, in the order of the list. */
function selectMatching(
  db: Db,
  { q, show, cursor, limit }: UsersQuery,
  now: Date,
): SelectQueryBuilder<Database, never, { id: string; createdAt: Date }> {
  const from = readCursor(cursor);
  const found = db
    .selectFrom('users')
    .select(['users.id', 'users.createdAt'])
    .$if(Boolean(q), (select) => select.where(says(q!)))
    .$if(from !== undefined, (select) =>
      select.where((eb) => eb(eb.refTuple('createdAt', 'id'), '<', eb.tuple(from!.at, from!.id))),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (show !== 'no_plan')
    return found.$if(show !== undefined, (select) => select.where(NARROWED[show!](now)));
  // An index has those without any plan in their order. Of the others few can be without one that runs.
  const withoutAny = found.where(sql<boolean>`not has_plan`);
  const ofOthers = found
    .where(sql<boolean>`has_plan and ${mayBeUncovered('users.id', now)}`)
    .where(sql<boolean>`not ${planCovers('users.id', now)}`);
  return db
    .selectFrom(withoutAny.as('without'))
    .selectAll()
    .unionAll(db.selectFrom(ofOthers.as('others')).selectAll())
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
  /** What the plan that runs now has; null without one. */
  postsPerDay: number | null;
};
export type ListedUser = Row & { postCount: number; publishedCount: number };

/** Everybody who has an account, the newest first, with their plan and how many posts they have. */
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

/** Somebody who has an account, as an actor whose things can be read. */
export async function getListedUser(db: Db, userId: string): Promise<Actor> {
  const found = isId(userId)
    ? await db
        .selectFrom('users')
        .select(['id as userId', 'name', 'email', 'timeZone', sql<boolean>`role = 'admin'`.as('isAdmin')])
        .where('id', '=', userId)
        .executeTakeFirst()
    : undefined;
  if (!found) throw notFound('This account');
  return found;
}

/** When an account was made, used and, if so, stopped; nothing that lets anybody in. */
export async function readAccount(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .leftJoin('disabledAccounts', 'disabledAccounts.userId', 'users.id')
    .select(['users.createdAt', 'users.signedInAt', 'disabledAccounts.disabledAt', 'disabledAccounts.reason'])
    .select(eraseAt('users.id').as('eraseAt'))
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
}
