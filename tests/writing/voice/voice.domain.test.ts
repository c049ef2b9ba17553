import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWithZod } from '@conform-to/zod/v4';
import { transact } from '#app/db/client.ts';
import { storeVersion } from '#app/domain/posts/versions.ts';
import { deleteTopic } from '#app/domain/topics/topics.ts';
import {
  ALL_TOPICS,
  addFact,
  changeFact,
  countFacts,
  deleteFact,
  listFacts,
  listFactsByTurn,
  recordFactUses,
} from '#app/domain/voice/fact-list.ts';
import { listFactUses } from '#app/domain/voice/fact-uses.ts';
import { answerQuestion, endInterview, listAnswers } from '#app/domain/voice/interview.ts';
import { EXAMPLES_MAX, FACT_MAX, FACTS_MAX, INTERVIEW } from '#app/domain/voice/limits.ts';
import { AnswerInput, ExampleInput, FactInput, VoiceInput } from '#app/domain/voice/schema.ts';
import {
  addExample,
  addPostAsExample,
  findVoice,
  listExamples,
  removeExample,
  saveVoice,
} from '#app/domain/voice/voice.ts';
import { storeBrief } from '#app/domain/writing/generate/brief-store.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { composedOf } from '#tests/fixtures/runs.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const makeActor = () => makeUser(db, {});
const ALL = { limit: 100 };
type Someone = Awaited<ReturnType<typeof makeActor>>;
const contentsOf = async (actor: Someone, topic?: string) =>
  (await listFacts(db, actor, { ...ALL, topic })).rows.map(({ content }) => content);
const refusedWith = (code: string) => (error: { code?: string }) => error.code === code;

