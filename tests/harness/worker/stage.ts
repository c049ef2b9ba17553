import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import type { Actor } from '#app/domain/platform/actor.ts';
import { refitQueue } from '#app/domain/publishing/slots/apply-settings.ts';
import { enqueueSingly } from '#app/domain/publishing/state/schedule.ts';
import { findQueued, makePublisher, makeScheduledPost, readPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import type { startOutside } from '#tests/harness/outside/sandbox.ts';
import { idle, lockedJobs, minutes } from './clock.ts';
import type { Wire } from './network-proxy.ts';
import { lock, startWorker, WATCHED, type Worker } from './process.ts';

// All posts of a stage are of one user, and go out as those of many would.
process.env.LATE_SPACING = '0';

type Outside = Awaited<ReturnType<typeof startOutside>>;
type Ending = () => Promise<void>;
type Sent = { text: string; urn: string | null; status: number | null; imageUrn: string | null };
export type DuePost = { id: string; marker: string };

/** The timetable adds nothing: minutes pass when the test says so, not when they pass on the wall. */
const NO_WALL_CLOCK = `
  create function public.no_wall_clock() returns trigger language plpgsql as 'begin return null; end';
  create trigger no_wall_clock before insert on graphile_worker._private_jobs for each row
    when (new.payload::jsonb ?| array['_cron', 'isLate']) execute function public.no_wall_clock()`;

let counter = 0;

/** A database of its own with one publisher, and workers that reach the network over the wire. */
export async function setStage(t: TestContext, outside: Outside, wire: Wire) {
  const database = await testDatabase();
  const { db, pool } = database;
  // Hooks run in the order they were made: what was begun last must end first.
  const endings: Ending[] = [() => database.close()];
  t.after(async () => {
    for (const end of endings.toReversed()) await end();
  });
  const ending = (end: Ending) => void endings.push(end);
  const actor: Actor = await makePublisher(db, outside.url);
  // A new plan fits the queue to its publish times, which would move the posts of these tests.
  await refitQueue(db, actor.userId);
  await pool.query('delete from graphile_worker._private_jobs');
  await pool.query(NO_WALL_CLOCK);
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tidepost-data-'));
  ending(async () => rmSync(dataDir, { recursive: true, force: true }));
  const usual = {
    ...WATCHED,
    SMTP_URL: outside.smtpUrl,
    LINKEDIN_API_URL: `${wire.url}/linkedin-api`,
    ALLOW_PRIVATE_IMAGES: '1',
    DATA_DIR: dataDir,
  };
  const dead = new Set<string>();

  const duePost = async (imageUrl?: string): Promise<DuePost> => {
    const marker = `post ${process.pid}-${++counter}.`;
    const content = `${marker} A plan that fits on a postcard.`;
    const dueAt = new Date(Date.now() - 1_000);
    return { id: await makeScheduledPost(db, actor, { content, dueAt, imageUrl }), marker };
  };

  /** What is done in the database like this waits, in its transaction, until the gate is opened. */
  const gate = async (on: string, when = 'true') => {
    const lockId = 90_000 + ++counter;
    const wait = `perform pg_advisory_xact_lock_shared(${lockId})`;
    await trigger(on, when, wait);
    return lock(ending, pool, 'select pg_advisory_xact_lock($1)', [lockId]);
  };

  const trigger = async (on: string, when: string, body: string) => {
    const name = `fault_${++counter}`;
    await pool.query(`
      create function public.${name}() returns trigger language plpgsql set lock_timeout = 0 as
        $$ begin ${body}; if tg_op = 'DELETE' then return old; end if; return new; end $$;
      create trigger ${name} ${on} for each row when (${when}) execute function public.${name}()`);
    return { mend: () => pool.query(`drop function public.${name} cascade`) };
  };

  const read = async ({ id, marker }: DuePost) => {
    const ledger = (await outside.ledger()) as { attempts: Sent[]; posts: Sent[] };
    const has = ({ text }: Sent) => text.includes(marker);
    const attempts = await db
      .selectFrom('publishAttempts')
      .selectAll()
      .where('postId', '=', id)
      .orderBy('attempt')
      .execute();
    const keys = attempts.map((attempt) => `unconfirmed:${attempt.id}`);
    const mails = await db
      .selectFrom('mails')
      .select(['id', 'sentAt'])
      .where(sql<boolean>`dedupe_key = any(${keys})`)
      .execute();
    return {
      sent: ledger.attempts.filter(has),
      live: ledger.posts.filter(has),
      post: await readPost(db, id),
      attempts,
      delivery: await findQueued(db, id),
      mails,
    };
  };

  const isSettled = async (post: DuePost) => {
    const { status } = (await read(post)).post;
    return status === 'published' || status === 'failed';
  };

  return {
    ...database,
    actor,
    dataDir,
    duePost,
    read,
    gate,
    /** What is done in the database like this fails with an SQLSTATE, always or so often, until it is mended. */
    fail: (on: string, when: string, code: string, share = 1) =>
      trigger(on, when, `if random() < ${share} then raise 'a fault' using errcode = '${code}'; end if`),
    /** How many connections of all workers wait for a lock. */
    blocked: async () => {
      const { rowCount } = await pool.query(
        `select from pg_stat_activity where datname = current_database()
         and application_name like 'worker-%' and cardinality(pg_blocking_pids(pid)) > 0`,
      );
      return rowCount ?? 0;
    },
    /** Jobs that are locked by no worker that was given up on. */
    leftLocked: async () => (await lockedJobs(pool)).filter((id) => !dead.has(id)),
    worker: (env: Record<string, string> = {}, lanes?: string[], workerUrl = database.workerUrl) =>
      startWorker(ending, { workerUrl, pool }, { ...usual, ...env }, lanes),
    lock: (sql: string, values: unknown[] = []) => lock(ending, pool, sql, values),
    /** Gives each a job of its own, as what cannot be sent together has one. */
    alone: (...posts: DuePost[]) =>
      enqueueSingly(
        db,
        posts.map(({ id }) => id),
        new Date(),
      ),
    lockPost: ({ id }: DuePost) => lock(ending, pool, 'select from posts where id = $1 for update', [id]),
    /** Kills a worker; the jobs it held stay locked, as the queue leaves them for hours. */
    async kill(...workers: Worker[]) {
      await Promise.all(workers.map((worker) => worker.kill()));
      await this.forget();
    },
    /** Gives up on the workers that are stopped now: what they hold counts as held by dead ones. */
    async forget() {
      for (const id of await lockedJobs(pool)) dead.add(id);
    },
    /** Until no worker, stopped or not, holds a job. */
    allDone: (patienceMs?: number) => idle(pool, [], patienceMs),
    idle: () => idle(pool, [...dead]),
    /** Runs the minutes that the post needs with the workers there are; answers how many. */
    settle: (post: DuePost, most = 12) => minutes(database, [...dead], most, () => isSettled(post)),
    /** `patienceMs` for the jobs of each minute. */
    settleAll: (posts: DuePost[], most = 20, patienceMs?: number) => {
      const areSettled = async () => {
        const open = await db
          .selectFrom('postSchedules')
          .select('postId')
          .where(
            'postId',
            'in',
            posts.map(({ id }) => id),
          )
          .where('status', 'not in', ['published', 'failed'])
          .execute();
        return open.length === 0;
      };
      return minutes(database, [...dead], most, areSettled, patienceMs);
    },
    /** Runs minutes with the workers there are until the goal is reached; answers how many. */
    minutes: (most: number, isReached: () => Promise<boolean>) =>
      minutes(database, [...dead], most, isReached),
    /** What holds for every post whatever happened to the workers. Answers what became of it. */
    async verdict(post: DuePost) {
      const seen = await read(post);
      const { live, sent, attempts, delivery, mails } = seen;
      assert.ok(live.length <= 1, `${live.length} live posts of ${post.marker}`);
      const confirmations = attempts.filter(({ confirmsId }) => confirmsId !== null);
      assert.equal(attempts.filter(({ resolvedAt }) => resolvedAt === null).length, 0, 'left open');
      assert.equal(delivery, undefined, 'a delivery is left');
      assert.ok(sent.length <= attempts.length, 'a call without an attempt of its own');
      for (const { startedAt, confirmsId } of confirmations) {
        const first = attempts.find(({ id }) => id === confirmsId)!;
        const gap = startedAt.getTime() - first.startedAt.getTime();
        assert.ok(gap >= 30_000 && gap <= 540_000, `resent after ${gap / 1_000} s`);
      }
      if (seen.post.status === 'published') {
        assert.equal(live.length, 1, 'published, but not on the network');
        if (seen.post.networkUrn) assert.equal(seen.post.networkUrn, live[0]!.urn);
        assert.equal(mails.length, 0);
      } else {
        assert.equal(seen.post.status, 'failed');
        assert.equal(seen.post.isUnconfirmed, true, `failed: ${seen.post.reason}`);
        assert.equal(mails.length, 1, 'mails that it is not confirmed');
      }
      return { ...seen, calls: sent.length };
    },
  };
}

export type Stage = Awaited<ReturnType<typeof setStage>>;
