import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { getQueue } from '#app/domain/pages/posts.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { VERSIONS_MAX } from '#app/domain/posts/limits.ts';
import { listVersions, storeVersion } from '#app/domain/posts/versions.ts';
import { approvePost } from '#app/domain/publishing/approval/approve.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { skipPost } from '#app/domain/publishing/slots/move.ts';
import { undo } from '#app/domain/publishing/slots/undo.ts';
import { deleteTopic } from '#app/domain/topics/topics.ts';
import { addExample } from '#app/domain/voice/voice.ts';
import { findBrief } from '#app/domain/writing/generate/brief-store.ts';
import { FREE_REWRITES_A_DAY_MAX } from '#app/domain/writing/limits.ts';
import { findFreePosts } from '#app/domain/writing/quota.ts';
import {
  findLatestRewrite,
  listTexts,
  ORIGINAL_TEXT,
  requestRewrite,
  restoreVersion,
} from '#app/domain/writing/rewrite/rewrite.ts';
import { cancelRun } from '#app/domain/writing/runs/cancel.ts';
import { claimRun } from '#app/domain/writing/runs/claim.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { writeRun } from '#app/domain/writing/runs/write-run.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, makeTopic, readPost, standAs } from '#tests/fixtures/posts.ts';
import { writeWhole } from '#tests/fixtures/runs.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { serve } from '#tests/harness/outside/sandbox.ts';

type Message = { role: string; content: string };
let heard: Message[] = [];
let says = '';
let isBusy = false;
process.env.OPENAI_BASE_URL = await serve(async (request, response) => {
  heard = JSON.parse(await text(request)).messages;
  if (isBusy) return response.writeHead(503).end('{}');
  const post = { content: says, hashtags: ['Planning', 'Focus', 'Teams'], claims: [], findings: [] };
  const message = { role: 'assistant', content: JSON.stringify({ ...post, thesis: says.slice(0, 40) }) };
  response.setHeader('Content-Type', 'application/json');
  return response.end(JSON.stringify({ model: 'test', choices: [{ finish_reason: 'stop', message }] }));
});
const { db } = await testDatabase();

const FIRST = `Planning starts with the page that everybody can see.\n\n${'Put the work of the week on it and cross out what is done before anything is added. '.repeat(3)}`;
const SECOND = `The calendar on the door decides what planning is worth.\n\n${'Whoever enters reads it first, and asks about the empty line in the middle of the month. '.repeat(3)}`;

async function author() {
  const actor = await makeUser(db, {});
  const topic = await makeTopic(db, actor);
  await makePlan(db, actor, 1, new Date());
  says = FIRST;
  const { id } = await generateNow(db, actor, { count: 1 });
  await writeWhole(db, id);
  const { id: postId } = await db
    .selectFrom('posts')
    .select('id')
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
  return { actor, topic, postId };
}

