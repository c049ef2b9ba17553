import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALT_TEXT_MAX } from '#app/domain/posts/limits.ts';
import { PostChange } from '#app/domain/posts/schema.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeScheduledPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';

process.env.ALLOW_PRIVATE_IMAGES = '1';
const { db } = await testDatabase();
const imageUrl = 'https://example.com/pier.png';

test('the description of a picture is set, changed, kept and taken away', async () => {
  const actor = await makeUser(db);
  const postId = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + 86_400_000) });
  const change = async (input: object) =>
    (await editPost(db, actor, { ...PostChange.parse(input), postId })).altText;
  assert.equal(await change({ imageUrl, altText: ' A pier\r\nat dawn ' }), 'A pier\nat dawn');
  assert.equal(await change({ content: 'Other words' }), 'A pier\nat dawn');
  assert.equal(await change({ imageUrl }), 'A pier\nat dawn');
  assert.equal(await change({ altText: 'A pier' }), 'A pier');
  assert.equal(await change({ altText: '  ' }), null);
  await change({ altText: 'A pier' });
  assert.equal(await change({ altText: null }), null);
});

test('a new picture does not keep the description of the old one', async () => {
  const actor = await makeUser(db);
  const postId = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + 86_400_000) });
  const change = (input: object) => editPost(db, actor, { ...PostChange.parse(input), postId });
  await change({ imageUrl, altText: 'A pier' });
  assert.equal((await change({ imageUrl: 'https://example.com/harbour.png' })).altText, null);
  await change({ altText: 'A harbour' });
  assert.equal((await change({ imageUrl: null })).altText, null);
  assert.equal((await change({ imageUrl, altText: 'A pier again' })).altText, 'A pier again');
});

test("a description is at most as long as LinkedIn's limit and holds what can be stored", () => {
  assert.equal(ALT_TEXT_MAX, 4_086);
  assert.ok(PostChange.safeParse({ altText: 'x'.repeat(ALT_TEXT_MAX) }).success);
  for (const [altText, words] of [
    ['x'.repeat(ALT_TEXT_MAX + 1), /at most 4,086 characters/],
    ['a\0b', /invisible characters/],
  ] as const) {
    const refused = PostChange.safeParse({ altText });
    assert.match(refused.error!.issues[0]!.message, words);
    assert.deepEqual(refused.error!.issues[0]!.path, ['altText']);
  }
});
