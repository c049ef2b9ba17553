import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disconnect } from '#app/domain/linkedin/connect/disconnect.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { listFaultKeys } from '#app/domain/platform/operator-alerts.ts';
import { presentDeletion } from '#app/domain/posts/deletion.ts';
import { postUrl, urnOfAddress } from '#app/domain/posts/linkedin-urls.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { deletePost } from '#app/domain/publishing/manual/delete.ts';
import { acknowledgePost } from '#app/domain/publishing/manual/publish-now.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { connectLinkedIn, setConnection } from '#tests/fixtures/linkedin.ts';
import { makePublisher, makeScheduledPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { atTheDoor, dayLimit, problem } from '#tests/harness/outside/linkedin-responses.ts';
import { nobody, serve, startOutside } from '#tests/harness/outside/sandbox.ts';
import { withEnv } from '#tests/harness/with-env.ts';

// The sandbox gives refresh tokens to applications whose client id says "refresh".
process.env.LINKEDIN_CLIENT_ID = 'tidepost-refresh';
process.env.LINKEDIN_CLIENT_SECRET = 'tidepost-refresh-secret';
process.env.LINKEDIN_VERSIONS = '202608,202607';
const outside = await startOutside();
const { db } = await testDatabase();
const later = (ms: number) => new Date(Date.now() + ms);
let counter = 0;
const number = () => `74${process.pid}${++counter}`;

async function publishedPost() {
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor, { dueAt: later(-1_000) });
  await publishPost(db, postId);
  return { actor, postId, urn: (await findPost(db, actor, postId)).networkUrn! };
}

/** A post that LinkedIn did not confirm and its owner found under this link. */
async function foundPost(link: string) {
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor);
  const failed = { status: 'failed' as const, isUnconfirmed: true };
  await standAs(db, postId, failed);
  await acknowledgePost(db, actor, { postId, link });
  return { actor, postId };
}

const isHere = ({ userId }: Actor) =>
  db
    .selectFrom('posts')
    .select('id')
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
    .then(Boolean);
const connectionOf = ({ userId }: Actor) =>
  db.selectFrom('linkedinConnections').selectAll().where('userId', '=', userId).executeTakeFirstOrThrow();

test('the urn of a post is read from what people paste, and from nothing else', () => {
  const site = 'https://www.linkedin.com';
  for (const [pasted, urn] of [
    [' urn:li:share:7312 ', 'urn:li:share:7312'],
    ['urn%3Ali%3AugcPost%3A7312', 'urn:li:ugcPost:7312'],
    [`${site}/feed/update/urn:li:activity:7312/`, 'urn:li:activity:7312'],
    [`${site}/feed/update/urn%3ali%3Ashare%3A7312?utm_source=share`, 'urn:li:share:7312'],
    ['linkedin.com/feed/update/urn:li:ugcPost:7312', 'urn:li:ugcPost:7312'],
    [`${site}/embed/feed/update/urn:li:share:7312`, 'urn:li:share:7312'],
    [`${site}/posts/ada-marlow_plans-activity-7312-x-Yz?rcm=1`, 'urn:li:activity:7312'],
    [`${site}/posts/ada_a-share-of-time-ugcPost-7312-ab_c/`, 'urn:li:ugcPost:7312'],
    ['http://de.linkedin.com/posts/ada_plans-share-7312', 'urn:li:share:7312'],
    [`${site}/feed/?highlightedUpdateUrn=urn%3Ali%3Aactivity%3A7312`, 'urn:li:activity:7312'],
    [postUrl('urn:li:share:7312')!, 'urn:li:share:7312'],
  ] as const) {
    assert.equal(urnOfAddress(pasted), urn, pasted);
  }
  for (const pasted of [
    '',
    '7312',
    'https://lnkd.in/eAbc-activity-7312',
    'https://example.com/feed/update/urn:li:share:7312',
    'https://linkedin.com.example.com/feed/update/urn:li:share:7312',
    'https://example.com/?u=https://www.linkedin.com/feed/update/urn:li:share:7312',
    `${site}/in/ada-activity-7312/`,
    `${site}/feed/update/urn:li:comment:7312/`,
    'urn:li:share:73x',
    'urn:li:share:7312)',
    `urn:li:share:${'7'.repeat(26)}`,
    `${site}/posts/${'-activity-'.repeat(400)}`,
    'ftp://www.linkedin.com/feed/update/urn:li:share:7312',
  ]) {
    assert.equal(urnOfAddress(pasted), undefined, pasted);
  }
});

