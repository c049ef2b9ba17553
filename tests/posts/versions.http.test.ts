import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { listVersions, storeVersion } from '#app/domain/posts/versions.ts';
import { approvePost } from '#app/domain/publishing/approval/approve.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { storeBrief } from '#app/domain/writing/generate/brief-store.ts';
import { compareTexts } from '#app/routes/posts/versions/diff.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeScheduledPost, readPost, standAs, takeOut } from '#tests/fixtures/posts.ts';
import { composedOf } from '#tests/fixtures/runs.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const { db, url: databaseUrl } = await testDatabase();
let origin: string;
before(async () => {
  origin = (await startWeb({ databaseUrl })).url;
});

/** Kept one after the other, the first one first. */
async function keep(actor: Actor, postId: string, texts: string[]) {
  for (const [at, content] of texts.entries()) {
    const version = { content, hashtags: [], made: null };
    const key = { postId, userId: actor.userId };
    await transact(db, (trx) => storeVersion(trx, key, version, new Date(Date.now() + at * 1_000)));
  }
}

test('of the versions of a post one is open beside its text, and the others are links that open them', async () => {
  const actor = await makeUser(db);
  const postId = await makeScheduledPost(db, actor, { content: 'The plan as it is.', hashtags: [] });
  await keep(actor, postId, ['The plan as it was.', 'A plan of forty pages.']);
  const [latest, older] = await listVersions(db, actor.userId, postId);
  const browser = await browserOf(db, actor, origin);
  const address = `/app/posts/${postId}/versions`;
  /** The help opens above whatever is asked for. */
  const read = async (search = '') =>
    mainOf(await browser.read(address + search)).replace(/"[^"]*help=support"/, '""');
  const restoring = (html: string) => html.match(/action="[^"]*versions\/[^"]*"/g);
  const linking = (html: string) => html.match(/\?version=[^"]*/g);

  const first = await read();
  assert.deepEqual(restoring(first), [`action="${address}/${latest!.id}"`]);
  assert.deepEqual(linking(first), [`?version=${older!.id}#version-${older!.id}`]);
  const other = await read(`?version=${older!.id}`);
  assert.deepEqual(restoring(other), [`action="${address}/${older!.id}"`]);
  assert.deepEqual(linking(other), [`?version=${latest!.id}#version-${latest!.id}`]);
  assert.match(other, /<mark>was<\/mark>/);
  assert.equal(await read('?version=another'), first);
});

test('the page of the texts of a post stands where its post does', async () => {
  const actor = await makeUser(db);
  const postId = await makeScheduledPost(db, actor);
  const browser = await browserOf(db, actor, origin);
  const here = async () => {
    const html = await browser.read(`/app/posts/${postId}/versions`);
    const links = html.match(/<a\b[^>]*aria-current="page"[^>]*>/g) ?? [];
    return links.map((link) => /href="([^"]*)"/.exec(link)![1]);
  };
  assert.deepEqual(await here(), ['/app/scheduled', '/app/scheduled']);
  await standAs(db, postId, { status: 'published', postedAt: new Date() });
  await takeOut(db, postId);
  assert.deepEqual(await here(), ['/app/posts', '/app/posts']);
});

/** Somebody with a post, its page, and a run that writes it again. */
async function rewriting(run: { status: 'queued' | 'complete'; instruction: string; error?: string }) {
  const actor = await makeUser(db);
  const postId = await makeScheduledPost(db, actor, { content: 'We sold 80 boats.', hashtags: [] });
  const { id } = await db
    .insertInto('generationRuns')
    .values({
      userId: actor.userId,
      postId,
      requested: 0,
      createdAt: new Date(),
      ...run,
      finishedAt: run.status === 'complete' ? new Date() : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const browser = await browserOf(db, actor, origin);
  const address = `/app/posts/${postId}/versions`;
  const read = async () => mainOf(await browser.read(address));
  return { actor, postId, id, browser, address, read };
}

test('while it is written nothing else is asked, and it can be stopped', async () => {
  const { id, browser, address, read } = await rewriting({
    status: 'queued',
    instruction: 'Say <b>less</b>',
  });
  const html = await read();
  assert.match(
    wordsOf(html),
    /Writing it again.*You asked: “ Say &lt;b&gt;less&lt;\/b&gt; ”\..*Stop writing/,
  );
  assert.ok(!html.includes('name="instruction"') && !html.includes('Make it shorter'));
  const refused = await browser.post(address, { instruction: 'Open with the letter' });
  assert.equal(refused.status, 409);
  const answer = await refused.text();
  const long = await browser.post(address, { instruction: 'x'.repeat(10_000) });
  const kept = await long.text();
  assert.match(kept, /What to change can have at most 300 characters/);
  assert.ok(kept.includes('x'.repeat(10_000)));
  assert.match(wordsOf(answer), /This post is being written again already/);
  assert.ok(answer.includes('Open with the letter'), 'what was typed is there still');
  const stopped = await browser.post(`/app/runs/${id}/stop`);
  assert.equal(stopped.headers.get('Location'), address);
  assert.match(wordsOf(await read()), /The text stays as it was You asked: “ Say .* ”\. You stopped it\./);
});

test('what was asked for and did not come about is said, and stands in the field again', async () => {
  const error = 'The new text was not good enough: it is too long';
  const own = await rewriting({ status: 'complete', instruction: 'Open with the letter', error });
  const html = await own.read();
  assert.match(
    wordsOf(html),
    /You asked: “ Open with the letter ”\. The new text was not good enough: it is too long\./,
  );
  assert.match(html, /<textarea[^>]*name="instruction"[^>]*>Open with the letter</);
  const version = { content: 'Another', hashtags: [], made: null };
  const key = { postId: own.postId, userId: own.actor.userId };
  await transact(db, (trx) => storeVersion(trx, key, version, new Date(Date.now() + 60_000)));
  assert.doesNotMatch(await own.read(), /You asked/, 'the text was another one since');
  const preset = await rewriting({ status: 'complete', instruction: 'Make it shorter', error });
  assert.match(await preset.read(), /<textarea[^>]*name="instruction"[^>]*><\/textarea>/);
});

test('a text says how specific it is, and as it was written it can be had again', async () => {
  const { actor, postId, read, browser, address } = await rewriting({ status: 'complete', instruction: 'x' });
  const composed = { ...composedOf('We sold 80 boats.'), score: 62, reasons: ['Gives a figure: 80'] };
  await transact(db, (trx) => storeBrief(trx, { postId, userId: actor.userId }, composed, new Date()));
  assert.match(wordsOf(await read()), /Specific: 62 of 100 · Gives a figure: 80/);
  assert.doesNotMatch(wordsOf(await read()), /A new text waits for your approval/);
  await standAs(db, postId, { status: 'pending' });
  assert.match(wordsOf(await read()), /A new text waits for your approval, as this one does\./);
  await approvePost(db, actor, postId);
  assert.match(wordsOf(await read()), /You approved this text\. A new one waits for your approval again\./);
  await db.updateTable('postSchedules').set({ approvedAt: null }).where('postId', '=', postId).execute();
  assert.doesNotMatch(wordsOf(await read()), /approval/);
  await standAs(db, postId, { status: 'failed', needsApproval: true });
  assert.match(wordsOf(await read()), /A new text waits for your approval before it goes out\./);
  await standAs(db, postId, { status: 'pending' });
  await editPost(db, actor, { postId, content: 'We sold boats.' });
  const words = wordsOf(await read());
  assert.match(words, /before you changed it · specific: 62 of 100/);
  assert.match(words, /As it was written, specific: 62 of 100/);
  assert.match(words, /We sold 80 boats\. As it was written, before you changed it/);
  await browser.post(`${address}/written`);
  assert.equal((await readPost(db, postId)).content, 'We sold 80 boats.');
});

const marked = (pieces: ReturnType<typeof compareTexts>['one']) =>
  pieces.filter(({ isOnlyHere }) => isOnlyHere).map(({ text }) => text);

test('of what differs the words are marked, and not the space around them', () => {
  const { one, other } = compareTexts('One line. Write to her.\n\nThe end.', 'One line.\n\nThe end. Or not.');
  assert.deepEqual([marked(one), marked(other)], [['Write to her.'], ['Or not.']]);
  assert.equal(one.map(({ text }) => text).join(''), 'One line. Write to her.\n\nThe end.');
});

test('words that differ side by side are one mark, and one in each line', () => {
  const most = compareTexts('We sold 80 boats.\nIn May.', 'They built two sheds.\nIn spring.');
  assert.deepEqual(marked(most.one), ['We sold 80 boats', 'May']);
});

test('texts that differ much are shown whole, and soon', () => {
  const one = Array.from({ length: 1_500 }, (_, at) => 'abcdefghij'[(at * 7) % 10]).join(' ');
  const other = Array.from({ length: 1_500 }, (_, at) => 'klmnopqrst'[(at * 3) % 10]).join(' ');
  const began = process.cpuUsage();
  const pair = compareTexts(one, other);
  const { user, system } = process.cpuUsage(began);
  assert.deepEqual(pair.one, [{ text: one, isOnlyHere: true }]);
  assert.deepEqual(pair.other, [{ text: other, isOnlyHere: true }]);
  assert.ok(user + system < 150_000, `${(user + system) / 1_000} ms of CPU`);
});

test('a text that is given back twice at once stands once, and the second press is told so', async () => {
  const actor = await makeUser(db);
  const postId = await makeScheduledPost(db, actor, { content: 'The plan as it is.', hashtags: [] });
  await keep(actor, postId, ['The plan as it was.']);
  const [version] = await listVersions(db, actor.userId, postId);
  const browser = await browserOf(db, actor, origin);
  const address = `/app/posts/${postId}/versions`;
  await browser.post(`${address}/${version!.id}`);
  await browser.read(address);
  await browser.post(`${address}/${version!.id}`);
  assert.match(
    wordsOf(await browser.read(address)),
    /This text is not kept here any more: the post has it now, or newer ones took its place/,
  );
  assert.equal((await readPost(db, postId)).content, 'The plan as it was.');
  assert.deepEqual(
    (await listVersions(db, actor.userId, postId)).map(({ content }) => content),
    ['The plan as it is.'],
  );
});
