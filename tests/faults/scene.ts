import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { createDatabase } from '#app/db/client.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { ROOT } from '#scripts/run.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { pass } from '#tests/harness/worker/clock.ts';
import { startWire, type Wire } from '#tests/harness/worker/network-proxy.ts';
import type { Worker } from '#tests/harness/worker/process.ts';
import { servePicture } from '#tests/harness/worker/slow-image.ts';
import { type DuePost, type Stage, setStage } from '#tests/harness/worker/stage.ts';
import { until } from '#tests/harness/worker/until.ts';
import { type Outside, WATCH_ATTEMPTS } from './audit.ts';

// LinkedIn lets an approved application renew its tokens; the sandbox knows one by its id.
process.env.LINKEDIN_CLIENT_ID = 'tidepost-refresh';
process.env.LINKEDIN_CLIENT_SECRET = 'tidepost-refresh-secret';

export type World = { outside: Outside; wire: Wire };

export async function startWorld(): Promise<World> {
  const outside = await startOutside();
  return { outside, wire: await startWire(outside.url) };
}

export type Setting = {
  trials: number;
  isPictured?: boolean;
  /** So many loads of the picture wait. */
  slowPictures?: number;
};

/** A stage with many posts that are due, and what the points do with it. */
export async function setScene(t: Parameters<typeof setStage>[0], world: World, setting: Setting) {
  const { outside, wire } = world;
  await fetch(`${outside.url}/api/faults`, { method: 'DELETE' });
  const stage = await setStage(t, outside, wire);
  await stage.pool.query(WATCH_ATTEMPTS);
  const picture = await servePicture(setting.slowPictures ?? 0);
  const posts: DuePost[] = [];
  for (let n = 0; n < setting.trials; n++) {
    posts.push(await stage.duePost(setting.isPictured ? picture.url : undefined));
  }
  const start = (env: Record<string, string> = {}) =>
    stage.worker({
      LINKEDIN_AUTH_URL: `${wire.url}/linkedin`,
      // With a place for the picture of each post, though all are of one user.
      ...(setting.isPictured ? { WORKER_CONCURRENCY: '480' } : {}),
      ...env,
    });
  return {
    stage,
    outside,
    wire,
    picture,
    posts,
    ids: posts.map(({ id }) => id),
    start,
    /** Workers enough for every post to be held in the database at once: each has seven connections. */
    startMany: (env: Record<string, string> = {}) =>
      Promise.all(
        Array.from({ length: Math.ceil(setting.trials / 7) }, () =>
          start({ WORKER_CONCURRENCY: '7', ...env }),
        ),
      ),
    tick: () => enqueueDuePosts(stage.db),
    /** Gives each post a job of its own. */
    alone: () => stage.alone(...posts),
    /** LinkedIn has been called for every post. */
    called: () =>
      until('LinkedIn is called for every post', async () => {
        const { attempts } = (await outside.ledger()) as { attempts: { text: string | null }[] };
        return posts.every(({ marker }) => attempts.some(({ text }) => text?.includes(marker)));
      }),
    minute: (seconds = 61) => pass(stage.pool, seconds),
    status: (wanted: string) =>
      until(`every post is ${wanted}`, async () => {
        const { rowCount } = await stage.pool.query(
          'select from post_schedules where post_id = any($1) and status <> $2',
          [posts.map(({ id }) => id), wanted],
        );
        return rowCount === 0;
      }),
    /** The end of a worker that was told to stop; it has to end well. */
    async end(worker: Worker) {
      const code = await worker.ended;
      if (code !== 0) throw new Error(`A worker ended with ${code}:\n${worker.output()}`);
    },
    /** How often LinkedIn was called for the posts. */
    async calls() {
      const { attempts } = (await outside.ledger()) as { attempts: { text: string | null }[] };
      const isOurs = (text: string | null) => posts.some(({ marker }) => text?.includes(marker));
      return attempts.filter(({ text }) => isOurs(text)).length;
    },
    /** The operator's command on the machine of the workers, `--ask` or `--yes`. */
    resume: (wish: string) =>
      promisify(execFile)(process.execPath, ['scripts/resume-publishing.ts', wish], {
        cwd: ROOT,
        env: { ...process.env, DATABASE_URL: stage.workerUrl, DATA_DIR: stage.dataDir },
      }),
    /** Answers that wait in files for the database. */
    answersKept() {
      const folder = path.join(stage.dataDir, 'answers');
      const names = existsSync(folder) ? readdirSync(folder) : [];
      return names.filter((name) => name.endsWith('.json')).length;
    },
    /** Postgres dies at once, as after kill -9, and comes back by itself. */
    crash: () => crash(stage),
  };
}

export type Scene = Awaited<ReturnType<typeof setScene>>;

/** The server ends every process and recovers when one of its own is killed. */
async function crash({ url }: Stage): Promise<void> {
  const { db, pool } = createDatabase(url, 1);
  const { rows } = await pool.query(
    `select pg_backend_pid() as pid, current_setting('synchronous_commit') as is`,
  );
  if (rows[0].is !== 'on') throw new Error('A server that forgets what it has committed proves nothing');
  process.kill(rows[0].pid, 'SIGKILL');
  await until('Postgres is back', () =>
    pool.query('select').then(
      () => true,
      () => false,
    ),
  );
  await db.destroy();
}