test('"It is there" takes the address of a post or none, and says so about everything else', async () => {
  const urn = `urn:li:share:${number()}`;
  const { actor, postId } = await foundPost(` https://www.linkedin.com/feed/update/${urn}/ `);
  assert.equal((await findPost(db, actor, postId)).networkUrn, urn);
  await foundPost('');
  const other = await makeScheduledPost(db, actor);
  const failed = { status: 'failed' as const, isUnconfirmed: true };
  await standAs(db, other, failed);
  for (const link of ['https://lnkd.in/eAbc', 'my profile', 'https://www.linkedin.com/in/ada/']) {
    const refused = { code: 'invalid', status: 422, field: 'link', message: /not the address of a LinkedIn/ };
    await assert.rejects(acknowledgePost(db, actor, { postId: other, link }), refused);
  }
  assert.equal((await findPost(db, actor, other)).isUnconfirmed, true);
});

test('a post that LinkedIn named is deleted there, and one that is gone there counts as deleted', async () => {
  for (const answer of [{ status: 204 }, problem(404, 'NOT_FOUND')]) {
    const { actor, postId, urn } = await publishedPost();
    const asked = await atTheDoor({ delete: [answer] }, async () => {
      assert.deepEqual(await deletePost(db, actor, postId), { isGoneThere: true, why: null });
    });
    assert.deepEqual(
      asked.map(({ url }) => url),
      [`/rest/posts/${encodeURIComponent(urn)}`],
    );
    assert.equal(await isHere(actor), false);
  }
});

test('what LinkedIn cannot delete is deleted here, and the answer says so', async () => {
  const [activity, none] = [await foundPost(`urn:li:activity:${number()}`), await foundPost('')];
  for (const [{ actor, postId }, words] of [
    [activity, /the link is one that you gave/],
    [none, /do not know where/],
  ] as const) {
    const asked = await atTheDoor({}, async () => {
      const { isGoneThere, why } = await deletePost(db, actor, postId);
      assert.equal(isGoneThere, false);
      assert.match(why!, words);
      assert.match(why!, /delete it there yourself/);
    });
    assert.deepEqual(asked, []);
    assert.equal(await isHere(actor), false);
  }
});

test('an address that its owner pasted is shown and linked, and never deleted by: it may be another post', async () => {
  const link = `urn:li:share:${number()}`;
  const { actor, postId } = await foundPost(link);
  const { kind, before, url } = presentDeletion(await findPost(db, actor, postId));
  assert.equal(kind, 'stays');
  assert.match(before, /deleted here only.*delete it there yourself/i);
  assert.ok(url!.includes(link));
  const asked = await atTheDoor({}, async () => {
    const { isGoneThere, why } = await deletePost(db, actor, postId);
    assert.equal(isGoneThere, false);
    assert.match(why!, /the link is one that you gave.*delete it there yourself/);
  });
  assert.deepEqual(asked, []);
  assert.equal(await isHere(actor), false);
});

test('a post that LinkedIn did not confirm is deleted here, and that it may be there is said', async () => {
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor);
  const failed = { status: 'failed' as const, isUnconfirmed: true };
  await standAs(db, postId, failed);
  const { isGoneThere, why } = await deletePost(db, actor, postId);
  assert.equal(isGoneThere, false);
  assert.match(why!, /never said whether it has this post/);
});

test('deleting with a revoked token ends the connection, says what helps and deletes nothing', async () => {
  const { actor, postId } = await publishedPost();
  await atTheDoor({ delete: [problem(401, 'REVOKED_ACCESS_TOKEN')] }, async () => {
    const refused = { code: 'linkedin_not_connected', status: 409, message: /Connect LinkedIn again/ };
    await assert.rejects(deletePost(db, actor, postId), refused);
  });
  assert.equal((await connectionOf(actor)).status, 'expired');
  assert.ok(await isHere(actor));
});