async function again(actor: Actor, postId: string, content: string, instruction = '') {
  says = content;
  const { id } = await requestRewrite(db, actor, { postId, instruction });
  await writeRun(db, id);
  return db.selectFrom('generationRuns').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

const contents = async (actor: Actor, postId: string) =>
  (await listVersions(db, actor.userId, postId)).map(({ content }) => content);

test('another post comes in the place of one, and the one before is kept and comes back', async () => {
  const { actor, postId } = await author();
  const run = await again(actor, postId, SECOND);
  assert.deepEqual([run.status, run.done, run.failed, run.error], ['complete', 1, 0, null]);
  assert.equal((await readPost(db, postId)).content, SECOND.trim());
  assert.deepEqual(await contents(actor, postId), [FIRST.trim()]);
  assert.equal((await findBrief(db, actor.userId, postId))!.content, SECOND.trim());
  const [version] = await listVersions(db, actor.userId, postId);
  await restoreVersion(db, actor, { postId, versionId: version!.id });
  assert.equal((await readPost(db, postId)).content, FIRST.trim());
  assert.deepEqual(await contents(actor, postId), [SECOND.trim()]);
  assert.equal((await findBrief(db, actor.userId, postId))!.content, FIRST.trim());
});

test('an instruction goes to the writer with the text as it stands, as data', async () => {
  const { actor, postId } = await author();
  const before = await findBrief(db, actor.userId, postId);
  const edited = `${FIRST.trim()} It took 37 weeks.`;
  await editPost(db, actor, { postId, content: edited });
  const run = await again(actor, postId, `${SECOND} After 37 weeks.`, 'Make it shorter');
  assert.equal(run.error, null, 'a number that its author put in may stay');
  assert.ok(heard.some(({ role, content }) => role === 'assistant' && content === edited));
  const [, marker] = /<(data-[\w-]+)>/.exec(heard[1]!.content)!;
  const at = heard[1]!.content.indexOf('Instruction: Make it shorter');
  assert.ok(at > heard[1]!.content.indexOf(`<${marker}>`) && at < heard[1]!.content.indexOf(`</${marker}>`));
  const after = await findBrief(db, actor.userId, postId);
  assert.deepEqual(after!.brief, { ...before!.brief, instruction: 'Make it shorter' });
  assert.deepEqual(await contents(actor, postId), [edited]);
});

test('the same text once more is no new one, and says so', async () => {
  const { actor, postId } = await author();
  const { revision } = await readPost(db, postId);
  const run = await again(actor, postId, FIRST, 'Make it shorter');
  assert.deepEqual([run.status, run.done], ['complete', 0]);
  assert.match(run.error!, /^The writer gave the same text again/);
  assert.equal((await readPost(db, postId)).revision, revision);
  assert.deepEqual(await contents(actor, postId), []);
});

test('a text may be like the one that it takes the place of', async () => {
  const { actor, postId } = await author();
  const shorter = FIRST.trim().slice(0, 240);
  await again(actor, postId, shorter, 'Make it shorter');
  assert.equal((await readPost(db, postId)).content, shorter);
  await addExample(db, actor, SECOND);
  await editPost(db, actor, { postId, content: SECOND.trim() });
  const less = SECOND.trim().slice(0, 240);
  assert.equal((await again(actor, postId, less, 'Make it shorter')).error, null);
});

test('pressed twice at once it is written once', async () => {
  const { actor, postId } = await author();
  const runs = await Promise.all([1, 2, 3].map(() => requestRewrite(db, actor, { postId, instruction: '' })));
  assert.equal(new Set(runs.map(({ id }) => id)).size, 1);
  says = SECOND;
  await Promise.all([writeRun(db, runs[0]!.id), writeRun(db, runs[0]!.id)]);
  await writeRun(db, runs[0]!.id);
  assert.deepEqual(await contents(actor, postId), [FIRST.trim()]);
});

test('what is asked while something else is being written is refused, and not passed over', async () => {
  const { actor, postId } = await author();
  const { id } = await requestRewrite(db, actor, { postId, instruction: 'Make it shorter' });
  await assert.rejects(requestRewrite(db, actor, { postId, instruction: 'End with a question' }), {
    code: 'being_written',
    field: 'instruction',
  });
  assert.equal((await requestRewrite(db, actor, { postId, instruction: 'Make it shorter' })).id, id);
  assert.deepEqual(await cancelRun(db, actor, id), { postId, isStopped: true });
  assert.match((await findLatestRewrite(db, actor, postId, new Date()))!.error!, /You stopped it/);
  const next = await requestRewrite(db, actor, { postId, instruction: 'End with a question' });
  assert.notEqual(next.id, id);
});

test('a text that its author changed can be had as it was written, and their words are kept', async () => {
  const { actor, postId } = await author();
  const texts = async () => {
    const { content, hashtags } = await readPost(db, postId);
    const post = { id: postId, userId: actor.userId, content, hashtags };
    return (await listTexts(db, post)).map(({ id, content }) =>
      id === ORIGINAL_TEXT ? `* ${content}` : content,
    );
  };
  assert.deepEqual(await texts(), []);
  await assert.rejects(restoreVersion(db, actor, { postId, versionId: ORIGINAL_TEXT }), {
    code: 'not_found',
  });
  await editPost(db, actor, { postId, content: 'My own words about planning.', hashtags: ['Mine'] });
  assert.deepEqual(await texts(), [`* ${FIRST.trim()}`]);
  await restoreVersion(db, actor, { postId, versionId: ORIGINAL_TEXT });
  const { content, hashtags } = await readPost(db, postId);
  assert.deepEqual([content, hashtags], [FIRST.trim(), ['Mine']]);
  assert.equal((await findBrief(db, actor.userId, postId))!.content, FIRST.trim());
  assert.deepEqual(await texts(), ['My own words about planning.']);
  const [own] = await listVersions(db, actor.userId, postId);
  await restoreVersion(db, actor, { postId, versionId: own!.id });
  assert.deepEqual(await texts(), [FIRST.trim()], 'once');
});

test('what was changed meanwhile stands, and the new text is kept beside it', async () => {
  const { actor, postId } = await author();
  const { id } = await requestRewrite(db, actor, { postId, instruction: '' });
  await editPost(db, actor, { postId, content: 'My own words about planning.' });
  says = SECOND;
  await writeRun(db, id);
  assert.equal((await readPost(db, postId)).content, 'My own words about planning.');
  assert.deepEqual(await contents(actor, postId), [SECOND.trim()]);
  assert.match((await findLatestRewrite(db, actor, postId, new Date()))!.error!, /your text stands/);
});

test('a post that is out, sent by hand or deleted keeps its text', async () => {
  for (const standing of [
    { status: 'published', dueAt: null, postedAt: new Date() },
    { isManual: true },
  ] as const) {
    const { actor, postId } = await author();
    const { id } = await requestRewrite(db, actor, { postId, instruction: '' });
    await standAs(db, postId, standing);
    says = SECOND;
    await writeRun(db, id);
    assert.equal((await readPost(db, postId)).content, FIRST.trim());
    assert.deepEqual(await contents(actor, postId), [SECOND.trim()]);
  }
  const { actor, postId } = await author();
  await standAs(db, postId, { status: 'published', dueAt: null });
  await assert.rejects(requestRewrite(db, actor, { postId, instruction: '' }), { code: 'already_published' });
});

test('a text that nobody has read waits for approval where posts do, also in a post that was approved', async () => {
  const { actor, postId } = await author();
  await saveSettings(db, actor, { requireApproval: true });
  await approvePost(db, actor, postId);
  await again(actor, postId, SECOND);
  assert.equal((await readPost(db, postId)).status, 'pending');
  await approvePost(db, actor, postId);
  const [version] = await listVersions(db, actor.userId, postId);
  await restoreVersion(db, actor, { postId, versionId: version!.id });
  assert.equal((await readPost(db, postId)).status, 'generated', 'its owner chose that text');
});

/** The slot that a post has. */
async function slotOfPost(postId: string) {
  const { slotDate, slotNumber } = await readPost(db, postId);
  return { date: slotDate!, number: slotNumber! };
}

test('what was approved and skipped waits for approval again once it has another text', async () => {
  const { actor, postId } = await author();
  await saveSettings(db, actor, { requireApproval: true });
  await approvePost(db, actor, postId);
  const was = await slotOfPost(postId);
  await skipPost(db, actor, postId);
  await again(actor, postId, SECOND);
  await undo(db, actor, { of: 'skip', postId, was, is: null });
  assert.equal((await readPost(db, postId)).status, 'pending');
});

test('an approved post waits again although its topic, which asked for that, is gone', async () => {
  const { actor, topic, postId } = await author();
  await db.updateTable('topics').set({ approval: 'approve' }).where('id', '=', topic.id).execute();
  await standAs(db, postId, { status: 'pending' });
  await approvePost(db, actor, postId);
  says = SECOND;
  const { id } = await requestRewrite(db, actor, { postId, instruction: '' });
  await deleteTopic(db, actor, topic.id);
  await writeRun(db, id);
  const { content, status } = await readPost(db, postId);
  assert.deepEqual([content, status], [SECOND.trim(), 'pending']);
});

test('a text that waits for approval is mailed anew when it is another one', async () => {
  const { actor, postId } = await author();
  await saveSettings(db, actor, { requireApproval: true });
  const at = new Date();
  const { dueAt } = await readPost(db, postId);
  await standAs(db, postId, { status: 'pending', approvalRequestedAt: at, approvalRequestedFor: dueAt });
  await again(actor, postId, SECOND);
  const { approvalRequestedAt, approvalRequestedFor } = await readPost(db, postId);
  assert.deepEqual([approvalRequestedAt, approvalRequestedFor], [null, null]);
});

test('a few posts of one user are written again at once, and the others wait their turn', async () => {
  const { actor, postId, topic } = await author();
  const postIds = [postId];
  for (const day of [1, 2, 3]) {
    const id = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + day * 86_400_000) });
    await db.updateTable('posts').set({ topicId: topic.id }).where('id', '=', id).execute();
    postIds.push(id);
  }
  const runs = [];
  for (const id of postIds) runs.push(await requestRewrite(db, actor, { postId: id, instruction: '' }));
  const claimed = await Promise.all(runs.map(({ id }) => claimRun(db, id, new Date())));
  assert.equal(claimed.filter(Boolean).length, 3);
});

