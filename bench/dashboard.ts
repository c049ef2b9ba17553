/**
 * The signed-in dashboard at 50 requests per second with 100,000 posts in the table: of 1,000 users in
 * turn, and of one user who owns them all. Beside it a page without a query at the same rate.
 */
import { cpuSeconds, figure, ms, percentile, spread, title, watchIdle, watchStolen } from './figures.ts';
import { load, otherAnswers } from './load.ts';
import { addPeople, addPosts, cookieOf, settle } from './people.ts';
import { measure, openProduct } from './product.ts';

const POSTS = 100_000;
const USERS = 1_000;
const RATE = { perSecond: 50, connections: 64, seconds: 20, warmUpSeconds: 3, isCompressed: true };
const RUNS = Number(process.env.BENCH_RUNS || 1);
const PAGE = process.env.BENCH_PAGE || '/app/dashboard';

const share = (part: number) => `${Math.round(part * 100)}%`;

await measure(async (stops) => {
  const { app, db, startWeb } = await openProduct(stops);
  const users = await addPeople(db, USERS);
  await addPosts(db, users, POSTS / USERS);
  const cookies: string[] = [];
  for (const user of users) cookies.push(await cookieOf(db, user));
  await settle(db);
  const web = await startWeb();

  title(`${PAGE} at ${RATE.perSecond} requests per second for ${RATE.seconds} s, ${POSTS / 1000},000 posts`);
  const rounds = async (name: string, signedIn: string[]) => {
    for (let run = 1; run <= RUNS; run += 1) {
      const bare = await load({ ...RATE, url: `${app}/health` });
      const [idle, stolen] = [watchIdle(), watchStolen()];
      const cpuBefore = cpuSeconds(web.pid);
      const page = await load({ ...RATE, url: app + PAGE, cookies: signedIn });
      const [idleShare, stolenShare] = [idle(), stolen()];
      const cpu = (cpuSeconds(web.pid) - cpuBefore) / (RATE.seconds + RATE.warmUpSeconds);
      const times = percentile(page.latencies, 0.99) / percentile(bare.latencies, 0.99);
      figure(`${name}, run ${run} of ${RUNS}`, spread(page.latencies), 'goal p99 50 ms');
      figure('  beside it /health', spread(bare.latencies), `p99 ${times.toFixed(1)} times`);
      figure(
        '  CPU of the web process',
        `${ms((cpu * 1000) / RATE.perSecond)} for each request`,
        `the machine was idle for ${share(idleShare)}, its host took ${share(stolenShare)}`,
      );
      const wrong = [otherAnswers(bare), otherAnswers(page)].filter(Boolean).join(', ');
      figure('  answers that were not 200', wrong || 'none', `${page.latencies.length} requests`);
    }
  };
  await rounds(`${USERS / 1000},000 users`, cookies);

  await db.deleteFrom('posts').execute();
  const [owner] = users as [string];
  await addPosts(db, [owner], POSTS);
  await settle(db);
  await rounds('one user owns all', [cookies[0]!]);
});
