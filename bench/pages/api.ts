/**
 * A list of 50 posts by the JSON API, for 1,000 users in turn among 5,000,000 posts, compared with the same posts by
 * node:http and pg alone. With `--memory` also the memory of the web process over 1,000,000 calls of several endpoints.
 */
import { createSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { reconcileCounts } from '#app/domain/posts/counts/counts.ts';
import { addPosts, addUsers, vacuumAndCheckpoint } from '#bench/data/users.ts';
import { load, otherStatuses } from '#bench/load/load.ts';
import { measureLoad, startBaseline } from '#bench/measure/beside.ts';
import {
  figure,
  kilobytes,
  megabytes,
  ms,
  number,
  percentile,
  residentBytes,
  spread,
  title,
} from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const POSTS = Number(process.env.BENCH_POSTS || 5_000_000);
const CALLS = Number(process.env.BENCH_CALLS || 1_000_000);
const RUNS = Number(process.env.BENCH_RUNS || 3);
const EACH = 500;
const CALLERS = 1_000;
const BATCH = 500;
const LIMIT = 50;
const PRESSURE = { connections: 8, isCompressed: false, fromManyAddresses: true };
const PATH = `/api/v1/automation/posts?limit=${LIMIT}`;
/** Requested in turn with PATH while memory is measured. */
const OTHER_PATHS = [
  '/api/v1/automation/stats',
  PATH,
  '/api/v1/automation/scheduled?limit=20',
  PATH,
  '/api/v1/automation/settings',
  '/api/v1/topics',
];
const STEP = 100_000;
const LONGEST_STEP_S = 600;
const METRICS_TOKEN = 'bench-bench-bench-bench-bench-bench';
const LONGEST_MS = 90 * 60_000;

type Cost = Awaited<ReturnType<typeof measureLoad>>;
const formatCost = ({ perSecond, cpuMs }: Cost) =>
  `${number(perSecond)} calls/s, ${cpuMs.toFixed(2)} ms CPU each`;

await measure(async (stops) => {
  Object.assign(process.env, { TRUST_PROXY: 'x-forwarded-for', METRICS_TOKEN });
  const { app, db, startWeb } = await openProduct(stops);
  const callers: string[] = [];
  for (let added = 0; added < POSTS; added += BATCH * EACH) {
    const users = await addUsers(db, Math.min(BATCH, Math.ceil((POSTS - added) / EACH)));
    await addPosts(db, users, EACH);
    if (callers.length < CALLERS) callers.push(...users);
  }
  const tokens: string[] = [];
  for (const caller of callers.slice(0, CALLERS)) {
    const { token } = await createSession(db, caller, 'api', 'bench');
    tokens.push(token);
  }
  await reconcileCounts(db);
  await vacuumAndCheckpoint(db);
  const web = await startWeb();
  const raw = await startBaseline(stops, 'raw-list', LIMIT);
  const product = { ...PRESSURE, url: app + PATH, tokens };
  const baseline = { ...PRESSURE, url: raw.url, tokens };
  const bytesOf = async (url: string) => {
    const response = await fetch(url, { headers: { Authorization: `Bearer ${tokens[0]}` } });
    const body = (await response.json()) as { posts: unknown[] };
    return `${body.posts.length} posts in ${kilobytes(JSON.stringify(body).length)}`;
  };

  title(`A list of ${LIMIT} among ${number(POSTS)} posts, ${PRESSURE.connections} connections`);
  figure('one answer', await bytesOf(product.url), `beside it ${await bytesOf(baseline.url)}`);
  const times = { seconds: 8, warmUpSeconds: 3 };
  for (let run = 1; run <= RUNS; run += 1) {
    const limit = await measureLoad({ ...baseline, ...times }, raw.part.pid);
    const api = await measureLoad({ ...product, ...times }, web.pid);
    figure(`by the API, run ${run} of ${RUNS}`, formatCost(api), spread(api.latencies));
    const share = `${(api.perSecond / limit.perSecond).toFixed(2)} of it, ${(limit.cpuMs / api.cpuMs).toFixed(2)} by CPU`;
    figure('  beside it node:http and pg', formatCost(limit), `${share}, G3: at least 0.3`);
    if (api.others || limit.others) figure('  other answers', `${api.others} ${limit.others}`);
  }
  if (!process.argv.includes('--memory')) return;

  title(`What the web process holds over ${number(CALLS)} calls of the list and of others`);
  const memory = async () => {
    const metrics = await fetch(`${app}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
    const heap = /^nodejs_heap_size_used_bytes (\S+)$/m.exec(await metrics.text())?.[1];
    return `heap ${megabytes(Number(heap))}, resident ${megabytes(residentBytes(web.pid))}`;
  };
  figure('before', await memory());
  const alsoUrls = OTHER_PATHS.map((path) => app + path);
  for (let done = 0; done < CALLS; ) {
    const maxRequests = Math.min(STEP, CALLS - done);
    const loaded = await load({
      ...product,
      alsoUrls,
      maxRequests,
      seconds: LONGEST_STEP_S,
      warmUpSeconds: 0,
    });
    done += loaded.latencies.length;
    const rate = `${number(loaded.latencies.length / loaded.seconds)}/s, p99 ${ms(percentile(loaded.latencies, 0.99))}`;
    figure(`after ${number(done)}`, await memory(), `${rate} ${otherStatuses(loaded)}`);
  }
}, LONGEST_MS);
