/**
 * The CPU of recording 1,000 visits a second, the latency of a page during a flood of visits, and the time of the admins'
 * queries with 10,000,000 visits. `--reads` runs only the queries, `--telling` everything else.
 */
import { closeDatabase, db as pagesDb } from '#app/db/client.ts';
import { readVisitAnalytics, readVisitSummary } from '#app/domain/visits/visit-analytics.ts';
import { addVisits } from '#bench/data/many-visits.ts';
import { vacuumAndCheckpoint } from '#bench/data/users.ts';
import { type Load, load, otherStatuses } from '#bench/load/load.ts';
import { cpuSeconds, figure, ms, number, percentile, spread, title } from '#bench/measure/figures.ts';
import { measure, openProduct, type Product } from '#bench/measure/product.ts';

const SECONDS = 20;
const PER_SECOND = 1_000;
const FLOOD = { perSecond: 10_000, seconds: 5 };
const VISITS = 10_000_000;
const LONGEST_MS = 15 * 60_000;

/** Uses the connections of pages; the first read opens one. */
async function readTimes(read: () => Promise<unknown>): Promise<number[]> {
  const times = [];
  for (let n = 0; n < 30; n += 1) {
    const from = performance.now();
    await read();
    times.push(performance.now() - from);
  }
  return times;
}

async function measureRecording(product: Product): Promise<void> {
  process.env.TRUST_PROXY = 'x-forwarded-for';
  const web = await product.startWeb();
  const usual = { connections: 64, warmUpSeconds: 2, isCompressed: false };
  const pages: Load = { ...usual, url: `${product.app}/login`, perSecond: 20, seconds: SECONDS };
  const track: Load = { ...pages, url: `${product.app}/api/v1/visits/track`, recordsVisits: true };
  const coresUsed = async (act: () => Promise<unknown>) => {
    const [from, before] = [performance.now(), cpuSeconds(web.pid)];
    await act();
    return (cpuSeconds(web.pid) - before) / ((performance.now() - from) / 1_000);
  };
  const percent = (part: number) => `${number(part * 100)}% of a core`;

  title(`${number(PER_SECOND)} visits a second for ${SECONDS} s`);
  await load({ ...track, perSecond: 200, seconds: 2 });
  const idle = await coresUsed(() => new Promise((done) => setTimeout(done, 5_000)));
  const busy = await coresUsed(async () => {
    const result = await load({ ...track, perSecond: PER_SECOND, seconds: SECONDS });
    figure('answers', otherStatuses(result));
  });
  figure('the web process', percent(busy - idle), `idle ${percent(idle)}`);
  const alone = await load(pages);
  const [beside] = await Promise.all([
    load(pages),
    load({ ...track, perSecond: PER_SECOND, seconds: SECONDS }),
  ]);
  figure(
    'a page meanwhile',
    spread(beside.latencies),
    `without them p99 ${ms(percentile(alone.latencies, 0.99))}`,
  );
  const [flooded, flood] = await Promise.all([
    load({ ...pages, seconds: FLOOD.seconds }),
    load({ ...track, ...FLOOD, connections: 200 }),
  ]);
  figure(
    `a page in a flood of ${number(FLOOD.perSecond)}/s`,
    spread(flooded.latencies),
    otherStatuses(flooded) || 'all 200',
  );
  figure('the flood was answered', otherStatuses(flood));
  // The web process stores its visits before it stops; addVisits() replaces them afterwards.
  await web.stop(25);
}

await measure(async (stops) => {
  const product = await openProduct(stops);
  if (!process.argv.includes('--reads')) await measureRecording(product);
  if (process.argv.includes('--telling')) return;
  title(`What admins read, ${number(VISITS)} visits`);
  await addVisits(product.db, VISITS);
  await vacuumAndCheckpoint(product.db);
  stops.push(closeDatabase);
  const reads = {
    analytics: () => readVisitAnalytics(pagesDb()),
    summary: () => readVisitSummary(pagesDb(), new Date()),
  };
  for (const [name, read] of Object.entries(reads)) {
    await closeDatabase();
    const times = await readTimes(read);
    figure(name, spread(times), `the first, on a new connection, ${ms(times[0]!)}`);
  }
}, LONGEST_MS);
