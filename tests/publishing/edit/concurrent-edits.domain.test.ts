import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { PostForm } from '#app/domain/posts/schema.ts';
import { approvePost } from '#app/domain/publishing/approval/approve.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { postAgain, publishNow, retryPost } from '#app/domain/publishing/manual/publish-now.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeConnection } from '#tests/fixtures/linkedin.ts';
import { makeScheduledPost, standAs } from '#tests/fixtures/posts.ts';
import { atOnce } from '#tests/harness/concurrency.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();

async function begin() {
  const actor = await makeUser(db);
  const postId = await makeScheduledPost(db, actor, { content: 'As it was written.', hashtags: ['One'] });
  const save = (change: object) => editPost(db, actor, { ...change, postId });
  const read = () => findPost(db, actor, postId);
  return { actor, save, read, post: await read() };
}

test('an edit that began from an older text overwrites nothing', async () => {
  const { save, read, post } = await begin();
  const { revision } = post;
  const first = await save({ content: 'From the first tab.', revision });
  assert.ok(first.revision > revision);
  await assert.rejects(save({ content: 'From the second tab.', revision }), {
    code: 'changed_elsewhere',
    field: 'revision',
  });
  assert.equal((await read()).content, 'From the first tab.');
  await save({ content: 'From the second tab.', revision: first.revision });
  await save({ content: 'By nobody who compares.' });
  assert.equal((await read()).content, 'By nobody who compares.');
});

test('each field of a post counts, and going back to the first text is a change, too', async () => {
  for (const change of [
    { hashtags: ['Two'] },
    { altText: 'A pier' },
    { imageUrl: 'https://example.com/a.png' },
  ]) {
    const { save, post } = await begin();
    await save({ ...change, revision: post.revision });
    await assert.rejects(save({ content: 'Later.', revision: post.revision }), { code: 'changed_elsewhere' });
  }
  const { save, read, post } = await begin();
  const { revision } = await save({ content: 'Other words.', revision: post.revision });
  await save({ content: post.content, revision });
  await assert.rejects(save({ content: 'Late on its way.', revision: post.revision }), {
    code: 'changed_elsewhere',
  });
  assert.equal((await read()).content, post.content);
});

test('what was not read is neither approved nor sent; what is read now, or compared with nothing, is', async () => {
  const acts = { approvePost, publishNow, retryPost, postAgain };
  const standings = {
    approvePost: { status: 'pending' },
    publishNow: { status: 'pending' },
    retryPost: { status: 'failed', failure: 'not_taken', dueAt: null },
    postAgain: { status: 'failed', failure: 'unconfirmed', isUnconfirmed: true, dueAt: null },
  } as const;
  for (const name of Object.keys(acts) as (keyof typeof acts)[]) {
    const { save, read, post, actor } = await begin();
    await makeConnection(db, actor);
    const { revision } = await save({ hashtags: ['Two'], revision: post.revision });
    const standing = standings[name];
    await standAs(db, post.id, standing);
    const refused = { status: 409, code: 'changed_elsewhere', message: /^This post was changed after/ };
    await assert.rejects(acts[name](db, actor, post.id, post.revision), refused, name);
    const after = await read();
    assert.deepEqual([after.status, after.isManual], [standing.status, false], name);
    await acts[name](db, actor, post.id, revision);
    if (name !== 'approvePost') assert.ok((await read()).isManual, name);
  }
  const { save, post, actor } = await begin();
  await save({ content: 'Other words.' });
  await standAs(db, post.id, { status: 'pending' });
  assert.equal((await approvePost(db, actor, post.id)).status, 'generated');
});

test('a save whose answer was lost is sent again, and counts once', async () => {
  const { save, post } = await begin();
  const change = { content: 'Sent twice.', hashtags: ['One'], revision: post.revision };
  const once = await save(change);
  const twice = await save(change);
  assert.deepEqual([twice.revision, twice.editedAt], [once.revision, once.editedAt]);
});

test('only words of their own make a post one that its owner has edited', async () => {
  const { save, post } = await begin();
  assert.equal((await save({ content: post.content, hashtags: ['One'] })).editedAt, null);
  assert.equal((await save({ hashtags: ['Two'] })).editedAt, null);
  assert.equal((await save({ content: post.content, hashtags: ['Three'] })).editedAt, null);
  assert.notEqual((await save({ content: 'Mine.' })).editedAt, null);
});

test('two saves at once from the same text: one is stored, the other is refused', async () => {
  const { save, read, post } = await begin();
  const both = ['One.', 'Another.'].map((content) => () => save({ content, revision: post.revision }));
  const results = await atOnce(db, post.id, both);
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.equal((await read()).revision, post.revision + 1);
});

test('a form says which revision it began from, or none', () => {
  const typed = { content: 'Text' };
  assert.equal(PostForm.parse({ ...typed, revision: '3' }).revision, 3);
  assert.equal(PostForm.parse(typed).revision, undefined);
  for (const revision of ['x', '1.5', 'Infinity']) {
    assert.ok(!PostForm.safeParse({ ...typed, revision }).success, revision);
  }
});
