/**
 * The dashboard at 50 requests per second: for 1,000 users with 100 posts each in turn, and for one user with 100,000. All
 * have the same number of scheduled posts, because the page shows those. Each is compared with a React Router page of the
 * same size at the same rate.
 */
import { reconcileCounts } from '#app/domain/posts/counts/counts.ts';
import { addPosts, addUsers, cookieOf, vacuumAndCheckpoint } from '#bench/data/users.ts';
import { measureLoad, startBaseline } from '#bench/measure/beside.ts';
import {
  figure,
  kilobytes,
  ms,
  number,
  percentile,
  spread,
  title,
  watchIdle,
  watchStolen,
} from '#bench/measure/figures.ts';
import { postgresSeconds } from '#bench/measure/postgres-cpu.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const POSTS = 100_000;
const USERS = 1_000;
const WAITING = 20;
const RATE = { perSecond: 50, connections: 64, seconds: 20, warmUpSeconds: 3, isCompressed: true };
const RUNS = Number(process.env.BENCH_RUNS || 1);
const PAGE = process.env.BENCH_PAGE || '/app/dashboard';

const share = (part: number) => `${Math.round(part * 100)}%`;
const median = (numbers: number[]) => percentile(numbers, 0.5);

await measure(async (stops) => {
  const { app, db, startWeb } = await openProduct(stops);
  const users = await addUsers(db, USERS);
  await addPosts(db, users, POSTS / USERS, WAITING);
  const cookies: string[] = [];
  for (const user of users) cookies.push(await cookieOf(db, user));
  const updateDatabase = async () => {
    await reconcileCounts(db);
    await vacuumAndCheckpoint(db);
  };
  await updateDatabase();
  const web = await startWeb();
  const response = await fetch(app + PAGE, { headers: { cookie: cookies[0]! } });
  const bytes = (await response.arrayBuffer()).byteLength;
  const bare = await startBaseline(stops, 'bare-router', bytes);
  const bareBytes = (await (await fetch(bare.url)).arrayBuffer()).byteLength;

  title(`${PAGE} at ${RATE.perSecond} requests per second for ${RATE.seconds} s`);
  figure('bytes of the page', kilobytes(bytes), `the bare one has ${kilobytes(bareBytes)}`);
  const measureRuns = async (name: string, signedIn: string[]) => {
    const p99s: number[] = [];
    for (let run = 1; run <= RUNS; run += 1) {
      const beside = await measureLoad({ ...RATE, url: bare.url }, bare.part.pid);
      const [idle, stolen] = [watchIdle(), watchStolen()];
      const [start, postgresBefore] = [performance.now(), await postgresSeconds(db)];
      const page = await measureLoad({ ...RATE, url: app + PAGE, cookies: signedIn }, web.pid);
      const [idleShare, stolenShare] = [idle(), stolen()];
      const postgresMs = ((await postgresSeconds(db)) - postgresBefore) * 1000;
      const cores = postgresMs / (performance.now() - start);
      const pages = RATE.perSecond * (RATE.seconds + RATE.warmUpSeconds);
      p99s.push(percentile(page.latencies, 0.99));
      figure(`${name}, run ${run} of ${RUNS}`, spread(page.latencies), 'G2: p99 at most 50 ms');
      figure('  beside it the bare page', spread(beside.latencies));
      figure(
        '  CPU of each request',
        `${ms(page.cpuMs)}, the bare page ${ms(beside.cpuMs)}`,
        `${number(page.cpuMs / beside.cpuMs)} times, G2: at most 5; the machine was idle for ${share(idleShare)}, its host took ${share(stolenShare)}`,
      );
      figure(
        '  CPU of Postgres',
        `${number(100 * cores)}% of a core, ${ms(postgresMs / pages)} a request`,
        'G2: at most 25%',
      );
      const wrong = [beside.others, page.others].filter(Boolean).join(', ');
      figure('  answers that were not 200', wrong || 'none', `${page.latencies.length} requests`);
    }
    return median(p99s);
  };
  const many = await measureRuns(`${USERS / 1000},000 users`, cookies);

  const [owner] = users as [string];
  await db.deleteFrom('posts').where('userId', '=', owner).execute();
  await addPosts(db, [owner], POSTS, WAITING);
  await updateDatabase();
  const one = await measureRuns(`one with ${POSTS / 1000},000 posts`, [cookies[0]!]);
  figure('p99 of the one beside the many', `${number(one / many)} times`, 'G2: at most 1.5');
});
