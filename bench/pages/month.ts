/**
 * A month with 150 posts, five a day, signed in: requests per second from one web process and the CPU of each. Beside it, in turns,
 * the same posts as JSON by node:http and pg alone.
 */

import { addMonth, addPeople, cookieOf, MONTH_PAGE, settle } from '#bench/data/people.ts';
import { loadAtCost, startBeside } from '#bench/measure/beside.ts';
import { figure, kilobytes, number, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const POSTS = 150;
const PAGE = process.env.BENCH_PAGE || MONTH_PAGE;
const PRESSURE = { connections: 8, seconds: 8, warmUpSeconds: 3, isCompressed: false };
const RUNS = Number(process.env.BENCH_RUNS || 2);

await measure(async (stops) => {
  const { app, db, startWeb } = await openProduct(stops);
  const [user] = (await addPeople(db, 1)) as [string];
  await addMonth(db, user, POSTS);
  await settle(db);
  const web = await startWeb();
  const cookie = await cookieOf(db, user);
  const raw = await startBeside(stops, 'raw-posts', user, POSTS);
  const bytesOf = async (url: string) => {
    const answer = await fetch(url, { headers: { cookie } });
    return kilobytes((await answer.arrayBuffer()).byteLength);
  };

  title(`${PAGE} with ${POSTS} posts, ${PRESSURE.connections} connections, ${PRESSURE.seconds} s each`);
  figure('bytes', await bytesOf(app + PAGE), `JSON ${await bytesOf(raw.url)}`);
  for (let run = 1; run <= RUNS; run += 1) {
    const limit = await loadAtCost({ ...PRESSURE, url: raw.url }, raw.part.pid);
    const page = await loadAtCost({ ...PRESSURE, url: app + PAGE, cookies: [cookie] }, web.pid);
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