/** Fields as a form sends them. */
function read(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

test('the same sentence twice is one fact, which is then for what was said last', async () => {
  const actor = await makeActor();
  const topic = await makeTopic(db, actor);
  const first = await addFact(db, actor, { content: 'We moved 14 shops in a year' });
  const again = await addFact(db, actor, { content: 'We moved 14 SHOPS in a year', topicId: topic.id });
  assert.deepEqual([first, again], [{ isNew: true }, { isNew: false }]);
  const { rows } = await listFacts(db, actor, ALL);
  assert.deepEqual(
    rows.map(({ topicId, kind }) => [topicId, kind]),
    [[topic.id, 'number']],
  );
  await addFact(db, actor, { content: 'We open on Sundays', kind: 'opinion' });
  const [other] = (await listFacts(db, actor, ALL)).rows;
  const change = { factId: other!.id, content: 'we moved 14 shops in a year' };
  await assert.rejects(changeFact(db, actor, change), refusedWith('known_fact'));
  await changeFact(db, actor, { ...change, content: 'We open on Mondays', topicId: topic.id });
  assert.deepEqual(await contentsOf(actor, topic.id), ['We open on Mondays', 'We moved 14 shops in a year']);
  assert.deepEqual(await contentsOf(actor, ALL_TOPICS), []);
  assert.deepEqual([...(await countFacts(db, actor))], [[topic.id, 2]]);
});

test('however many are added at once, there are at most so many facts', async () => {
  const actor = await makeActor();
  const facts = Array.from({ length: FACTS_MAX - 2 }, (_, n) => `Fact number ${n}`);
  await db
    .insertInto('facts')
    .values(facts.map((content) => ({ userId: actor.userId, content, kind: 'number' as const })))
    .execute();
  const added = await Promise.allSettled(
    [1, 2, 3, 4, 5].map((n) => addFact(db, actor, { content: `One more, ${n}` })),
  );
  assert.equal(added.filter(({ status }) => status === 'fulfilled').length, 2);
  await assert.rejects(addFact(db, actor, { content: 'And another' }), refusedWith('too_many_facts'));
  const answer = { question: 1, content: 'Nor by an answer' };
  await assert.rejects(answerQuestion(db, actor, answer), refusedWith('too_many_facts'));
  await addFact(db, actor, { content: 'fact number 3', kind: 'lesson' });
  const { rows, nextCursor } = await listFacts(db, actor, { limit: 100 });
  const next = await listFacts(db, actor, { limit: 100, cursor: nextCursor! });
  assert.equal(new Set([...rows, ...next.rows].map(({ id }) => id)).size, 200);
});

test('the same sentence added at once is one fact', async () => {
  const actor = await makeActor();
  await Promise.all([1, 2, 3].map(() => addFact(db, actor, { content: 'We sold 80 boats' })));
  assert.deepEqual(await contentsOf(actor), ['We sold 80 boats']);
});

test('what belongs to somebody else is not there', async () => {
  const [actor, other] = [await makeActor(), await makeActor()];
  const topic = await makeTopic(db, other);
  await addFact(db, other, { content: 'We sold 80 boats', topicId: topic.id });
  await addExample(db, other, `A text of mine about boats. ${'It goes on. '.repeat(20)}`);
  const [fact] = (await listFacts(db, other, ALL)).rows;
  const [example] = await listExamples(db, other.userId);
  const post = await makeScheduledPost(db, other);
  const content = 'Taken over';
  for (const id of [fact!.id, crypto.randomUUID(), 'no-uuid', '']) {
    await assert.rejects(changeFact(db, actor, { factId: id, content }), refusedWith('not_found'));
    await assert.rejects(deleteFact(db, actor, id), refusedWith('not_found'));
  }
  for (const topicId of [topic.id, 'no-uuid']) {
    await assert.rejects(addFact(db, actor, { content, topicId }), refusedWith('not_found'));
  }
  for (const id of [example!.id, 'no-uuid']) {
    await assert.rejects(removeExample(db, actor, id), refusedWith('not_found'));
  }
  for (const id of [post, 'no-uuid']) {
    await assert.rejects(addPostAsExample(db, actor, id), refusedWith('not_found'));
  }
  assert.deepEqual(await contentsOf(actor), []);
  assert.deepEqual(await contentsOf(actor, topic.id), []);
  assert.deepEqual(await listFactUses(db, actor, [fact!.id]), []);
  assert.deepEqual(await contentsOf(other), ['We sold 80 boats']);
});

test('facts of a topic that is deleted stay, and are for all topics then', async () => {
  const actor = await makeActor();
  const topic = await makeTopic(db, actor);
  await addFact(db, actor, { content: 'We sold 80 boats', topicId: topic.id });
  await deleteTopic(db, actor, topic.id);
  assert.deepEqual(await contentsOf(actor, ALL_TOPICS), ['We sold 80 boats']);
  const meanwhile = await makeTopic(db, actor, 'Boats');
  const both = await Promise.allSettled([
    deleteTopic(db, actor, meanwhile.id),
    ...[1, 2, 3].map((n) => addFact(db, actor, { content: `Added meanwhile ${n}`, topicId: meanwhile.id })),
  ]);
  for (const each of both) {
    assert.ok(each.status === 'fulfilled' || each.reason.code === 'not_found', JSON.stringify(each));
  }
});

test('of the facts that a post was given those that it says come last, and all after what no post was given', async () => {
  const actor = await makeActor();
  const { id: topicId } = await makeTopic(db, actor);
  for (const content of ['We sold 80 boats', 'We moved in March', 'I forgot the oars once'])
    await addFact(db, actor, { content });
  const turns = async () => (await listFactsByTurn(db, actor.userId, topicId, 10)).map(({ id }) => id);
  const [boats, moved, oars] = (await turns()) as [string, string, string];
  const give = async (given: string[], said: string[], day: number) => {
    const post = await makeScheduledPost(db, actor);
    await transact(db, (trx) => recordFactUses(trx, post, given, said, new Date(Date.UTC(2026, 0, day))));
  };
  await give([boats, moved, oars], [boats], 1);
  assert.deepEqual(await turns(), [moved, oars, boats]);
  await give([moved, oars, boats], [oars, moved], 2);
  assert.deepEqual(await turns(), [boats, moved, oars]);
  await addFact(db, actor, { content: 'We paint in winter' });
  const [first, ...others] = await turns();
  assert.ok(![boats, moved, oars].includes(first!));
  assert.deepEqual(others, [boats, moved, oars]);
});

test('a fact says where it was used, the latest posts first; deleting it loses no post', async () => {
  const actor = await makeActor();
  await addFact(db, actor, { content: 'We sold 80 boats' });
  const [fact] = (await listFacts(db, actor, ALL)).rows;
  const posts: string[] = [];
  for (let n = 0; n < 7; n += 1) {
    const post = await makeScheduledPost(db, actor, { content: `Post ${n}. ${'Long. '.repeat(60)}` });
    const createdAt = new Date(Date.UTC(2026, 0, 1 + n));
    await db.updateTable('posts').set({ createdAt }).where('id', '=', post).execute();
    await transact(db, (trx) => recordFactUses(trx, post, [fact!.id], [fact!.id], createdAt));
    posts.unshift(post);
  }
  const uses = await listFactUses(db, actor, [fact!.id]);
  assert.deepEqual(
    uses.map(({ postId }) => postId),
    posts.slice(0, 5),
  );
  assert.deepEqual([uses[0]!.total, uses[0]!.beginning.length], [7, 120]);
  const [latest] = posts;
  await transact(db, (trx) => recordFactUses(trx, latest!, [fact!.id], [], new Date()));
  const [before] = await listFactUses(db, actor, [fact!.id]);
  assert.deepEqual([before!.postId, before!.total], [posts[1], 6], 'its text is another one');
  await deleteFact(db, actor, fact!.id);
  const { count } = await db
    .selectFrom('posts')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
  assert.equal(Number(count), 7);
});

test('each answer becomes a fact, a later one takes its place, and none is counted twice', async () => {
  const actor = await makeActor();
  const answer = (question: number, content: string) => answerQuestion(db, actor, { question, content });
  const none = INTERVIEW.map(() => null);
  assert.deepEqual(await listAnswers(db, actor), none);
  await answer(2, '41 of 50 quotes are read on a phone');
  await answer(3, 'We priced by the hour for too long');
  await answer(2, '43 of 50 quotes are read on a phone');
  assert.deepEqual(await listAnswers(db, actor), [
    null,
    '43 of 50 quotes are read on a phone',
    'We priced by the hour for too long',
    null,
    null,
  ]);
  const { rows } = await listFacts(db, actor, ALL);
  assert.deepEqual(rows.map(({ kind, topicId }) => [kind, topicId]).toSorted(), [
    ['lesson', null],
    ['number', null],
  ]);
  // What was said already answers the question, too, and what answered it before stays a fact.
  await answer(2, 'we priced by the hour for too long');
  assert.deepEqual(await listAnswers(db, actor), [
    null,
    'We priced by the hour for too long',
    null,
    null,
    null,
  ]);
  assert.equal((await contentsOf(actor)).length, 2);
  assert.equal((await findVoice(db, actor.userId)).interviewedAt, null);
  const now = new Date('2026-11-20T10:00:00Z');
  await endInterview(db, actor, now);
  assert.deepEqual((await findVoice(db, actor.userId)).interviewedAt, now);
  await Promise.all([1, 2, 3].map((n) => answer(4, `Said at once ${n}`)));
  assert.equal((await contentsOf(actor)).length, 3);
});

test('an answer is one line, and is asked for unless the question is skipped', () => {
  const parse = (fields: Record<string, string>) => parseWithZod(read(fields), { schema: AnswerInput });
  const lines = parse({ content: ' Two lines \r\n of one answer ' });
  assert.equal(lines.status === 'success' && lines.value.content, 'Two lines of one answer');
  const empty = parse({ content: ' \n ' });
  assert.deepEqual(empty.status === 'error' && empty.error, {
    content: ['Please write an answer, or skip the question'],
  });
  assert.equal(parse({ content: '', skip: 'on' }).status, 'success');
});

test('the voice is what the form says, and an emptied field is empty', async () => {
  const actor = await makeActor();
  const save = async (fields: Record<string, string>) => {
    const sent = parseWithZod(read(fields), { schema: VoiceInput });
    assert.ok(sent.status === 'success', JSON.stringify(sent));
    await saveVoice(db, actor, sent.value);
    return findVoice(db, actor.userId);
  };
  const filled = {
    headline: 'Foreman',
    audience: 'site managers',
    wordsToAvoid: 'leverage, synergy,,leverage',
  };
  const voice = await save({ ...filled, language: 'de', hasEmoji: 'on' });
  assert.deepEqual(
    [voice.headline, voice.audience, voice.language, voice.wordsToAvoid, voice.hasEmoji],
    ['Foreman', 'site managers', 'de', ['leverage', 'synergy'], true],
  );
  const emptied = await save({
    headline: '',
    audience: '',
    wordsToAvoid: '',
    language: 'en',
    hasEmoji: 'off',
  });
  assert.deepEqual(
    [emptied.headline, emptied.audience, emptied.language, emptied.wordsToAvoid, emptied.hasEmoji],
    ['', '', 'en', [], false],
  );
});

test('hostile facts and voices are refused with a sentence, or kept without what cannot be seen', () => {
  const fact = (content: string) => parseWithZod(read({ content }), { schema: FactInput });
  const voice = (fields: Record<string, string>) => parseWithZod(read(fields), { schema: VoiceInput });
  const long = fact('x'.repeat(10_000));
  assert.deepEqual(long.status === 'error' && long.error?.content, [
    `A fact can have at most ${FACT_MAX} characters`,
  ]);
  const lines = fact('two \r\n lines\n');
  assert.equal(lines.status === 'success' && lines.value.content, 'two lines');
  assert.equal(fact('\u0000nothing').status, 'error');
  assert.equal(fact('\u202e \u0007').status, 'error');
  const shown = fact('\u202eWe <b>sold</b>\u0007 80 🚤 \u2066boats\u2069, قوارب');
  assert.equal(shown.status === 'success' && shown.value.content, 'We <b>sold</b> 80 🚤 boats, قوارب');
  for (const name of ['headline', 'audience', 'voiceNotes', 'wordsToUse', 'wordsToAvoid']) {
    assert.equal(voice({ [name]: 'x'.repeat(10_000) }).status, 'error', name);
    assert.equal(voice({ [name]: 'a\0' }).status, 'error', name);
  }
  assert.equal(voice({ language: 'tlh' }).status, 'error');
  assert.equal(voice({ wordsToUse: Array.from({ length: 31 }, (_, n) => `w${n}`).join() }).status, 'error');
  assert.equal(parseWithZod(read({ content: 'Too short' }), { schema: ExampleInput }).status, 'error');
});

const OWN = `On Tuesdays I walk the site with the crew before the cranes start.\n\n${'Nobody brings a tablet: whoever found the fault shows it with a hand on the wall. '.repeat(3)}`;
const OURS = `A weekly plan should fit on a postcard.\n\n${'A small team can carry three things to the end in a week, and it knows which on Monday. '.repeat(4)}`;

async function makeWritten(actor: Someone, content = OURS) {
  const post = await makeScheduledPost(db, actor, { content });
  await transact(db, (trx) =>
    storeBrief(trx, { postId: post, userId: actor.userId }, composedOf(content), new Date()),
  );
  return post;
}

test('an example is a text of one’s own, never one of ours with a few characters changed', async () => {
  const actor = await makeActor();
  const post = await makeWritten(actor);
  for (const text of [OURS, OURS.replace('postcard.', 'postcard!'), `${OURS} Agreed.`]) {
    await assert.rejects(addExample(db, actor, text), refusedWith('not_own_words'));
  }
  await assert.rejects(addPostAsExample(db, actor, post), refusedWith('not_own_words'));
  const edit = (content: string) =>
    db.updateTable('posts').set({ content, editedAt: new Date() }).where('id', '=', post).execute();
  await edit(OURS.replace('postcard.', 'postcard!'));
  await assert.rejects(addPostAsExample(db, actor, post), refusedWith('not_own_words'));
  await assert.rejects(addExample(db, actor, OURS), refusedWith('not_own_words'));
  await edit(OWN);
  await addPostAsExample(db, actor, post);
  await addExample(db, actor, OWN);
  assert.deepEqual(
    (await listExamples(db, actor.userId)).map(({ content }) => content),
    [OWN],
  );
  // A post of before this was noted, which nobody has edited.
  const old = `Cancel the status meeting and keep the questions.\n\n${'In writing the same answers take each person a few minutes. '.repeat(5)}`;
  await makeScheduledPost(db, actor, { content: old });
  await assert.rejects(addExample(db, actor, `${old}!`), refusedWith('not_own_words'));
});

test('a text that another one took the place of is none of one’s own either', async () => {
  const actor = await makeActor();
  const post = await makeWritten(
    actor,
    `Something else altogether. ${'It says this and that of boats. '.repeat(8)}`,
  );
  const key = { postId: post, userId: actor.userId };
  const keep = (content: string, made: object | null) =>
    transact(db, (trx) =>
      storeVersion(trx, key, { content, hashtags: [], made: made && { ...made } }, new Date()),
    );
  await keep(`${OWN} It was ours once.`, { content: OURS });
  await keep(OWN, null);
  await assert.rejects(
    addExample(db, actor, OURS.replace('postcard.', 'postcard!')),
    refusedWith('not_own_words'),
  );
  await addExample(db, actor, OWN);
});

test('however many are given at once, there are at most so many examples', async () => {
  const actor = await makeActor();
  const texts = Array.from({ length: EXAMPLES_MAX + 3 }, (_, n) => `${n}: ${OWN}`);
  const given = await Promise.allSettled(texts.map((text) => addExample(db, actor, text)));
  assert.equal(given.filter(({ status }) => status === 'fulfilled').length, EXAMPLES_MAX);
  const [first, ...others] = await listExamples(db, actor.userId);
  await removeExample(db, actor, first!.id);
  assert.deepEqual(await listExamples(db, actor.userId), others);
});
