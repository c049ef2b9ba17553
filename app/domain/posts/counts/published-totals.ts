import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { memoizeFor } from '#app/domain/platform/memoize.ts';
import { publishedOfAll } from './counts.ts';

const CACHE_MS = 60_000;

/** Counts the published posts and all posts of all users, and stores both. It takes long, so the worker does it. */
export async function countPublished(db: Db, now: Date): Promise<void> {
  await sql`insert into published_totals (posts, authors, written, counted_at)
    select posts, authors, written, ${now}::timestamptz from (${publishedOfAll}) as counted
    on conflict (is_only) do update set posts = excluded.posts, authors = excluded.authors, written = excluded.written,
      counted_at = excluded.counted_at`.execute(db);
}

const totals = memoizeFor(CACHE_MS, (db) =>
  db.selectFrom('publishedTotals').select(['posts', 'authors']).executeTakeFirst(),
);

/** Returns the last counts of published posts and their authors; undefined before the first count. */
export const findPublished = (db: Db) => totals.get(db);
