import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { memoizeFor } from '#app/domain/platform/memoize.ts';
import { outOfAll } from './counts.ts';

const KEPT_MS = 60_000;

/** Counts the published posts of all users together, and all that were written, and stores both. The more posts there are the longer it takes, so the worker does it. */
export async function countPublished(db: Db, now: Date): Promise<void> {
  await sql`insert into published_totals (posts, authors, written, counted_at)
    select posts, authors, written, ${now}::timestamptz from (${outOfAll}) as counted
    on conflict (is_only) do update set posts = excluded.posts, authors = excluded.authors, written = excluded.written,
      counted_at = excluded.counted_at`.execute(db);
}

const totals = memoizeFor(KEPT_MS, (db) =>
  db.selectFrom('publishedTotals').select(['posts', 'authors']).executeTakeFirst(),
);

/** How many posts were out, of how many authors, when that was counted last; undefined before the first time. */
export const findPublished = (db: Db) => totals.get(db);
