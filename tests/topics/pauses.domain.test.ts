import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { beforeEach, test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { localDateOf } from '#app/domain/automation/slots.ts';
import { mailText } from '#app/domain/email/templates/templates.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { pauseTopic, resumeTopic } from '#app/domain/topics/pauses.ts';
import { findTopic, toggleTopic } from '#app/domain/topics/topics.ts';
import { listTurns, recordTurn } from '#app/domain/topics/turns.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { writeRun } from '#app/domain/writing/runs/write-run.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { writeWhole } from '#tests/fixtures/runs.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { serve, startOutside } from '#tests/harness/outside/sandbox.ts';

type Said = { status?: number; body: object };
/** What the writer says of a subject; of every other one it writes, as of one of which it says nothing. */
let of: Record<string, (heard: string) => Said | undefined> = {};
let heard: string[] = [];
const asJson = (message: object, finish = 'stop') => ({
  body: { model: 'test', choices: [{ finish_reason: finish, message }], usage: {} },
});
const outside = await startOutside();
const writer = `${outside.url}/openai/v1/chat/completions`;
process.env.WRITER_PASSES = '1';
process.env.OPENAI_BASE_URL = await serve(async (request, response) => {
  const body = await text(request);
  const messages: { content: string }[] = JSON.parse(body).messages;
  const said = messages.map(({ content }) => content).join('\n');
  const subject = Object.keys(of).find((name) => said.includes(`Topic: ${name}`));
  heard.push(said);
  const answer = subject && of[subject]!(said);
  if (answer) {
    response.writeHead(answer.status ?? 200, { 'Content-Type': 'application/json' });
    return response.end(JSON.stringify(answer.body));
  }
  const headers = { Authorization: 'Bearer sk-local', 'Content-Type': 'application/json' };
  const real = await fetch(writer, { method: 'POST', headers, body });
  response.writeHead(real.status, { 'Content-Type': 'application/json' });
  return response.end(await real.text());
});

const POLICY = { status: 400, body: { error: { message: 'No', code: 'content_policy_violation' } } };
const DECLINED = asJson({ content: null, refusal: 'I can’t help with that.' });
const SHORT = asJson({
  content: JSON.stringify({ content: 'Short.', hashtags: ['A', 'B', 'C'], thesis: '', claims: [] }),
});

const { db } = await testDatabase();
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
beforeEach(() => {
  of = {};
  heard = [];
});

/** Somebody with a plan whose topic `Bad` has its turn before `Good`. */
async function somebody() {
  const actor = await makeUser(db, {});
  await makePlan(db, actor, 3, new Date());
  const bad = await makeTopic(db, actor, 'Bad planning');
  const good = await makeTopic(db, actor, 'Good planning');
  await db
    .updateTable('topics')
    .set({ createdAt: new Date(0) })
    .where('id', '=', bad.id)
    .execute();
  return { actor, bad, good };
}

async function write(actor: Actor, count = 1) {
  const { id } = await generateNow(db, actor, { count });
  await writeWhole(db, id);
  const run = await db
    .selectFrom('generationRuns')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const posts = await db.selectFrom('posts').select(['topicId']).where('runId', '=', id).execute();
  return { run, topics: posts.map(({ topicId }) => topicId) };
}

/** One post about a topic, whoever's turn it is. */
async function askFor(actor: Actor, { id: topicId }: { id: string }) {
  await writeWhole(db, (await generateNow(db, actor, { count: 1, topicId })).id);
}

const readTopic = ({ id }: { id: string }) =>
  db.selectFrom('topics').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('a subject that the rules of the writer rule out leaves its place to the next topic, and is told', async () => {
  const { actor, bad, good } = await somebody();
  of = { 'Bad planning': () => POLICY };
  const { run, topics } = await write(actor);
  assert.deepEqual([run.status, run.done, run.failed, topics], ['complete', 1, 0, [good.id]]);
  assert.match(run.error!, /^“Bad planning” was passed over: the writer’s rules on content rule it out/);
  assert.equal(heard.length, 2);
  const { failures, failure, isPaused, lastUsedAt } = await findTopic(db, actor, bad.id);
  assert.deepEqual([failures, isPaused, lastUsedAt], [1, false, null]);
  assert.match(failure, /rules on content/);
});

test('what the writer declines twice leaves its place to the next topic', async () => {
  const { actor, bad, good } = await somebody();
  of = { 'Bad planning': () => DECLINED };
  const { topics } = await write(actor);
  assert.deepEqual([topics, heard.length], [[good.id], 3]);
  assert.match(heard[1]!, /You declined to write it/);
  assert.equal((await findTopic(db, actor, bad.id)).failures, 1);
});

test('a topic whose texts fail leaves its next turn to others, and no place stands still', async () => {
  const { actor, bad, good } = await somebody();
  of = { 'Bad planning': () => SHORT };
  const { run, topics } = await write(actor, 3);
  assert.deepEqual([run.done, run.failed, topics], [1, 2, [good.id]]);
  assert.match(run.error!, /“Bad planning” was not good enough/);
  assert.doesNotMatch(run.error!, /\.$/);
  assert.equal((await findTopic(db, actor, bad.id)).failures, 1, 'one failure for one run');
});

test('what fails in one run is one failure, in however many jobs it is written', async () => {
  const { actor, bad, good } = await somebody();
  await toggleTopic(db, actor, good.id);
  of = { 'Bad planning': () => SHORT };
  for (const failures of [1, 2]) {
    const { run } = await write(actor, 5);
    assert.equal(run.failed, 5);
    const topic = await findTopic(db, actor, bad.id);
    assert.deepEqual([topic.failures, topic.isPaused], [failures, false]);
  }
});

test('after three failures in a row a topic is paused, and has no turns until it is resumed', async () => {
  const { actor, bad, good } = await somebody();
  of = { 'Bad planning': () => POLICY };
  const all = [await write(actor), await write(actor), await write(actor)];
  assert.deepEqual(
    all.map(({ topics }) => topics),
    [[good.id], [good.id], [good.id]],
  );
  const paused = await findTopic(db, actor, bad.id);
  assert.deepEqual([paused.failures, paused.isPaused, paused.isActive], [3, true, true]);
  assert.deepEqual(
    (await listTurns(db, actor.userId)).map(({ id }) => id),
    [good.id],
  );
  heard = [];
  assert.equal((await write(actor)).run.error, null);
  assert.equal(heard.length, 1);
  const resumed = await resumeTopic(db, actor, bad.id);
  assert.deepEqual([resumed.failures, resumed.failure, resumed.isPaused], [0, '', false]);
  assert.deepEqual(
    (await listTurns(db, actor.userId)).map(({ id }) => id),
    [bad.id, good.id],
  );
});

test('a post that is written sets the count to nothing', async () => {
  const { actor, bad } = await somebody();
  of = { 'Bad planning': () => POLICY };
  await write(actor);
  await write(actor);
  assert.equal((await findTopic(db, actor, bad.id)).failures, 2);
  of = {};
  const { topics } = await write(actor);
  assert.deepEqual(topics, [bad.id]);
  const { failures, failure } = await findTopic(db, actor, bad.id);
  assert.deepEqual([failures, failure], [0, '']);
});

test('a writer that is away, or whose answers nobody can read, counts for no topic', async () => {
  const { actor, bad } = await somebody();
  of = { 'Bad planning': () => ({ status: 500, body: { error: { message: 'No' } } }) };
  const { id } = await generateNow(db, actor, { count: 1 });
  await writeRun(db, id);
  const before = await db.selectFrom('topics').selectAll().where('id', '=', bad.id).executeTakeFirstOrThrow();
  assert.deepEqual([before.failures, before.lastTurnAt], [0, null]);
  of = { 'Bad planning': () => asJson({ content: 'A post as plain text.' }) };
  await writeWhole(db, id);
  const run = await db
    .selectFrom('generationRuns')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.match(run.error!, /could not be written: the writer’s answer could not be read/);
  const after = await db.selectFrom('topics').selectAll().where('id', '=', bad.id).executeTakeFirstOrThrow();
  assert.equal(after.failures, 0);
  assert.ok(after.lastTurnAt);
  const faults = () =>
    db.selectFrom('operatorAlerts').select('message').where('key', '=', 'writer').execute();
  assert.match((await faults())[0]!.message, /could not be read\. Another model/);
  await write(actor);
  assert.deepEqual(await faults(), []);
});

test('a writer that stays away for as long as a run waits is told to the operator', async () => {
  const { actor } = await somebody();
  of = { 'Bad planning': () => ({ body: { error: { message: 'Provider returned error', code: 502 } } }) };
  const { id } = await generateNow(db, actor, { count: 1 });
  await db
    .updateTable('generationRuns')
    .set({ claimedAt: new Date(Date.now() - 6 * 60_000) })
    .where('id', '=', id)
    .execute();
  await writeRun(db, id);
  const run = await db
    .selectFrom('generationRuns')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.match(run.error!, /^The writer was not available/);
  const [fault] = await db
    .selectFrom('operatorAlerts')
    .select('message')
    .where('key', '=', 'writer')
    .execute();
  assert.equal(fault!.message, 'The writer answered 502');
});

test('when every topic is paused a run says so, and none is begun', async () => {
  const { actor, bad, good } = await somebody();
  of = { 'Bad planning': () => POLICY, 'Good planning': () => POLICY };
  for (const _ of [1, 2, 3]) {
    const { run } = await write(actor);
    assert.deepEqual([run.done, run.failed], [0, 1]);
  }
  for (const { id } of [bad, good]) assert.equal((await findTopic(db, actor, id)).isPaused, true);
  await assert.rejects(generateNow(db, actor, { count: 1 }), /Every active topic is paused/);
  const again = await toggleTopic(db, actor, bad.id);
  assert.deepEqual([again.isActive, again.isPaused], [false, false]);
  await toggleTopic(db, actor, good.id);
  await assert.rejects(generateNow(db, actor, { count: 1 }), /Add a topic, or activate one/);
});

test('a topic that is paused until a day has its turns again from then on', async () => {
  const { actor, bad, good } = await somebody();
  const pause = (pausedUntil: Date) =>
    db
      .updateTable('topics')
      .set({ pausedAt: new Date(0), pausedUntil })
      .where('id', '=', bad.id)
      .execute();
  const turns = async () => (await listTurns(db, actor.userId)).map(({ id }) => id);
  await pause(new Date(Date.now() + 3_600_000));
  assert.deepEqual(await turns(), [good.id]);
  await pause(new Date(Date.now() - 3_600_000));
  assert.deepEqual(await turns(), [bad.id, good.id]);
});

test('a topic that its owner asks for is written about, paused or not', async () => {
  const { actor, bad } = await somebody();
  await db
    .updateTable('topics')
    .set({ pausedAt: new Date(), failures: 3 })
    .where('id', '=', bad.id)
    .execute();
  const { id } = await generateNow(db, actor, { count: 1, topicId: bad.id });
  await writeWhole(db, id);
  const run = await db
    .selectFrom('generationRuns')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(run.done, 1);
});

test('a topic that was paused for its failures has its turns again once a post about it is written', async () => {
  const { actor, bad, good } = await somebody();
  const turns = async () => (await listTurns(db, actor.userId)).map(({ id }) => id);
  of = { 'Bad planning': () => POLICY };
  for (const _ of [1, 2, 3]) await askFor(actor, bad);
  assert.deepEqual(await turns(), [good.id]);
  of = {};
  await askFor(actor, bad);
  const { failures, failure, isPaused } = await findTopic(db, actor, bad.id);
  assert.deepEqual([failures, failure, isPaused], [0, '', false]);
  assert.deepEqual(await turns(), [good.id, bad.id]);
  // A pause that its owner made stands, whatever is written meanwhile.
  const { pausedUntil } = await pauseTopic(db, actor, { topicId: bad.id, until: dayIn(3) });
  await askFor(actor, bad);
  assert.deepEqual((await findTopic(db, actor, bad.id)).pausedUntil, pausedUntil);
  assert.deepEqual(await turns(), [good.id]);
});

test('a writer that can read less is given less, and what the text must have stays', async () => {
  const { actor, bad } = await somebody();
  await transact(db, (trx) => recordTurn(trx, { id: bad.id, userId: actor.userId }, new Date(0)));
  const OWN = 'These are my own words about plans, and long ones. '.repeat(20);
  await db.insertInto('voiceExamples').values({ userId: actor.userId, content: OWN }).execute();
  of = {
    'Good planning': (said) =>
      said.includes(OWN.trim())
        ? { status: 400, body: { error: { message: 'Too long', code: 'context_length_exceeded' } } }
        : undefined,
  };
  const { run } = await write(actor);
  assert.deepEqual([run.done, heard.length], [1, 2]);
  assert.match(heard[1]!, /Topic: Good planning/);
});

test('one mail says that a topic is paused and why, and none of the same pause again', async () => {
  const { actor, bad, good } = await somebody();
  of = { 'Bad planning': () => POLICY };
  const mails = () => mailsTo(db, actor.email, 'topicPaused');
  await write(actor);
  await write(actor);
  assert.deepEqual(await mails(), []);
  await write(actor);
  const [data, ...more] = await mails();
  assert.deepEqual(more, []);
  const { subject, lines, button } = mailText('topicPaused', data!);
  const said = lines.join('\n');
  assert.match(subject, /“Bad planning” is paused/);
  assert.match(said, /about “Bad planning” 3 times in a row/);
  assert.match(said, /The last time: the writer’s rules on content rule it out\. Other words in its name/);
  assert.match(said, /Your other topics take its turns/);
  assert.ok(button!.url.endsWith(`/app/topics?edit=${bad.id}`));
  // Asked for, it fails once more, and is paused still.
  await writeWhole(db, (await generateNow(db, actor, { count: 1, topicId: bad.id })).id);
  assert.equal((await mails()).length, 1);
  await resumeTopic(db, actor, bad.id);
  await toggleTopic(db, actor, good.id);
  for (const _ of [1, 2, 3]) await write(actor);
  const [next, before] = (await mails()).toSorted((a, b) => Number(a.hasOthers) - Number(b.hasOthers));
  assert.ok(before);
  assert.match(mailText('topicPaused', next!).lines.join('\n'), /No other topic of yours has turns/);
});

test('a topic that is not active is paused without a mail', async () => {
  const { actor, bad } = await somebody();
  of = { 'Bad planning': () => POLICY };
  await toggleTopic(db, actor, bad.id);
  for (const _ of [1, 2, 3]) await askFor(actor, bad);
  assert.deepEqual(await mailsTo(db, actor.email, 'topicPaused'), []);
});

test('until the day that its owner named a pause stands, however often a post about it fails', async () => {
  const { actor, bad } = await somebody();
  const mails = async () => (await mailsTo(db, actor.email, 'topicPaused')).length;
  of = { 'Bad planning': () => POLICY };
  const now = new Date(Date.now() - 60_000);
  const { pausedUntil } = await pauseTopic(db, actor, { topicId: bad.id, until: dayIn(3) }, now);
  for (const _ of [1, 2, 3, 4]) await askFor(actor, bad);
  const topic = await readTopic(bad);
  assert.deepEqual([topic.pausedUntil, topic.pausedAt, topic.failures], [pausedUntil, now, 3]);
  assert.equal(await mails(), 0);
  // Once that day has come, one more failure is the last one in a row.
  await db
    .updateTable('topics')
    .set({ pausedUntil: new Date(Date.now() - 1_000) })
    .where('id', '=', bad.id)
    .execute();
  assert.equal((await findTopic(db, actor, bad.id)).isPaused, false);
  await askFor(actor, bad);
  const paused = await readTopic(bad);
  assert.equal(paused.pausedUntil, null);
  assert.ok(paused.pausedAt! > now);
  assert.equal(await mails(), 1);
});

test('a pause lasts until the same day after its owner has moved to another zone', async () => {
  const { actor, bad, good } = await somebody();
  await saveSettings(db, actor, { timeZone: 'America/Los_Angeles' });
  const until = dayIn(5);
  await pauseTopic(db, { ...actor, timeZone: 'America/Los_Angeles' }, { topicId: bad.id, until });
  const dayThere = async (timeZone: string) =>
    localDateOf((await findTopic(db, actor, bad.id)).pausedUntil!, timeZone);
  for (const timeZone of ['Pacific/Auckland', 'Pacific/Honolulu', 'Europe/Berlin']) {
    await saveSettings(db, actor, { timeZone });
    assert.equal(await dayThere(timeZone), until, timeZone);
  }
  assert.equal((await readTopic(good)).pausedUntil, null);
});

test('a topic is paused until a day of its owner’s zone, from tomorrow on and a year ahead at most', async () => {
  const { actor: inUtc, bad, good } = await somebody();
  const actor = { ...inUtc, timeZone: 'Pacific/Auckland' };
  // There it is the 11th already.
  const now = new Date('2026-03-10T20:00:00Z');
  const until = (day: string, topicId = bad.id) => pauseTopic(db, actor, { topicId, until: day }, now);
  await assert.rejects(until('2026-03-11'), /Please choose a day from tomorrow on/);
  await assert.rejects(until('2027-03-12'), /Please choose a day within the next 12 months/);
  assert.equal((await findTopic(db, actor, bad.id)).isPaused, false);
  for (const [day, at] of [
    ['2026-03-12', '2026-03-11T11:00:00.000Z'],
    ['2027-03-11', '2027-03-10T11:00:00.000Z'],
  ] as const) {
    assert.equal((await until(day)).pausedUntil?.toISOString(), at);
  }
  const { failures, isPaused } = await findTopic(db, actor, bad.id);
  assert.deepEqual([failures, isPaused], [0, true]);
  await toggleTopic(db, actor, good.id);
  await assert.rejects(until('2026-03-12', good.id), /not active/);
  const other = await makeUser(db, {});
  await assert.rejects(pauseTopic(db, other, { topicId: bad.id, until: '2026-03-12' }, now), /not found/);
  assert.equal((await resumeTopic(db, actor, bad.id)).isPaused, false);
});