test('a writer that is away is waited for, and a bad text says why', async () => {
  const { actor, postId } = await author();
  isBusy = true;
  const waiting = await again(actor, postId, SECOND);
  isBusy = false;
  assert.equal(waiting.status, 'running');
  says = 'Too short.';
  await writeRun(db, waiting.id);
  const run = (await findLatestRewrite(db, actor, postId, new Date()))!;
  assert.deepEqual([run.status, run.done], ['complete', 0]);
  assert.match(run.error!, /not good enough/);
  assert.equal((await readPost(db, postId)).content, FIRST.trim());
});

test('it takes no free post, is no run of the day, and without a plan goes so often a day', async () => {
  const { actor, postId } = await author();
  const free = await findFreePosts(db, actor);
  await again(actor, postId, SECOND);
  assert.deepEqual(await findFreePosts(db, actor), free);
  const { run } = await getQueue(db, actor, new Date());
  assert.notEqual(run!.id, (await findLatestRewrite(db, actor, postId, new Date()))!.id);
  await db.deleteFrom('payments').where('userId', '=', actor.userId).execute();
  for (let at = 1; at < FREE_REWRITES_A_DAY_MAX; at += 1) await again(actor, postId, `${SECOND} ${at}`);
  await assert.rejects(requestRewrite(db, actor, { postId, instruction: '' }), { code: 'rate_limited' });
});

