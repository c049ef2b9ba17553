import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { runTaskListOnce } from 'graphile-worker';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isRunning } from '#scripts/postgres/server.ts';
import { audit, WATCH_ATTEMPTS } from '#tests/faults/audit.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { call } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { dice, SEED } from '#tests/harness/seed.ts';
import { startWeb } from '#tests/harness/web.ts';
import { lockedJobs, pass, tick } from '#tests/harness/worker/clock.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { poolerBefore } from '#tests/harness/worker/pgbouncer.ts';
import { type DuePost, type Stage, setStage } from '#tests/harness/worker/stage.ts';
import { until } from '#tests/harness/worker/until.ts';

const POSTS = Number(process.env.POSTS ?? 3_000);
const OWNERS = 60;
const ROUNDS = 20;
/** So many posts of each round are sent by hand through both webs at once. */
const BY_HAND = 4;
const [WEBS, WORKERS] = [2, 3];
/** For webs and for workers, each of which have a role of their own: together fewer than a fifth of what they would open. */
const POOL_SIZE = 8;
/** A call that takes so long is under way when its worker is killed. */
const LATENCY_MS = 60;
const LATER_MS = 6 * 3_600_000;
/**
 * Of the dead hundreds of attempts are left to confirm, a dozen at a time, and hundreds of jobs come free at once; behind
 * a pooler nobody says so: workers look for them every few seconds.
 */
const MANY_JOBS_MS = 4 * 60_000;

const outside = await startOutside();
const wire = await startWire(outside.url);

/** A machine whose process can be killed, by its id alone, and started again. */
async function machine<P extends { pid: number }>(kind: 'web' | 'worker', start: () => Promise<P>) {
  let running = await start();
  return {
    kind,
    now: () => running,
    async kill() {
      const { pid } = running;
      process.kill(pid, 'SIGKILL');
      await until('it is dead', () => !isRunning(pid));
    },
    async start() {
      running = await start();
    },
  };
}

type Owned = DuePost & { owner: Actor };

async function makePosts(stage: Stage): Promise<Owned[]> {
  const each = POSTS / OWNERS;
  const dueAt = new Date(Date.now() + LATER_MS);
  const all: Owned[][] = [];
  const ofOne = async (nth: number) => {
    const owner = await makePublisher(stage.db, outside.url);
    const posts: Owned[] = [];
    for (let n = 0; n < each; n++) {
      const marker = `post ${nth}-${n} of many.`;
      const content = `${marker} A plan that fits on a postcard.`;
      posts.push({ id: await makeScheduledPost(stage.db, owner, { content, dueAt }), marker, owner });
    }
    all.push(posts);
  };
  const waiting = Array.from({ length: OWNERS }, (_, nth) => nth).values();
  const some = async () => {
    for (const nth of waiting) await ofOne(nth);
  };
  await Promise.all([some(), some(), some(), some()]);
  // Those of one owner lie apart, so that every round has some of everybody.
  return Array.from({ length: each }, (_, n) => all.map((posts) => posts[n]!)).flat();
}

/**
 * Four hours later the queue frees what the dead have locked. Those that run look for it within a minute of their start
 * and then every eight to ten; one that takes what there is once, beside them, looks first.
 */
async function freeLocks({ pool, allDone }: Stage, ofDead: string[]) {
  await pass(pool, 4 * 3_600 + 60);
  const client = await pool.connect();
  await runTaskListOnce({ noHandleSignals: true }, { none: () => {} }, client).promise;
  client.release();
  const { rows } = await pool.query(
    `select id from graphile_worker._private_jobs where id = any($1) and locked_at < now() - interval '4 hours'`,
    [ofDead],
  );
  assert.deepEqual(rows, [], 'the queue has freed what the dead had locked');
  await allDone(MANY_JOBS_MS);
}

const arrived = async () => ((await outside.ledger()) as { attempts: object[] }).attempts.length;

