import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queueMail } from '#app/domain/email/outbox.ts';
import { enqueue, jobs, ticks } from '#app/domain/platform/jobs.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { pass, tick } from '#tests/harness/worker/clock.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { type DuePost, type Stage, setStage } from '#tests/harness/worker/stage.ts';
import { until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const wire = await startWire(outside.url);

/** Every row of ours and everything the world outside has received. */
async function everything({ pool }: Stage) {
  const { rows: tables } = await pool.query(
    // The beat of the database and the times of the ticks count the minutes, whatever they bring.
    `select tablename from pg_tables
     where schemaname = 'public' and tablename not in ('publishing_epoch', 'tick_times') order by tablename`,
  );
  const contents: Record<string, unknown> = { ledger: await outside.ledger() };
  for (const { tablename } of tables) {
    const { rows } = await pool.query(`select to_jsonb(t) as row from ${tablename} t order by t::text`);
    contents[tablename] = rows;
  }
  return contents;
}

const addressOf = async ({ db, actor }: Stage) =>
  (await db.selectFrom('users').select('email').where('id', '=', actor.userId).executeTakeFirstOrThrow())
    .email;
/** How often a mail has arrived. */
async function arrivals(stage: Stage, mailId: string): Promise<number> {
  const { mails } = await outside.mails(await addressOf(stage));
  return mails.filter(({ messageId }) => messageId.includes(mailId)).length;
}

/** The mail of a sign-up, which is not out. */
async function waitingMail(stage: Stage) {
  const address = await addressOf(stage);
  await queueMail(stage.db, { address, userId: null }, 'verifyEmail', { code: '123456', url: '' });
  await stage.pool.query('delete from graphile_worker._private_jobs');
  return stage.db
    .selectFrom('mails')
    .select('id')
    .where('kind', '=', 'verifyEmail')
    .where('toAddress', '=', address)
    .executeTakeFirstOrThrow();
}

const countPosts = async ({ db }: Stage) =>
  (await db.selectFrom('posts').select('id').where('runId', 'is not', null).execute()).length;

/** An attempt that LinkedIn took without an answer. */
async function unknownPost(stage: Stage): Promise<DuePost> {
  const post = await stage.duePost();
  await outside.fault('linkedin.drop-after', { match: post.marker });
  await publishPost(stage.db, post.id);
  return post;
}

type Case = {
  job: string;
  /** What it finds, when it looks for several things. */
  of?: string;
  /** How many copies run at first, at once. */
  copies: number;
  /** Makes something to do; answers the payload and what the job must bring from 0 to 1. */
  make: (stage: Stage) => Promise<{ payload?: object; count: () => Promise<number> }>;
};

const CASES: Case[] = [
  {
    job: jobs.sendMail.name,
    // Two at once may send it twice: a mail goes out at least once.
    copies: 1,
    make: async (stage) => {
      const { id } = await waitingMail(stage);
      return { payload: { mailId: id }, count: () => arrivals(stage, id) };
    },
  },
  {
    job: jobs.writeRun.name,
    copies: 2,
    make: async (stage) => {
      await makeTopic(stage.db, stage.actor);
      const { id } = await generateNow(stage.db, stage.actor, { topicId: undefined, count: 1 });
      await stage.pool.query('delete from graphile_worker._private_jobs');
      return { payload: { runId: id }, count: () => countPosts(stage) };
    },
  },
  {
    job: jobs.publishPost.name,
    copies: 2,
    make: async (stage) => {
      const post = await stage.duePost();
      return { payload: { postId: post.id }, count: async () => (await stage.read(post)).sent.length };
    },
  },
  {
    job: jobs.sendBatch.name,
    copies: 2,
    make: async (stage) => {
      const post = await stage.duePost();
      return { payload: { part: 0 }, count: async () => (await stage.read(post)).sent.length };
    },
  },
  {
    job: jobs.confirmAttempt.name,
    copies: 2,
    make: async (stage) => {
      const post = await unknownPost(stage);
      await pass(stage.pool, 40);
      const [open] = (await stage.read(post)).attempts;
      return {
        payload: { attemptId: open!.id },
        count: async () => (await stage.read(post)).sent.length - 1,
      };
    },
  },
  {
    job: jobs.refitQueue.name,
    copies: 2,
    make: async (stage) => {
      const post = await stage.duePost();
      const isMoved = async () => (await stage.read(post)).delivery!.dueAt > new Date();
      return { payload: { userId: stage.actor.userId }, count: async () => Number(await isMoved()) };
    },
  },
  {
    job: ticks.tickPublishing.name,
    copies: 2,
    make: async (stage) => {
      const post = await stage.duePost();
      return { count: async () => (await stage.read(post)).sent.length };
    },
  },
  {
    job: ticks.tickWriting.name,
    copies: 2,
    make: async (stage) => {
      await makeTopic(stage.db, stage.actor);
      await stage.pool.query(`update automation_settings set next_run_at = now() - interval '1 minute'`);
      return {
        count: async () => (await stage.db.selectFrom('generationRuns').select('id').execute()).length,
      };
    },
  },
  {
    job: ticks.sweepPublishing.name,
    copies: 2,
    make: async (stage) => {
      const post = await unknownPost(stage);
      await pass(stage.pool, 40);
      await stage.pool.query('delete from graphile_worker._private_jobs');
      return { count: async () => (await stage.read(post)).sent.length - 1 };
    },
  },
  {
    job: ticks.sweep.name,
    of: 'a forgotten mail',
    copies: 1,
    make: async (stage) => {
      const { id } = await waitingMail(stage);
      await pass(stage.pool, 180);
      return { count: () => arrivals(stage, id) };
    },
  },
  {
    job: ticks.sweep.name,
    of: 'a plan that has ended',
    copies: 2,
    make: async (stage) => {
      await stage.pool.query(`update payments set
        starts_at = now() - interval '31 days', ends_at = now() - interval '1 minute'`);
      const ended = () =>
        stage.db.selectFrom('payments').select('id').where('status', '=', 'expired').execute();
      return { count: async () => (await ended()).length };
    },
  },
];

for (const { job, of, copies, make } of CASES) {
  test(`${job}${of ? ` of ${of}` : ''} runs again and again and acts once`, async (t) => {
    const stage = await setStage(t, outside, wire);
    const { payload, count } = await make(stage);
    const add = () =>
      stage.pool.query('select graphile_worker.add_job($1, $2::json)', [job, JSON.stringify(payload ?? {})]);
    assert.equal(await count(), 0);
    for (let copy = 0; copy < copies; copy++) await add();
    await stage.worker();
    await stage.allDone();
    assert.equal(await count(), 1);
    const before = await everything(stage);
    await add();
    await stage.allDone();
    assert.deepEqual(await everything(stage), before);
  });
}

for (const [when, sql, copies] of [
  ['before it reads the mail', 'lock table mails in access exclusive mode', 1],
  ['when the mail is out, before that is written', 'select from mails where sent_at is null for update', 2],
] as const) {
  test(`killed ${when}: the mail goes out, without waiting for the queue`, async (t) => {
    const stage = await setStage(t, outside, wire);
    const mail = await waitingMail(stage);
    await enqueue(stage.db, jobs.sendMail, { mailId: mail.id });
    const held = await stage.lock(sql);
    const victim = await stage.worker();
    await victim.blocked();
    await stage.kill(victim);
    await held.release();
    await stage.worker();
    await tick(stage.db);
    await pass(stage.pool, 121);
    await tick(stage.db);
    await until('the mail is written down as sent', async () => {
      const { sentAt } = await stage.db
        .selectFrom('mails')
        .select('sentAt')
        .where('id', '=', mail.id)
        .executeTakeFirstOrThrow();
      return sentAt;
    });
    await stage.idle();
    assert.equal(await arrivals(stage, mail.id), copies);
  });
}
