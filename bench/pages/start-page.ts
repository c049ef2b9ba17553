/**
 * The queries of the landing page with 1,000,000 posts of 10,000 authors, of whom 2,000 allow showing theirs: the posts, the
 * statistics, and the worker's job that counts them.
 */
import { reconcileCounts } from '#app/domain/posts/counts/counts.ts';
import { countPublished, findPublished } from '#app/domain/posts/counts/published-totals.ts';
import { clearTopPosts, listTopPosts } from '#app/domain/posts/landing/top-posts.ts';
import { addPosts, addUsers, vacuumAndCheckpoint } from '#bench/data/users.ts';
import { figure, ms, number, percentile, spread, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const POSTS = 1_000_000;
const AUTHORS = 10_000;
const SHOWING = 2_000;
const BATCH = 1_000;
const RUNS = 30;
const LONGEST_MS = 15 * 60_000;

async function timesOf(query: () => Promise<unknown>, runs = RUNS): Promise<number[]> {
  const times = [];
  for (let n = 0; n < runs; n += 1) {
    const from = performance.now();
    await query();
    times.push(performance.now() - from);
  }
  return times;
}

await measure(async (stops) => {
  const { db } = await openProduct(stops);
  const ids = await addUsers(db, AUTHORS);
  for (let from = 0; from < AUTHORS; from += BATCH)
    await addPosts(db, ids.slice(from, from + BATCH), POSTS / AUTHORS);
  const showing = ids.slice(0, SHOWING);
  await db.updateTable('users').set({ showsPostsSince: new Date() }).where('id', 'in', showing).execute();
  await vacuumAndCheckpoint(db);
  title(`${number(POSTS)} posts, ${number(SHOWING)} of ${number(AUTHORS)} authors let theirs be shown`);
  const top = await timesOf(async () => {
    clearTopPosts(db);
    await listTopPosts(db);
  });
  figure('the posts, once a second', spread(top), `${(await listTopPosts(db)).length} of them`);
  const before = await timesOf(() => countPublished(db, new Date()), 3);
  figure('the worker counts, with nothing kept', ms(percentile(before, 0.5)));
  await reconcileCounts(db);
  await vacuumAndCheckpoint(db);
  const after = await timesOf(() => countPublished(db, new Date()), 5);
  figure('the worker counts, once an hour', ms(percentile(after, 0.5)));
  const [first] = await timesOf(() => findPublished(db), 1);
  const out = await findPublished(db);
  figure('the statistics, once a minute', ms(first!), `${number(out?.posts ?? 0)} posts`);
}, LONGEST_MS);
