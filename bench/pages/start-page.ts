/**
 * What the start page reads, among 1,000,000 posts of 10,000 authors of whom 2,000 let theirs be shown: the posts, the
 * statistics, and how long the worker counts for these.
 */
import { reconcileCounts } from '#app/domain/posts/counts/counts.ts';
import { countPublished, findPublished } from '#app/domain/posts/counts/published-totals.ts';
import { clearTopPosts, listTopPosts } from '#app/domain/posts/landing/top-posts.ts';
import { addPeople, addPosts, settle } from '#bench/data/people.ts';
import { figure, ms, number, percentile, spread, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const POSTS = 1_000_000;
const AUTHORS = 10_000;
const SHOWING = 2_000;
const AT_ONCE = 1_000;
const RUNS = 30;
const LONGEST_MS = 15 * 60_000;

async function timesOf(act: () => Promise<unknown>, runs = RUNS): Promise<number[]> {
  const times = [];
  for (let n = 0; n < runs; n += 1) {
    const from = performance.now();
    await act();
    times.push(performance.now() - from);
  }
  return times;
}

await measure(async (stops) => {
  const { db } = await openProduct(stops);
  const ids = await addPeople(db, AUTHORS);
  for (let from = 0; from < AUTHORS; from += AT_ONCE)
    await addPosts(db, ids.slice(from, from + AT_ONCE), POSTS / AUTHORS);
  const showing = ids.slice(0, SHOWING);
  await db.updateTable('users').set({ showsPostsSince: new Date() }).where('id', 'in', showing).execute();
  await settle(db);
  title(`${number(POSTS)} posts, ${number(SHOWING)} of ${number(AUTHORS)} authors let theirs be shown`);
  const top = await timesOf(async () => {
    clearTopPosts(db);
    await listTopPosts(db);
  });
  figure('the posts, once a second', spread(top), `${(await listTopPosts(db)).length} of them`);
  const before = await timesOf(() => countPublished(db, new Date()), 3);
  figure('the worker counts, with nothing kept', ms(percentile(before, 0.5)));
  await reconcileCounts(db);
  await settle(db);
  const after = await timesOf(() => countPublished(db, new Date()), 5);
  figure('the worker counts, once an hour', ms(percentile(after, 0.5)));
  const [first] = await timesOf(() => findPublished(db), 1);
  const out = await findPublished(db);
  figure('the statistics, once a minute', ms(first!), `${number(out?.posts ?? 0)} posts`);
}, LONGEST_MS);
