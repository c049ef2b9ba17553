import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { createDatabase } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { reportFault } from '#app/domain/platform/operator-alerts.ts';
import { findFreePosts } from '#app/domain/writing/quota.ts';
import { requestRewrite } from '#app/domain/writing/rewrite/rewrite.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { writeRun } from '#app/domain/writing/runs/write-run.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { writeWhole } from '#tests/fixtures/runs.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { serve } from '#tests/harness/outside/sandbox.ts';
import { wayTo } from '#tests/harness/worker/database-proxy.ts';
import { until } from '#tests/harness/worker/until.ts';

const GOOD = `Planning starts with the page that everybody can see.\n\n${'Put the work of the week on it and cross out what is done before anything is added. '.repeat(3)}`;
const OTHER = `The calendar on the door decides what planning is worth.\n\n${'Whoever enters reads it first, and asks about the empty line in the middle of the month. '.repeat(3)}`;

/** What the writer answers; it is away while it is null. */
let says: string | null = GOOD;
let questions = 0;
/** Called at each question; its answer waits for what comes back. */
let onAsked: (nth: number) => void | Promise<void> = () => {};
process.env.OPENAI_BASE_URL = await serve(async (request, response) => {
  await text(request);
  questions += 1;
  await onAsked(questions);
  if (says === null) return response.writeHead(503).end('{}');
  const post = { content: says, hashtags: ['Planning', 'Focus', 'Teams'], claims: [], findings: [] };
  const message = { role: 'assistant', content: JSON.stringify({ ...post, thesis: says.slice(0, 40) }) };
  response.setHeader('Content-Type', 'application/json');
  return response.end(JSON.stringify({ model: 'test', choices: [{ finish_reason: 'stop', message }] }));
});
const { db, workerUrl } = await testDatabase();
const way = await wayTo(workerUrl);
const far = createDatabase(way.url, 3);
far.pool.options.allowExitOnIdle = true;

beforeEach(() => {
  says = GOOD;
  questions = 0;
  onAsked = () => {};
});

async function author() {
  const actor = await makeUser(db, { timeZone: 'UTC' });
  await makeTopic(db, actor);
  return actor;
}
const ask = async (actor: Actor) => (await generateNow(db, actor, { count: 1 })).id;
const runOf = (id: string) =>
  db.selectFrom('generationRuns').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const postsOf = (actor: Actor) =>
  db.selectFrom('posts').select(['id', 'content']).where('userId', '=', actor.userId).execute();
const jobsOf = async (runId: string) => {
  const { rows } = await sql<{
    inSeconds: number;
  }>`select extract(epoch from run_at - now())::float8 as in_seconds
    from graphile_worker.jobs where key = ${`run:${runId}`}`.execute(db);
  return rows.map(({ inSeconds }) => inSeconds);
};
const forgetJobs = () => sql`delete from graphile_worker._private_jobs`.execute(db);

/** The database goes away at a question, and comes back when it was missed. */
const lostAt = (question: number) => async (nth: number) => {
  if (nth !== question) return;
  way.cut();
  const before = way.countRefused();
  void until('the database is missed', () => way.countRefused() > before + 1).then(() => way.mend());
};

for (const [when, question] of [
  ['for a post', 1],
  ['in the second reading of a post', 2],
] as const) {
  test(`the database is away when the writer answers ${when}: it is stored when that is back, and asked for once`, async () => {
    const actor = await author();
    const id = await ask(actor);
    onAsked = lostAt(question);
    await writeRun(far.db, id);
    assert.deepEqual(
      (await postsOf(actor)).map(({ content }) => content),
      [GOOD.trim()],
    );
    const { status, done, failed, inputTokens } = await runOf(id);
    assert.deepEqual([status, done, failed], ['complete', 1, 0]);
    assert.ok(inputTokens > 0);
    assert.equal(questions, 2);
    assert.deepEqual(await findFreePosts(db, actor), { left: 2, unwritten: 0 });
  });
}

test('the database is away when the writer answers for a post that is written again: the new text is kept', async () => {
  const actor = await author();
  await writeRun(db, await ask(actor));
  const [post] = await postsOf(actor);
  const { id } = await requestRewrite(db, actor, { postId: post!.id, instruction: '' });
  says = OTHER;
  questions = 0;
  onAsked = lostAt(1);
  await writeRun(far.db, id);
  assert.deepEqual(
    (await postsOf(actor)).map(({ content }) => content),
    [OTHER.trim()],
  );
  assert.deepEqual([(await runOf(id)).status, questions], ['complete', 2]);
});

/** A post that is being written again, and what the writer says next is another text. */
async function rewriting() {
  const actor = await author();
  await writeRun(db, await ask(actor));
  const [post] = await postsOf(actor);
  const { id } = await requestRewrite(db, actor, { postId: post!.id, instruction: '' });
  says = OTHER;
  questions = 0;
  const isKept = async () => {
    assert.deepEqual(
      (await postsOf(actor)).map(({ content }) => content),
      [OTHER.trim()],
    );
    assert.equal((await runOf(id)).status, 'complete');
  };
  return { id, isKept };
}

