import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disconnect } from '#app/domain/linkedin/connect/disconnect.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { listFaultKeys } from '#app/domain/platform/operator-alerts.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { postAgain, retryPost } from '#app/domain/publishing/manual/publish-now.ts';
import { settle } from '#app/domain/publishing/outcome/settle.ts';
import { nextUtcMidnight } from '#app/domain/publishing/safety/pause.ts';
import type { Attempt } from '#app/domain/publishing/send/attempt.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { env } from '#app/env.ts';
import { connectLinkedIn } from '#tests/fixtures/linkedin.ts';
import { findQueued, makePublisher, makeScheduledPost, readPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { type Asked, atTheDoor, dayLimit, problem } from '#tests/harness/outside/linkedin-responses.ts';
import { serve, startOutside } from '#tests/harness/outside/sandbox.ts';
import { servePicture } from '#tests/harness/worker/slow-image.ts';

process.env.ALLOW_PRIVATE_IMAGES = '1';
process.env.LINKEDIN_VERSIONS = '202608,202607';
const outside = await startOutside();
const { db } = await testDatabase();
const picture = await servePicture();
const SECOND = 1_000;
const later = (ms: number) => new Date(Date.now() + ms);

/** A post with a picture that is due. */
async function duePost(imageUrl = picture.url) {
  const actor = await makePublisher(db, outside.url);
  return { actor, postId: await makeScheduledPost(db, actor, { dueAt: later(-SECOND), imageUrl }) };
}
const connectedAt = ({ userId }: Actor, at: Date) =>
  db.updateTable('linkedinConnections').set({ connectedAt: at }).where('userId', '=', userId).execute();

const postOf = (postId: string) => readPost(db, postId);
const deliveryOf = (postId: string) => findQueued(db, postId);
const pausedUntil = async () =>
  (await db.selectFrom('publishingPause').select('pausedUntil').executeTakeFirstOrThrow()).pausedUntil;
const unpause = () => db.updateTable('publishingPause').set({ pausedUntil: null }).execute();
const count = (asked: Asked[], call: Asked['call']) => asked.filter((each) => each.call === call).length;
const free = (postId: string) =>
  db.updateTable('postSchedules').set({ notBefore: null }).where('postId', '=', postId).execute();

test('the daily limit of the whole application stops publishing for everybody at a picture, too', async () => {
  const { postId } = await duePost();
  const asked = await atTheDoor({ initialize: [dayLimit('APPLICATION')] }, () => publishPost(db, postId));
  assert.equal(count(asked, 'create'), 0);
  const midnight = nextUtcMidnight(new Date());
  assert.deepEqual(await pausedUntil(), midnight);
  assert.ok((await listFaultKeys(db)).includes('linkedin-app-limit'));
  const { leaseToken, notBefore } = (await deliveryOf(postId))!;
  assert.deepEqual([leaseToken, notBefore], [null, midnight]);
  await unpause();
});

test('a daily limit that is answered just before 00:00 UTC and read after it is over', async (t) => {
  const { postId } = await duePost();
  const midnight = nextUtcMidnight(new Date());
  const { status, body } = dayLimit('APPLICATION');
  const origin = await serve((_req, res) => {
    t.mock.timers.enable({ apis: ['Date'], now: midnight.getTime() + 50 });
    res.writeHead(status).end(JSON.stringify(body));
  });
  const configured = env().LINKEDIN_API_URL;
  env().LINKEDIN_API_URL = origin;
  try {
    await publishPost(db, postId);
  } finally {
    env().LINKEDIN_API_URL = configured;
    t.mock.timers.reset();
  }
  const paused = await pausedUntil();
  await unpause();
  assert.equal(paused, null);
  assert.deepEqual((await deliveryOf(postId))!.notBefore, midnight);
});

test("a member's daily limit at a picture waits for 00:00 UTC, and stops nobody else", async () => {
  const { postId } = await duePost();
  await atTheDoor({ put: [dayLimit('MEMBER')] }, () => publishPost(db, postId));
  assert.equal(await pausedUntil(), null);
  assert.deepEqual((await deliveryOf(postId))!.notBefore, nextUtcMidnight(new Date()));
});

test('a short throttle at a picture is waited for as long as LinkedIn asks', async () => {
  const { postId } = await duePost();
  const busy = { status: 429, headers: { 'Retry-After': '600' } };
  await atTheDoor({ initialize: [busy] }, () => publishPost(db, postId));
  const wait = (await deliveryOf(postId))!.notBefore!.getTime() - Date.now();
  assert.ok(wait > 500 * SECOND && wait <= 600 * SECOND, `${wait} ms`);
});

test('a picture that LinkedIn refuses in every version is reported and tried later', async () => {
  const { postId } = await duePost();
  const dead = problem(426, 'NONEXISTENT_VERSION');
  const asked = await atTheDoor({ initialize: [dead] }, () => publishPost(db, postId));
  assert.deepEqual(
    asked.map(({ headers }) => headers['linkedin-version']),
    ['202608', '202607'],
  );
  const faults = ['linkedin-version', 'linkedin-version-202607', 'linkedin-version-202608'];
  const reported = (await listFaultKeys(db)).filter((key) => key.startsWith('linkedin-version'));
  assert.deepEqual(reported.toSorted(), faults);
  assert.equal((await deliveryOf(postId))!.leaseToken, null);
  await free(postId);
  await atTheDoor({}, () => publishPost(db, postId));
  assert.equal((await postOf(postId)).status, 'published');
  const left = (await listFaultKeys(db)).filter((key) => key.startsWith('linkedin-version'));
  assert.deepEqual(left, ['linkedin-version-202607']);
});

test('an address of the upload that has ended is asked for anew once, then the post waits', async () => {
  const ends = [
    problem(404, 'NOT_FOUND'),
    problem(403, 'FORBIDDEN'),
    problem(400, 'EXPIRED_UPLOAD_URL'),
    { status: 404, body: '<html>Not Found</html>' },
  ];
  for (const end of ends) {
    const { postId } = await duePost();
    const both = end.status === 400 ? [end, end] : [end];
    const mended = await atTheDoor({ put: [...both, { status: 201 }] }, () => publishPost(db, postId));
    assert.deepEqual([count(mended, 'initialize'), count(mended, 'create')], [2, 1]);
    const urn = JSON.parse(mended.at(-1)!.body).content.media.id;
    assert.equal(urn, (await postOf(postId)).imageUrn);

    const { postId: other } = await duePost();
    const asked = await atTheDoor({ put: [end] }, () => publishPost(db, other));
    assert.deepEqual([count(asked, 'initialize'), count(asked, 'create')], [2, 0]);
    assert.equal((await postOf(other)).status, 'generated');
    assert.equal((await deliveryOf(other))!.leaseToken, null);
  }
});

test('a picture that the upload host does not take is refused in words', async () => {
  for (const [status, words] of [
    [413, /too large/],
    [415, /could not read the picture/],
    [400, /refused the picture/],
  ] as const) {
    const { postId } = await duePost();
    await atTheDoor({ put: [{ status, body: '<html>' }] }, () => publishPost(db, postId));
    const { status: became, reason } = await postOf(postId);
    assert.equal(became, 'failed');
    assert.match(reason!, words);
  }
});

test('a picture that LinkedIn lost or could not read is uploaded anew', async () => {
  const { postId } = await duePost();
  await atTheDoor({ create: [problem(400, 'EXPIRED_UPLOAD_URL')] }, () => publishPost(db, postId));
  assert.equal((await postOf(postId)).status, 'generated');
  await free(postId);
  const again = await atTheDoor({}, () => publishPost(db, postId));
  assert.deepEqual([count(again, 'initialize'), (await postOf(postId)).status], [1, 'published']);

  const { actor, postId: unreadable } = await duePost();
  const failed = problem(400, 'MEDIA_ASSET_PROCESSING_FAILED');
  await atTheDoor({ create: [failed] }, () => publishPost(db, unreadable));
  assert.equal((await postOf(unreadable)).status, 'failed');
  await retryPost(db, actor, unreadable);
  const retried = await atTheDoor({}, () => publishPost(db, unreadable, later(SECOND)));
  assert.equal(count(retried, 'initialize'), 1);
});

test('an answer about a picture that was uploaded anew meanwhile takes nothing away', async () => {
  const { postId } = await duePost();
  await atTheDoor({ create: [{ status: 500 }] }, () => publishPost(db, postId));
  const attempt = await db
    .selectFrom('publishAttempts')
    .selectAll()
    .where('postId', '=', postId)
    .executeTakeFirstOrThrow();
  const imageUrn = 'urn:li:image:anew';
  await db.updateTable('posts').set({ imageUrn }).where('id', '=', postId).execute();
  const lost = { kind: 'refused', code: 'MEDIA_ASSET_PROCESSING_FAILED', status: 400, message: '' } as const;
  await settle(db, attempt as Attempt, lost);
  const { imageUrn: kept } = await readPost(db, postId);
  assert.equal(kept, imageUrn);
});

test('the picture is kept when the post is held, and when it is posted again', async () => {
  const { actor, postId } = await duePost();
  const first = await atTheDoor({ create: [{ status: 500 }] }, () => publishPost(db, postId));
  assert.equal(count(first, 'initialize'), 1);
  assert.equal((await postOf(postId)).isUnconfirmed, true);
  await postAgain(db, actor, postId);
  const second = await atTheDoor({}, () => publishPost(db, postId, later(SECOND)));
  assert.deepEqual(
    second.map(({ call }) => call),
    ['create'],
  );
  const sent = [first, second].map((asked) => JSON.parse(asked.at(-1)!.body).content.media.id);
  assert.equal(sent[0], sent[1]);
});

test('a picture belongs to the member who uploaded it: another one uploads it anew', async () => {
  const { actor, postId } = await duePost();
  await atTheDoor({ create: [problem(429, 'TOO_MANY_REQUESTS')] }, () => publishPost(db, postId));
  const before = await postOf(postId);
  assert.ok(before.imageUrn);
  await disconnect(db, actor);
  const { memberSub } = await connectLinkedIn(db, actor, outside.url);
  // Its owner has chosen what becomes of what was missed.
  await db
    .updateTable('linkedinConnections')
    .set({ resumedAt: null })
    .where('userId', '=', actor.userId)
    .execute();
  await free(postId);
  const asked = await atTheDoor({}, () => publishPost(db, postId));
  assert.deepEqual(
    asked.map(({ call }) => call),
    ['initialize', 'put', 'create'],
  );
  const { author, content } = JSON.parse(asked.at(-1)!.body);
  assert.equal(author, `urn:li:person:${memberSub}`);
  assert.notEqual(content.media.id, before.imageUrn);
  assert.equal((await postOf(postId)).imageAuthorUrn, author);
});

test('a picture that was changed while the old one was being loaded is never replaced by the old one', async () => {
  const slow = await servePicture(1);
  const { actor, postId } = await duePost(slow.url);
  const asked = await atTheDoor({}, async () => {
    const running = publishPost(db, postId);
    await slow.asked(0);
    await editPost(db, actor, { postId, imageUrl: picture.url });
    slow.open(0);
    await running;
  });
  assert.equal(count(asked, 'create'), 0);
  assert.equal((await postOf(postId)).imageUrn, null);
});

test('the description of the picture goes out with it', async () => {
  const { actor, postId } = await duePost();
  await editPost(db, actor, { postId, altText: 'A pier at dawn, "quiet"' });
  const asked = await atTheDoor({}, () => publishPost(db, postId));
  assert.equal(JSON.parse(asked.at(-1)!.body).content.media.altText, 'A pier at dawn, "quiet"');
});

test('a token that is seconds old and refused is asked about once more, whatever the call', async () => {
  const revoked = problem(401, 'REVOKED_ACCESS_TOKEN');
  const well = { status: 201, headers: { 'x-restli-id': `urn:li:share:${Date.now()}` } };
  const fresh = await makePublisher(db, outside.url);
  await connectedAt(fresh, later(-SECOND));
  const postId = await makeScheduledPost(db, fresh, { dueAt: later(-SECOND) });
  const asked = await atTheDoor({ create: [revoked, well] }, () => publishPost(db, postId));
  assert.equal(count(asked, 'create'), 2);
  assert.equal((await postOf(postId)).status, 'published');

  const held = await makeScheduledPost(db, fresh, { dueAt: later(-SECOND), content: 'Another one' });
  const twice = await atTheDoor({ create: [revoked] }, () => publishPost(db, held));
  assert.equal(count(twice, 'create'), 2, 'once more, and no more');
  assert.ok((await deliveryOf(held))!.heldAt);

  const { postId: old } = await duePost();
  const once = await atTheDoor({ create: [revoked] }, () => publishPost(db, old));
  assert.equal(count(once, 'create'), 1, 'a token that was good before is not asked about');
});

test('what LinkedIn finds a call by is kept with the attempt, whatever it answered', async () => {
  const headers = {
    'x-li-uuid': 'AAYx==',
    'x-li-request-id': 'req-1',
    'x-li-fabric': 'prod-lva1',
    'x-li-pop': 'azd',
    'x-linkedin-error-response': 'true',
  };
  const kept = {
    liUuid: 'AAYx==',
    liRequestId: 'req-1',
    liFabric: 'prod-lva1',
    liPop: 'azd',
    liError: 'true',
  };
  const answers = [
    { status: 201, headers: { ...headers, 'x-restli-id': `urn:li:share:${Date.now()}1` } },
    { ...problem(422, 'X'), headers },
    { ...problem(403, 'ACCESS_DENIED'), headers },
    { ...problem(429, 'TOO_MANY_REQUESTS'), headers },
    { status: 500, headers },
    { ...problem(401, 'REVOKED_ACCESS_TOKEN'), headers },
  ];
  for (const answer of answers) {
    const { postId } = await duePost();
    await atTheDoor({ create: [answer] }, () => publishPost(db, postId));
    const row = await db
      .selectFrom('publishAttempts')
      .select(['liUuid', 'liRequestId', 'liFabric', 'liPop', 'liError'])
      .where('postId', '=', postId)
      .executeTakeFirstOrThrow();
    assert.deepEqual(row, kept, String(answer.status));
  }
});
