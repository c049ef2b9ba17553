/**
 * A list of 50 posts by the JSON API, of 1,000 callers in turn among 5,000,000 posts. Beside it, in turns, the same
 * posts by node:http and pg alone. With `--memory` also what the web process holds over 1,000,000 calls.
 */
import { createSession } from '#app/domain/accounts/sessions.ts';
import { proveCounts } from '#app/domain/posts/counts.ts';
import { loadAtCost, startBeside } from './beside.ts';
import { figure, kilobytes, megabytes, number, percentile, residentBytes, spread, title } from './figures.ts';
import { load, otherAnswers } from './load.ts';
import { addPeople, addPosts, settle } from './people.ts';
import { measure, openProduct } from './product.ts';

const POSTS = Number(process.env.BENCH_POSTS || 5_000_000);
const CALLS = Number(process.env.BENCH_CALLS || 1_000_000);
const RUNS = Number(process.env.BENCH_RUNS || 3);
const EACH = 500;
const CALLERS = 1_000;
const AT_ONCE = 500;
const LIMIT = 50;
const PRESSURE = { connections: 8, isCompressed: false, isFromMany: true };
const PATH = `/api/v1/automation/posts?limit=${LIMIT}`;
const LONGEST_MS = 60 * 60_000;

type Cost = Awaited<ReturnType<typeof loadAtCost>>;
const tell = ({ perSecond, cpuMs }: Cost) => `${number(perSecond)} calls/s, ${cpuMs.toFixed(2)} ms CPU each`;

await measure(async (stops) => {
  process.env.TRUST_PROXY = 'x-forwarded-for';
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
  await proveCounts(db);
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
    figure('  beside it node:http and pg', tell(limit), `${share}, goal 0.4`);
    if (api.others || limit.others) figure('  other answers', `${api.others} ${limit.others}`);
  }
  if (!process.argv.includes('--memory')) return;

  title(`Resident memory of the web process over ${number(CALLS)} calls`);
  for (let done = 0; done < CALLS; ) {
    const loaded = await load({ ...ours, seconds: 60, warmUpSeconds: 0 });
    done += loaded.latencies.length;
    const rate = `${number(loaded.latencies.length / 60)}/s, p99 ${number(percentile(loaded.latencies, 0.99))} ms`;
    figure(`after ${number(done)}`, megabytes(residentBytes(web.pid)), `${rate} ${otherAnswers(loaded)}`);
  }
}, LONGEST_MS);
