import { setTimeout as wait } from 'node:timers/promises';
import { wayTo } from '#tests/harness/worker/database-proxy.ts';
import { poolerFor } from '#tests/harness/worker/pooler.ts';
import { until } from '#tests/harness/worker/until.ts';
import type { Expectation } from './audit.ts';
import { PLACES } from './places.ts';
import type { Point } from './points.ts';
import { bringTo } from './points-crash.ts';
import type { Scene } from './scene.ts';

const ONCE: Expectation = { fate: ['published'], calls: [1, 1] };
/** Longer than a connection is waited for. */
const TOO_LONG_MS = 6_000;

/** Jobs that the queue could not end stay locked with it, as those of dead workers. */
async function startAnew(scene: Scene, ...workers: { kill(): Promise<void> }[]) {
  for (const worker of workers) await worker.kill();
  await scene.stage.forget();
  await scene.start();
}

const sending = 'before update on publish_attempts';
const isSent = `old.state = 'sending'`;
const DISK_FULL = '53100';
const NOT_SERIALIZED = '40001';

export const DATABASE: Point[] = [
  {
    name: 'D1',
    what: 'Postgres is restarted between the claim and the attempt',
    expects: ONCE,
    act: async (scene) => {
      const { workers, open } = await bringTo(scene, 'claimed');
      await scene.crash();
      await open();
      await startAnew(scene, ...workers);
    },
  },
  {
    name: 'D2',
    what: 'the database is away when LinkedIn has answered',
    expects: ONCE,
    act: async (scene) => {
      const way = await wayTo(scene.stage.workerUrl);
      const worker = await scene.stage.worker({}, [], way.url);
      const { there, open } = await PLACES.answered.hold(scene);
      await scene.tick();
      await there();
      way.cut();
      open();
      await wait(TOO_LONG_MS);
      way.mend();
      await scene.status('published');
      await startAnew(scene, worker);
    },
  },
  {
    name: 'D3',
    what: 'no connection is free when LinkedIn has answered',
    expects: ONCE,
    act: async (scene) => {
      const answers = scene.posts.map(({ marker }) => scene.wire.holdPost('after', marker));
      const held = await scene.stage.gate(sending, isSent);
      await scene.start();
      await scene.tick();
      // One after the other, so that each answer wants a connection of its own.
      for (const answer of answers) {
        await answer.held;
        answer.open();
        await wait(50);
      }
      await wait(TOO_LONG_MS);
      await held.release();
      await scene.status('published');
    },
  },
  {
    name: 'D4',
    what: 'every third write meets a serialization error',
    expects: ONCE,
    act: async (scene) => {
      const faults = [];
      for (const [on, when] of [
        ['before insert on publish_attempts', 'true'],
        [sending, 'true'],
        ['before update on post_schedules', 'new.status <> old.status'],
      ] as const) {
        faults.push(await scene.stage.fail(on, when, NOT_SERIALIZED, 0.33));
      }
      const worker = await scene.start();
      await scene.tick();
      await scene.stage.pool.query('select graphile_worker.add_job($1)', ['sweep-publishing']);
      await wait(3_000);
      await until('nothing is being sent', async () => (await openAttempts(scene)) === 0);
      for (const fault of faults) await fault.mend();
      await startAnew(scene, worker);
    },
  },
  {
    name: 'D5',
    what: 'the disk is full when the attempt is written',
    expects: ONCE,
    act: async (scene) => {
      const full = await scene.stage.fail('before insert on publish_attempts', 'true', DISK_FULL);
      await scene.start();
      await scene.tick();
      await scene.stage.idle();
      if ((await scene.calls()) > 0) throw new Error('Sent without an attempt');
      await full.mend();
    },
  },
  {
    name: 'D6',
    what: 'the disk is full when LinkedIn has answered',
    expects: ONCE,
    act: async (scene) => {
      const full = await scene.stage.fail(sending, isSent, DISK_FULL);
      await scene.start();
      await scene.tick();
      await wait(2_000);
      await full.mend();
      await scene.status('published');
    },
  },
  {
    name: 'D6-killed',
    what: 'the disk is full when LinkedIn has answered, and the worker is killed',
    expects: ONCE,
    act: async (scene) => {
      const full = await scene.stage.fail(sending, isSent, DISK_FULL);
      const worker = await scene.start();
      await scene.tick();
      await until('every answer is kept', () => scene.answersKept() === scene.posts.length);
      await scene.stage.kill(worker);
      await full.mend();
      await scene.start();
      await scene.status('published');
    },
  },
  {
    name: 'D7',
    what: 'the statement that writes the outcome takes too long',
    expects: ONCE,
    act: async (scene) => {
      const url = new URL(scene.stage.workerUrl);
      url.searchParams.set('options', '-c statement_timeout=500');
      const held = await scene.stage.gate(sending, isSent);
      await scene.stage.worker({}, [], url.href);
      await scene.tick();
      await wait(3_000);
      await held.release();
      await scene.status('published');
    },
  },
  {
    name: 'D8',
    what: 'a pooler lends connections for a transaction each, fewer than the worker has',
    expects: ONCE,
    act: async (scene) => {
      const pooler = await poolerFor(scene.stage.workerUrl, 4);
      const worker = await scene.stage.worker({}, [], pooler.url);
      await scene.tick();
      await scene.stage.settleAll(scene.posts);
      if (pooler.lent() < scene.posts.length) throw new Error('The pooler was passed by');
      await worker.kill();
      pooler.close();
      await scene.start();
    },
  },
  {
    name: 'D9',
    what: 'stopped in the transaction that writes the attempt, which Postgres ends; it goes on',
    expects: ONCE,
    act: async (scene) => {
      const { workers, open } = await bringTo(scene, 'attempts');
      for (const worker of workers) worker.signal('SIGSTOP');
      await open();
      await scene.stage.forget();
      await scene.stage.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name like 'worker-%' and datname = current_database()`,
      );
      await scene.start();
      await scene.stage.settleAll(scene.posts);
      for (const worker of workers) worker.signal('SIGCONT');
      await wait(1_000);
      await scene.stage.kill(...workers);
    },
  },
];

const openAttempts = async ({ stage }: Scene) =>
  (await stage.db.selectFrom('publishAttempts').select('id').where('state', '=', 'sending').execute()).length;
