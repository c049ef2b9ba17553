/**
 * A list of 50 posts by the JSON API, of 1,000 callers in turn among 5,000,000 posts. Beside it, in turns, the same
 * posts by node:http and pg alone. With `--memory` also what the web process holds over 1,000,000 calls of it and of others.
 */
import { createSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { reconcileCounts } from '#app/domain/posts/counts/counts.ts';
import { addPeople, addPosts, settle } from '#bench/data/people.ts';
import { load, otherAnswers } from '#bench/load/load.ts';
import { loadAtCost, startBeside } from '#bench/measure/beside.ts';
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
const AT_ONCE = 500;
const LIMIT = 50;
const PRESSURE = { connections: 8, isCompressed: false, isFromMany: true };
const PATH = `/api/v1/automation/posts?limit=${LIMIT}`;
/** What is asked in turn with it, and itself again, while it is watched what that leaves behind. */
const ALSO = [
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

type Cost = Awaited<ReturnType<typeof loadAtCost>>;
const tell = ({ perSecond, cpuMs }: Cost) => `${number(perSecond)} calls/s, ${cpuMs.toFixed(2)} ms CPU each`;

await measure(async (stops) => {
  Object.assign(process.env, { TRUST_PROXY: 'x-forwarded-for', METRICS_TOKEN });
  const { app, db, startWeb } = await openProduct(stops);
  const callers: string[] = [];
  for (let made = 0; made < POSTS; made += AT_ONCE * EACH) {
    const people = await addPeople(db, Math.min(AT_ONCE, Math.ceil((POSTS - made) / EACH)));
    await addPosts(db, people, EACH);
    if (callers.length < CALLERS) callers.push(...people);
  }
  const tokens: string[] = [];
  for (const caller of callers.slice(0, CALLERS)) {
    const { token } = await createSession(db, caller, 'api', 'bench');
    tokens.push(token);
  }
  await reconcileCounts(db);
  await settle(db);
  const web = await startWeb();
  const raw = await startBeside(stops, 'raw-list', LIMIT);
  const ours = { ...PRESSURE, url: app + PATH, tokens };
  const bare = { ...PRESSURE, url: raw.url, tokens };
  const bytesOf = async (url: string) => {
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${tokens[0]}` } });
    const body = (await answer.json()) as { posts: unknown[] };
    return `${body.posts.length} posts in ${kilobytes(JSON.stringify(body).length)}`;
  };

  title(`A list of ${LIMIT} among ${number(POSTS)} posts, ${PRESSURE.connections} connections`);
  figure('one answer', await bytesOf(ours.url), `beside it ${await bytesOf(bare.url)}`);
  const times = { seconds: 8, warmUpSeconds: 3 };
  for (let run = 1; run <= RUNS; run += 1) {
    const limit = await loadAtCost({ ...bare, ...times }, raw.part.pid);
    const api = await loadAtCost({ ...ours, ...times }, web.pid);
    figure(`by the API, run ${run} of ${RUNS}`, tell(api), spread(api.latencies));
    const share = `${(api.perSecond / limit.perSecond).toFixed(2)} of it, ${(limit.cpuMs / api.cpuMs).toFixed(2)} by CPU`;
    figure('  beside it node:http and pg', tell(limit), `${share}, G3: at least 0.3`);
    if (api.others || limit.others) figure('  other answers', `${api.others} ${limit.others}`);
  }
  if (!process.argv.includes('--memory')) return;

  title(`What the web process holds over ${number(CALLS)} calls of the list and of others`);
  const told = async () => {
    const metrics = await fetch(`${app}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
    const heap = /^nodejs_heap_size_used_bytes (\S+)$/m.exec(await metrics.text())?.[1];
    return `heap ${megabytes(Number(heap))}, resident ${megabytes(residentBytes(web.pid))}`;
  };
  figure('before', await told());
  const alsoUrls = ALSO.map((path) => app + path);
  for (let done = 0; done < CALLS; ) {
    const atMost = Math.min(STEP, CALLS - done);
    const loaded = await load({ ...ours, alsoUrls, atMost, seconds: LONGEST_STEP_S, warmUpSeconds: 0 });
    done += loaded.latencies.length;
    const rate = `${number(loaded.latencies.length / loaded.seconds)}/s, p99 ${ms(percentile(loaded.latencies, 0.99))}`;
    figure(`after ${number(done)}`, await told(), `${rate} ${otherAnswers(loaded)}`);
  }
}, LONGEST_MS);