test(`${POSTS} posts, ${WEBS} webs and ${WORKERS} workers behind a pooler that are killed at random: none twice, none lost, nothing left locked`, async (t) => {
  const random = dice(SEED);
  const stage = await setStage(t, outside, wire);
  const { db, pool } = stage;
  await pool.query(WATCH_ATTEMPTS);
  await fetch(`${outside.url}/api/latency`, { method: 'POST', body: JSON.stringify({ ms: LATENCY_MS }) });
  const [pooler, workersPooler] = await Promise.all(
    [stage.url, stage.workerUrl].map((url) => poolerBefore(url, POOL_SIZE)),
  );
  const posts = await makePosts(stage);
  const direct = { LINKEDIN_API_URL: `${outside.url}/linkedin-api`, SMTP_URL: outside.smtpUrl };
  const startWorker = () => {
    const volume = mkdtempSync(path.join(tmpdir(), 'tidepost-machine-'));
    t.after(() => rmSync(volume, { recursive: true, force: true }));
    return machine('worker', () => stage.worker({ ...direct, DATA_DIR: volume }, [], workersPooler!.url));
  };
  const webs = await Promise.all(
    Array.from({ length: WEBS }, () =>
      machine('web', () => startWeb({ databaseUrl: pooler!.url, env: direct })),
    ),
  );
  const workers = await Promise.all(Array.from({ length: WORKERS }, startWorker));
  const machines = [...webs, ...workers];
  // The timetable goes by the clock on the wall as well, until the clock of the test takes over.
  await pool.query('alter table graphile_worker._private_jobs disable trigger no_wall_clock');
  const answers = new Map<string, number>();
  const ask = async (what: string, question: Promise<{ status: number }>) => {
    const told = await question.then(
      ({ status }) => `${what} ${status}`,
      () => `${what} cut off`,
    );
    answers.set(told, (answers.get(told) ?? 0) + 1);
  };
  const read = async ({ owner }: Owned) => {
    for (const page of ['/app/dashboard', '/app/scheduled', '/app/topics'])
      for (const web of webs)
        await ask(
          'page',
          browserOf(db, owner, web.now().url).then((browser) => browser.get(page)),
        );
  };
  const sendByHand = async ({ id, owner }: Owned) => {
    const token = await tokenOf(db, owner);
    const send = (url: string) => call(url, 'POST', `/automation/posts/${id}/publish`, {}, token);
    await Promise.all(webs.map((web) => ask('by hand', send(web.now().url))));
  };
  const kills = { web: 0, worker: 0 };
  let mostConnections = 0;

  const began = performance.now();
  const each = POSTS / ROUNDS;
  for (let round = 0; round < ROUNDS; round++) {
    const some = posts.slice(round * each, (round + 1) * each);
    const due = `update post_schedules set due_at = now() - interval '1 second'
      where post_id = any($1) and due_at > now()`;
    await pool.query(due, [some.map(({ id }) => id)]);
    const next = (await arrived()) + 1 + Math.floor(random() * each * 0.7);
    await tick(db);
    const asking = Promise.all([read(some[0]!), ...some.slice(0, BY_HAND).map(sendByHand)]);
    await until(`${next} calls have arrived`, async () => (await arrived()) >= next);
    const victim = machines[Math.floor(random() * machines.length)]!;
    kills[victim.kind] += 1;
    await victim.kill();
    const { rows } = await pool.query(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and usename <> current_user`,
    );
    mostConnections = Math.max(mostConnections, rows[0].count);
    await victim.start();
    await asking;
  }
  const seconds = Math.round((performance.now() - began) / 1_000);
  await pool.query('alter table graphile_worker._private_jobs enable trigger no_wall_clock');
  // Who is asked to end gives back what they hold: what is locked afterwards is of the dead.
  const codes = workers.map((worker) => {
    worker.now().signal('SIGTERM');
    return worker.now().ended;
  });
  assert.deepEqual(await Promise.all(codes), [0, 0, 0]);
  await stage.forget();
  await Promise.all(workers.map((worker) => worker.start()));
  const minutes = await stage.settleAll(posts, 20, MANY_JOBS_MS);
  const ofDead = await lockedJobs(pool);
  await freeLocks(stage, ofDead);
  assert.deepEqual(await lockedJobs(pool), []);
  const found = await audit(stage, outside, posts, { fate: ['published', 'unconfirmed'], calls: [1, 2] });
  const told = `${found.doubles} doubles, ${found.lost} lost, ${found.unknown} handed to their owners`;
  t.diagnostic(
    `SEED=${SEED}, ${pooler!.name}: ${posts.length} posts in ${seconds} s, ${kills.web} webs and ${kills.worker} workers killed: ${told}, ${minutes} minutes until settled, ${ofDead.length} locks of the dead freed, ${mostConnections} connections at most, answers ${JSON.stringify(Object.fromEntries(answers))}`,
  );
  assert.deepEqual(found.broken, []);
  assert.deepEqual([found.doubles, found.lost], [0, 0]);
  const wrong = [...answers.keys()].filter((told) => !/^(page 200|by hand (202|409)|.* cut off)$/.test(told));
  assert.deepEqual(wrong, []);
  // Those of who was killed are there for a moment beside the new ones.
  assert.ok(mostConnections < 4 * POOL_SIZE, `${mostConnections} connections`);
});
