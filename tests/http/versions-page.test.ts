import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { keepVersion, listVersions } from '#app/domain/posts/post-versions.ts';
import { compareTexts } from '#app/routes/rewriting/compare.ts';
import { testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';
import { mainOf } from '#tests/make/browser.ts';
import { makeScheduledPost } from '#tests/make/posts.ts';
import { browserOf } from '#tests/make/sessions.ts';
import { startWeb } from '#tests/web.ts';

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
    await transact(db, (trx) => keepVersion(trx, key, version, new Date(Date.now() + at * 1_000)));
  }
}

test('of the versions of a post one is open beside its text, and the others are links that open them', async () => {
  const actor = await makeUser(db);
  const postId = await makeScheduledPost(db, actor, { content: 'The plan as it is.', hashtags: [] });
  await keep(actor, postId, ['The plan as it was.', 'A plan of forty pages.']);
  const [latest, older] = await listVersions(db, actor.userId, postId);
  const browser = await browserOf(db, actor, origin);
  const address = `/app/posts/${postId}/versions`;
  const read = async (search = '') => mainOf(await browser.read(address + search));
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
