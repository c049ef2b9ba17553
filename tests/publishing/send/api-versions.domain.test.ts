import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listFaultKeys } from '#app/domain/platform/operator-alerts.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import {
  clearOldVersions,
  reportAppLimit,
  reportEveryVersion,
  reportVersion,
} from '#app/domain/publishing/linkedin-alerts.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { servePicture } from '#tests/harness/worker/slow-image.ts';

process.env.ALLOW_PRIVATE_IMAGES = '1';
process.env.LINKEDIN_VERSIONS = '202508,202608';
const outside = await startOutside();
const { db } = await testDatabase();

test('a picture goes out with the next version when LinkedIn no longer takes the first', async () => {
  const picture = await servePicture();
  const actor = await makePublisher(db, outside.url);
  const options = { dueAt: new Date(Date.now() - 1_000), imageUrl: picture.url };
  const postId = await makeScheduledPost(db, actor, options);
  await publishPost(db, postId);
  assert.equal((await findPost(db, actor, postId)).status, 'published');
});

test('what was reported about LinkedIn is taken back when it is mended', async () => {
  await reportVersion(db, '202608');
  await reportVersion(db, '202401');
  await reportEveryVersion(db, new Date());
  await reportAppLimit(db, 'LinkedIn takes no more posts', new Date());
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() - 1_000) });
  await publishPost(db, postId);
  assert.equal((await findPost(db, actor, postId)).status, 'published');
  assert.deepEqual((await listFaultKeys(db)).sort(), ['linkedin-version-202401', 'linkedin-version-202508']);
  await clearOldVersions(db);
  assert.deepEqual(await listFaultKeys(db), ['linkedin-version-202508']);
});
