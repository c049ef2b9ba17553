/**
 * How late 500 posts of 500 users are that are all due in the same minute, with a network that answers in
 * 300 ms and the worker as it runs in production, woken by its own timetable. Beside it the same 500 calls
 * without a database, as many at a time.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '#app/db/client.ts';
import { sealTokens } from '#app/domain/linkedin/sealed-tokens.ts';
import { env } from '#app/env.ts';
import { createPost } from '#app/integrations/linkedin-posts.ts';
import { cpuSeconds, figure, ms, number, percentile, spread, title } from './figures.ts';
import { addPeople, settle } from './people.ts';
import { measure, openProduct } from './product.ts';

const POSTS = 500;
const LATENCY_MS = 300;
/** The worker is at rest for at least this long before the minute begins. */
const REST_MS = 5_000;
const LONGEST_MS = 60_000;
const MINUTE_MS = 60_000;

type Member = { userId: string; token: string; authorUrn: string };
type Sent = { author: string | null; text: string | null; status: number | null; at: string };

async function call(url: string, method: string, body?: object) {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${url}`);
  return answer.json();
}

/** People whose connection to the sandbox really opens it. */
async function addMembers(db: Db, sandbox: string): Promise<Member[]> {
  const members: Member[] = [];
  for (const userId of await addPeople(db, POSTS)) {
    const { access_token: token, sub } = await call(`${sandbox}/api/token`, 'POST', {
      email: `${userId}@members.example`,
    });
    const sealed = sealTokens(userId, { accessToken: token, refreshToken: null });
    await db
      .updateTable('linkedinConnections')
      .set({ ...sealed, memberId: sub })
      .where('userId', '=', userId)
      .execute();
    members.push({ userId, token, authorUrn: `urn:li:person:${sub}` });
  }
  return members;
}

/** When each of the bare calls had its answer, counted from the first call. */
async function bareCalls(members: Member[], atATime: number): Promise<number[]> {
  const version = env().LINKEDIN_VERSIONS[0]!;
  const waiting = members.values();
  const times: number[] = [];
  const started = performance.now();
  const one = async () => {
    for (const { token, authorUrn } of waiting) {
      const commentary = `Without a database, ${authorUrn}`;
      const { kind } = await createPost({ accessToken: token, version, authorUrn, commentary });
      if (kind !== 'published') throw new Error(`The sandbox answered a bare call with ${kind}.`);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: atATime }, one));
  return times;
}

const nextSlot = () => new Date(Math.ceil((Date.now() + REST_MS) / MINUTE_MS) * MINUTE_MS);

async function schedule(db: Db, members: Member[], dueAt: Date) {
  const slot = { slotDate: dueAt.toISOString().slice(0, 10), slotNumber: 1, publishAt: dueAt };
  const posts = await db
    .insertInto('posts')
    .values(members.map(({ userId }) => ({ userId, content: `Due at once, ${userId}`, ...slot })))
    .returning(['id as postId', 'userId'])
    .execute();
  await db
    .insertInto('deliveries')
    .values(posts.map((post) => ({ ...post, dueAt })))
    .execute();
}

async function untilDone(db: Db, slot: Date) {
  const left = async () => {
    const rows = await db.selectFrom('deliveries').select('postId').execute();
    return rows.length;
  };
  await pause(slot.getTime() - Date.now());
  while ((await left()) > 0 && Date.now() < slot.getTime() + LONGEST_MS) await pause(250);
}

await measure(async (stops) => {
  const { db, sandbox, startSandbox, startWorker } = await openProduct(stops);
  await startSandbox();
  const members = await addMembers(db, sandbox);
  await call(`${sandbox}/api/latency`, 'POST', { ms: LATENCY_MS });
  await settle(db);

  const atATime = env().WORKER_CONCURRENCY;
  title(`${POSTS} posts due in one minute, a network that takes ${LATENCY_MS} ms, ${atATime} at a time`);
  const bare = await bareCalls(members, atATime);
  const worker = await startWorker();
  const slot = nextSlot();
  await schedule(db, members, slot);
  await pause(Math.max(0, slot.getTime() - 1_000 - Date.now()));
  const cpuBefore = cpuSeconds(worker.pid);
  await untilDone(db, slot);
  const cpu = cpuSeconds(worker.pid) - cpuBefore;

  const ledger: { attempts: Sent[]; posts: Sent[] } = await call(`${sandbox}/api/ledger`, 'GET');
  const ours = ({ text }: Sent) => text?.startsWith('Due at once');
  const [attempts, accepted] = [ledger.attempts.filter(ours), ledger.posts.filter(ours)];
  const late = accepted.map(({ at }) => Date.parse(at) - slot.getTime());
  const authors = new Set(accepted.map(({ author }) => author));
  const published = await db.selectFrom('posts').select('id').where('status', '=', 'published').execute();

  figure('accepted after the minute began', spread(late), 'goal 10 s');
  const times = percentile(late, 0.99) / percentile(bare, 0.99);
  figure('  beside it the bare calls', spread(bare), `p99 ${times.toFixed(2)} times`);
  figure('first accepted', ms(Math.min(...late)));
  figure('lost', number(POSTS - authors.size), `${published.length} published in our table`);
  figure('double', number(accepted.length - authors.size), `${attempts.length} calls for ${POSTS} posts`);
  figure('CPU of the worker', `${cpu.toFixed(2)} s`, `${number((cpu * 1000) / POSTS)} ms for each post`);
});