test('the writer takes too long to read a text once more that is written again: the text that passed is kept', async () => {
  const { id, isKept } = await rewriting();
  const end = Promise.withResolvers<void>();
  onAsked = (nth) => (nth === 2 ? end.promise : undefined);
  await writeRun(db, id, new Date(), 2_500);
  end.resolve();
  await isKept();
  assert.equal(questions, 2);
});

/** From now on what is done in the database like this fails as often, as if the connection broke there. */
async function breakAt(on: string, when: string, times: number): Promise<void> {
  await sql
    .raw(`create sequence broken;
    create function public.break() returns trigger language plpgsql as $$ begin
      if nextval('broken') <= ${times} then raise 'gone' using errcode = '57P01'; end if; return new; end $$;
    create trigger break ${on} for each row when (${when}) execute function public.break()`)
    .execute(db);
}
const mend = () => sql.raw('drop function public.break cascade; drop sequence broken').execute(db);

test('the database is away when the second reading begins: the text that passed is stored', async () => {
  const actor = await author();
  const id = await ask(actor);
  await breakAt(
    'before update on generation_attempts',
    'old.answered_at is not null and new.called_at is not null',
    1,
  );
  await writeRun(db, id);
  await mend();
  assert.deepEqual([(await postsOf(actor)).length, (await runOf(id)).status, questions], [1, 'complete', 1]);
});

test('the database is away when the second reading of a text that is written again begins: the text that passed is kept', async () => {
  const { id, isKept } = await rewriting();
  await breakAt(
    'before update on generation_attempts',
    'old.answered_at is not null and new.called_at is not null',
    1,
  );
  await writeRun(db, id);
  await mend();
  await isKept();
  assert.equal(questions, 1);
});

test('the database is away when it is to be told that the writer is well again: the text is kept', async () => {
  const { id, isKept } = await rewriting();
  await reportFault(db, 'writer', 'It was away', new Date());
  await breakAt('after delete on operator_alerts', "old.key = 'writer'", 1);
  await writeRun(db, id);
  await mend();
  await isKept();
  assert.equal(questions, 2);
});

test('the database is away before the writer is asked: the run goes on as soon as it is back', async () => {
  const actor = await author();
  const id = await ask(actor);
  await forgetJobs();
  await breakAt('before update on generation_attempts', 'new.called_at is not null', 1);
  await writeRun(db, id);
  await mend();
  const { status, leaseUntil } = await runOf(id);
  assert.deepEqual([status, leaseUntil, questions], ['running', null, 0]);
  const [inSeconds, ...others] = await jobsOf(id);
  assert.ok(inSeconds! > 0 && inSeconds! < 10, `again in ${inSeconds} s`);
  assert.deepEqual(others, []);
  await writeRun(db, id);
  assert.deepEqual([(await runOf(id)).done, (await postsOf(actor)).length], [1, 1]);
});

test('a run that meets a database that breaks each time ends when its time is over', async () => {
  const actor = await author();
  const id = await ask(actor);
  await breakAt('before update on generation_attempts', 'new.called_at is not null', 99);
  await writeRun(db, id);
  await db
    .updateTable('generationRuns')
    .set({ claimedAt: new Date(Date.now() - 3_600_000) })
    .where('id', '=', id)
    .execute();
  await writeRun(db, id);
  await mend();
  const { status, error } = await runOf(id);
  assert.equal(status, 'complete');
  assert.match(error!, /on our side/);
});

test('the mail that asks to connect is not lost where a run ends and its process with it', async () => {
  const actor = await author();
  await makePlan(db, actor, 1, new Date());
  const id = await ask(actor);
  await breakAt('before insert on mails', `new.kind = 'connectLinkedIn'`, 1);
  await writeRun(db, id);
  await mend();
  assert.equal((await runOf(id)).status, 'running', 'its end is not written without the mail');
  await writeWhole(db, id);
  assert.deepEqual([(await runOf(id)).status, (await postsOf(actor)).length], ['complete', 1]);
  assert.equal((await mailsTo(db, actor.email, 'connectLinkedIn')).length, 1);
});

for (const [how, prepare] of [
  [
    'because the writer is away',
    async () => {
      says = null;
    },
  ],
  [
    'because of us',
    () => sql`alter table posts add constraint broken check (content = '') not valid`.execute(db),
  ],
] as const) {
  test(`a run that ends ${how} leaves its turn to the others of its user at once`, async () => {
    const actor = await author();
    const [first, next] = [await ask(actor), await ask(actor)];
    await prepare();
    await writeRun(db, first).catch(() => {});
    await db
      .updateTable('generationRuns')
      .set({ claimedAt: new Date(Date.now() - 3_600_000), leaseUntil: null })
      .where('id', '=', first)
      .execute();
    await forgetJobs();
    await writeRun(db, first).catch(() => {});
    await sql`alter table posts drop constraint if exists broken`.execute(db);
    assert.equal((await runOf(first)).status, 'complete');
    assert.equal((await jobsOf(next)).length, 1);
  });
}