test("nobody else's post or version can be reached, and a post without a topic goes by its brief", async () => {
  const { actor, topic, postId } = await author();
  const other = await makeUser(db, {});
  await again(actor, postId, SECOND);
  const [version] = await listVersions(db, actor.userId, postId);
  await assert.rejects(requestRewrite(db, other, { postId, instruction: '' }), { code: 'not_found' });
  await assert.rejects(restoreVersion(db, other, { postId, versionId: version!.id }), { code: 'not_found' });
  await assert.rejects(restoreVersion(db, actor, { postId, versionId: 'x' }), { code: 'not_found' });
  await deleteTopic(db, actor, topic.id);
  await again(actor, postId, FIRST);
  assert.equal((await readPost(db, postId)).content, FIRST.trim());
  await db.deleteFrom('briefs').where('postId', '=', postId).execute();
  await assert.rejects(requestRewrite(db, actor, { postId, instruction: '' }), { code: 'no_topic' });
});

test('of texts that were kept before the clock was set back and after, the latest stands first and stays', async () => {
  const { actor, postId } = await author();
  const { userId } = actor;
  const now = Date.now();
  const keep = (content: string, at: number) =>
    transact(db, (trx) =>
      storeVersion(trx, { postId, userId }, { content, hashtags: [], made: { content } }, new Date(at)),
    );
  for (let nth = 0; nth < VERSIONS_MAX; nth += 1) await keep(`Text ${nth}.`, now + nth);
  await keep('After the clock was set back.', now - 11 * 60_000);
  await keep('And the next one.', now - 11 * 60_000);
  assert.deepEqual((await contents(actor, postId)).slice(0, 3), [
    'And the next one.',
    'After the clock was set back.',
    `Text ${VERSIONS_MAX - 1}.`,
  ]);
});

test('ten texts of a post are kept, and the words of its author the longest', async () => {
  const actor = await makeUser(db, {});
  const keep = async (postId: string, all: { name: string; isOwn: boolean }[]) => {
    for (const [at, { name, isOwn }] of all.entries()) {
      const version = { content: name, hashtags: [], made: isOwn ? null : { content: name } };
      const key = { postId, userId: actor.userId };
      await transact(db, (trx) => storeVersion(trx, key, version, new Date(Date.now() + at * 1_000)));
    }
    return (await contents(actor, postId)).toReversed();
  };
  const named = (word: string, count: number, isOwn: boolean) =>
    Array.from({ length: count }, (_, nth) => ({ name: `${word} ${nth + 1}`, isOwn }));
  const mixed = await makeScheduledPost(db, actor);
  const kept = await keep(mixed, [...named('Own', 2, true), ...named('Written', 10, false)]);
  assert.deepEqual(kept.slice(0, 3), ['Own 1', 'Own 2', 'Written 3']);
  assert.equal(kept.length, VERSIONS_MAX);
  const owned = await makeScheduledPost(db, actor);
  const own = await keep(owned, named('Own', 11, true));
  assert.deepEqual([own[0], own.length], ['Own 2', VERSIONS_MAX]);
  const last = await keep(owned, [{ name: 'Written', isOwn: false }]);
  assert.deepEqual(
    [last.includes('Written'), last.includes('Own 2'), last.length],
    [true, false, VERSIONS_MAX],
  );
  const changed = await makeScheduledPost(db, actor);
  const edited = { content: 'Edited', hashtags: [], made: { content: 'As it was written' } };
  await transact(db, (trx) =>
    storeVersion(trx, { postId: changed, userId: actor.userId }, edited, new Date(0)),
  );
  const beside = await keep(changed, named('Written', 11, false));
  assert.deepEqual(
    [beside[0], beside.length],
    ['Edited', VERSIONS_MAX],
    'also those put into a written text',
  );
  const ofOther = await makeScheduledPost(db, actor);
  await keep(ofOther, named('Own', 1, true));
  assert.equal((await contents(actor, owned)).length, VERSIONS_MAX, 'each post has its own');
});
