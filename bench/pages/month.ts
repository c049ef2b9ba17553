/**
 * The calendar of a month with 150 posts: requests per second from one web process and the CPU of each, compared with the
 * same posts as JSON by node:http and pg alone.
 */
import { addMonth, addUsers, cookieOf, MONTH_PAGE, vacuumAndCheckpoint } from '#bench/data/users.ts';
import { measureLoad, startBaseline } from '#bench/measure/beside.ts';
import { figure, kilobytes, number, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const POSTS = 150;
const PAGE = process.env.BENCH_PAGE || MONTH_PAGE;
const PRESSURE = { connections: 8, seconds: 8, warmUpSeconds: 3, isCompressed: false };
const RUNS = Number(process.env.BENCH_RUNS || 2);

await measure(async (stops) => {
  const { app, db, startWeb } = await openProduct(stops);
  const [user] = (await addUsers(db, 1)) as [string];
  await addMonth(db, user, POSTS);
  await vacuumAndCheckpoint(db);
  const web = await startWeb();
  const cookie = await cookieOf(db, user);
  const raw = await startBaseline(stops, 'raw-posts', user, POSTS);
  const bytesOf = async (url: string) => {
    const response = await fetch(url, { headers: { cookie } });
    return kilobytes((await response.arrayBuffer()).byteLength);
  };

  title(`${PAGE} with ${POSTS} posts, ${PRESSURE.connections} connections, ${PRESSURE.seconds} s each`);
  figure('bytes', await bytesOf(app + PAGE), `JSON ${await bytesOf(raw.url)}`);
  for (let run = 1; run <= RUNS; run += 1) {
    const limit = await measureLoad({ ...PRESSURE, url: raw.url }, raw.part.pid);
    const page = await measureLoad({ ...PRESSURE, url: app + PAGE, cookies: [cookie] }, web.pid);
    const figures = ({ perSecond, cpuMs }: typeof page) =>
      `${number(perSecond)} requests/s, ${cpuMs.toFixed(2)} ms CPU each`;
    figure(`page, run ${run} of ${RUNS}`, figures(page));
    figure(
      '  beside it JSON by node and pg',
      figures(limit),
      `${number(page.cpuMs / limit.cpuMs)} times, G3: at most 8`,
    );
    if (page.others || limit.others) figure('  other answers', `${page.others} ${limit.others}`);
  }
});