test('deleting while LinkedIn is away at the renewal is refused in words', async () => {
  const { actor, postId } = await publishedPost();
  const ended = { expiresAt: later(-60_000) };
  await setConnection(db, actor, ended);
  const busy = await serve((_, res) => void res.writeHead(503, { 'Retry-After': '120' }).end());
  for (const [LINKEDIN_AUTH_URL, retryAfter] of [
    [busy, 120],
    [await nobody(), undefined],
  ] as const) {
    const refused = { code: 'linkedin_unavailable', status: 502, retryAfter, message: /Nothing was deleted/ };
    await withEnv({ LINKEDIN_AUTH_URL }, () => assert.rejects(deletePost(db, actor, postId), refused));
  }
  assert.equal((await connectionOf(actor)).status, 'alive');
  assert.ok(await isHere(actor));
});

test('deleting goes through the versions and reports those that are refused', async () => {
  await db.deleteFrom('operatorAlerts').execute();
  const dead = problem(426, 'NONEXISTENT_VERSION');
  const { actor, postId } = await publishedPost();
  await atTheDoor({ delete: [dead] }, async () => {
    await assert.rejects(deletePost(db, actor, postId), {
      code: 'linkedin_unavailable',
      message: /operator/,
    });
  });
  const every = ['linkedin-version', 'linkedin-version-202607', 'linkedin-version-202608'];
  assert.deepEqual((await listFaultKeys(db)).toSorted(), every);
  assert.ok(await isHere(actor));
  await atTheDoor({ delete: [dead, { status: 204 }] }, () => deletePost(db, actor, postId));
  assert.deepEqual(await listFaultKeys(db), ['linkedin-version-202608']);
});

test('a deletion that LinkedIn puts off or leaves open deletes nothing', async () => {
  const { actor, postId } = await publishedPost();
  for (const answer of [dayLimit('MEMBER'), { status: 500 }, problem(403, 'ACCESS_DENIED')]) {
    await atTheDoor({ delete: [answer] }, async () => {
      await assert.rejects(deletePost(db, actor, postId), { code: 'linkedin_unavailable', status: 502 });
    });
  }
  assert.ok(await isHere(actor));
});

test('a post on another LinkedIn account than the connected one stays there, which is said before and after', async () => {
  const { actor, postId, urn } = await publishedPost();
  await connectLinkedIn(db, actor, outside.url);
  const { kind, before, url } = presentDeletion(await findPost(db, actor, postId));
  assert.equal(kind, 'elsewhere');
  assert.match(before, /another LinkedIn account.*deleted here only.*delete it there yourself/);
  assert.ok(url!.includes(urn));
  const asked = await atTheDoor({ delete: [problem(404, 'NOT_FOUND')] }, async () => {
    const { isGoneThere, why } = await deletePost(db, actor, postId);
    assert.equal(isGoneThere, false);
    assert.match(why!, /another LinkedIn account.*deleted here only.*delete it there yourself/);
  });
  assert.deepEqual(asked, []);
  assert.equal(await isHere(actor), false);
});

test('without LinkedIn a post is deleted here only when its owner says so', async () => {
  const { actor, postId, urn } = await publishedPost();
  await disconnect(db, actor);
  const { kind, before, url } = presentDeletion(await findPost(db, actor, postId));
  assert.equal(kind, 'disconnected');
  assert.match(before, /LinkedIn is not connected.*deleted here only.*first connect/);
  assert.ok(url!.includes(urn));
  await assert.rejects(deletePost(db, actor, postId), { code: 'linkedin_not_connected', status: 409 });
  assert.ok(await isHere(actor));
  const { isGoneThere, why } = await deletePost(db, actor, postId, { isHereOnly: true });
  assert.equal(isGoneThere, false);
  assert.match(why!, /deleted here only.*delete it there yourself/);
  assert.equal(await isHere(actor), false);
});

test('what is to be deleted here only is not deleted on LinkedIn, connected or not', async () => {
  const { actor, postId } = await publishedPost();
  const asked = await atTheDoor({}, async () => {
    assert.equal((await deletePost(db, actor, postId, { isHereOnly: true })).isGoneThere, false);
  });
  assert.deepEqual(asked, []);
});

test('who deletes a post that they have deleted has what they want, and nobody else hears of it', async () => {
  const { actor, postId } = await publishedPost();
  await deletePost(db, actor, postId);
  assert.deepEqual(await deletePost(db, actor, postId), { isGoneThere: false, why: null });
  const stranger = await makePublisher(db, outside.url);
  await assert.rejects(deletePost(db, stranger, postId), { code: 'not_found', status: 404 });
  await assert.rejects(deletePost(db, actor, 'none'), { code: 'not_found', status: 404 });
});
