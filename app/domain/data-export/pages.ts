import { type ReferenceExpression, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '#app/db/tables.ts';

export type Pages = AsyncGenerator<object[]>;

const ROWS_AT_A_TIME = 100;

type Aged = { id: string; createdAt: Date };

/** What there are few of, in one page. */
export async function* onePage(query: { execute(): Promise<object[]> }): Pages {
  yield await query.execute();
}

/**
 * Rows of a table by their age, the latest first, some at a time, each page as `withMore` makes it. `aged`: the column that
 * the query selects as `createdAt`.
 */
export async function* byAge<T extends keyof Database, Row extends Aged>(
  query: SelectQueryBuilder<Database, T, Row>,
  table: T,
  withMore: (rows: Row[]) => Promise<object[]> | object[] = (rows) => rows,
  aged = 'createdAt',
): Pages {
  const [createdAt, id] = [`${table}.${aged}`, `${table}.id`] as ReferenceExpression<Database, T>[];
  const ordered = query.orderBy(createdAt!, 'desc').orderBy(id!, 'desc').limit(ROWS_AT_A_TIME);
  let last: Aged | undefined;
  for (;;) {
    const isLater =
      last &&
      sql<boolean>`(${sql.ref(`${table}.${aged}`)}, ${sql.ref(`${table}.id`)}) < (${last.createdAt}, ${last.id})`;
    const rows = await (isLater ? ordered.where(isLater) : ordered).execute();
    yield await withMore(rows as Row[]);
    last = rows.at(-1) as Aged | undefined;
    if (rows.length < ROWS_AT_A_TIME) return;
  }
}
