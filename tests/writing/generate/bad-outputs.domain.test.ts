import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { writeRun } from '#app/domain/writing/runs/write-run.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { serve } from '#tests/harness/outside/sandbox.ts';
import { until } from '#tests/harness/worker/until.ts';

let asked = 0;
let content = '';
let busyFor: string | null = null;
/** The question that gets no answer. */
let unanswered = 0;
/** Longer than the answers before it take. */
const PATIENCE_MS = 2_500;
let givenUp = 0;
let heard = '';
let all: string[] = [];
let tooLong = 0;
process.env.OPENAI_BASE_URL = await serve(async (request, response) => {
  asked += 1;
  heard = await text(request);
  all.push(heard);
  if (tooLong > 0) {
    tooLong -= 1;
    const error = { message: 'Too long', code: 'context_length_exceeded' };
    return response.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error }));
  }
  response.on('close', () => {
    if (!response.writableFinished) givenUp += 1;
  });
  if (asked === unanswered) return;
  if (busyFor) return response.writeHead(429, { 'Retry-After': busyFor }).end('{}');
  const draft = JSON.stringify({
    content,
    hashtags: ['Planning', 'Focus', 'Teams'],
    thesis: 'Plans get read',
    claims: [],
    ...(heard.includes('"findings"') ? { findings: [] } : {}),
  });
  const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: draft } }];
  response.setHeader('Content-Type', 'application/json');
  return response.end(JSON.stringify({ model: 'test', choices, usage: {} }));
});
const { db } = await testDatabase();
const MINUTE = 60_000;
const GOOD = `Planning for small teams gets easier when somebody writes it down.\n\n${'Write the plan first, then ask who it is for. '.repeat(5)}`;

async function start() {
  asked = 0;
  const actor = await makeUser(db, {});
  await makeTopic(db, actor);
  return generateNow(db, actor, { count: 1 });
}

const runOf = (id: string) =>
  db.selectFrom('generationRuns').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('a number that the writer made up is not given by the sentence that rejects it', async () => {
  content = `${GOOD} It saves 37 percent of the time.`;
  const { id } = await start();
  await writeRun(db, id);
  assert.equal(asked, 3);
  const run = await runOf(id);
  assert.deepEqual([run.done, run.failed], [0, 1]);
  assert.match(run.error!, /good enough: it stated a number that you did not give: 37 percent$/);
});

test('a character that cannot be stored is a reason to ask again, not an error for ever', async () => {
  content = `${GOOD}\0`;
  const { id } = await start();
  await writeRun(db, id);
  assert.deepEqual((await runOf(id)).status, 'complete');
});

test('a writer that cannot read all of it is given less, and its text is held against all the same', async () => {
  const openings = [
    'Cranes wait for nobody on a windy morning.',
    'A ledger with coffee on it is a ledger in use.',
    'Night shifts begin in the changing room.',
    'The harbour office keeps one chair for complaints.',
  ];
  const actor = await makeUser(db, {});
  await makeTopic(db, actor);
  for (const [days, opening] of openings.entries()) {
    const post = await makeScheduledPost(db, actor, { content: `${opening}\n\nIt ends here, ${days}.` });
    const createdAt = new Date(Date.now() - (days + 1) * 86_400_000);
    await db.updateTable('posts').set({ createdAt }).where('id', '=', post).execute();
  }
  content = `${openings[3]}\n\n${GOOD}`;
  [all, tooLong] = [[], 1];
  const { id } = await generateNow(db, actor, { count: 1 });
  await writeRun(db, id);
  const told = all.map((request) => openings.filter((opening) => request.includes(`- ${opening}`)).length);
  assert.deepEqual(told, [4, 3, 3]);
  const run = await runOf(id);
  assert.deepEqual([run.done, run.failed], [0, 1]);
  assert.match(run.error!, /good enough: it opened like one of your last posts/);
});

test('a writer that asks for more patience than there is ends the run at once', async () => {
  busyFor = '3600';
  const { id } = await start();
  await writeRun(db, id);
  busyFor = null;
  const run = await runOf(id);
  assert.deepEqual([run.status, run.failed], ['complete', 1]);
  assert.match(run.error!, /not available/);
});

test('a writer that takes too long is asked nothing more, and the call is given up', async () => {
  content = `${GOOD} It saves 37 percent of the time.`;
  unanswered = 2;
  const { id } = await start();
  givenUp = 0;
  await writeRun(db, id, new Date(), PATIENCE_MS);
  await until('the call is given up', () => givenUp > 0);
  await wait(500);
  assert.deepEqual([asked, givenUp], [2, 1]);
  assert.equal((await runOf(id)).status, 'running');
});

test('a slow writer is asked no more often than a quick one, and hears what was wrong', async () => {
  content = `${GOOD} It saves 37 percent of the time.`;
  unanswered = 2;
  const { id } = await start();
  await writeRun(db, id, new Date(), PATIENCE_MS);
  assert.deepEqual([asked, (await runOf(id)).status], [2, 'running']);
  assert.match(heard, /number that was not given/);
  unanswered = 0;
  await writeRun(db, id);
  const run = await runOf(id);
  assert.deepEqual([asked, run.status, run.failed], [4, 'complete', 1]);
  assert.match(run.error!, /not good enough/);
});

test('an error of ours ends the run when its time is over', async () => {
  content = GOOD;
  const { id } = await start();
  await sql`alter table posts add constraint broken check (content = '') not valid`.execute(db);
  await assert.rejects(writeRun(db, id));
  assert.equal((await runOf(id)).status, 'queued');
  await assert.rejects(writeRun(db, id, new Date(Date.now() + 20 * MINUTE)));
  await sql`alter table posts drop constraint broken`.execute(db);
  const run = await runOf(id);
  assert.equal(run.status, 'complete');
  assert.match(run.error!, /on our side/);
});
