import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slotOf, slotsAfter } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { FAILURES, failureText } from '#app/domain/posts/failures.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import {
  postAgain,
  publishNow,
  retryPost,
  undoPublishNow,
} from '#app/domain/publishing/manual/publish-now.ts';
import { nextUtcMidnight, resumePublishing, stopPublishing } from '#app/domain/publishing/safety/pause.ts';
import { claimPost, failClaim } from '#app/domain/publishing/send/claim.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { sweepAttempts } from '#app/domain/publishing/sweep.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { findQueued, makePublisher, makeScheduledPost, readPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { atTheDoor, problem } from '#tests/harness/outside/linkedin-responses.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { goOnAfterEach } from '#tests/harness/reset-publishing.ts';
import { servePicture } from '#tests/harness/worker/slow-image.ts';

process.env.ALLOW_PRIVATE_IMAGES = '1';
const outside = await startOutside();
const { db } = await testDatabase();
const picture = await servePicture();
const HOUR = 3_600_000;
const from = (at: Date, ms: number) => new Date(at.getTime() + ms);
const later = (ms: number) => from(new Date(), ms);

goOnAfterEach(() => db);

async function sentByHand(at?: Date, imageUrl?: string) {
  const actor = await makePublisher(db, outside.url);
  const content = `Three things a plan must say. ${actor.userId}`;
  const postId = await makeScheduledPost(db, actor, { content, dueAt: later(48 * HOUR), imageUrl });
  await publishNow(db, actor, postId, undefined, at);
  return { actor, postId };
}

test('what is sent by hand and could not be sent for three hours fails with what is known', async () => {
  const { actor, postId } = await sentByHand(later(-4 * HOUR));
  assert.equal(await claimPost(db, postId), undefined);
  const post = await findPost(db, actor, postId);
  assert.deepEqual([post.status, post.reason], ['failed', FAILURES.too_late.reason]);
  assert.ok(!/LinkedIn/.test(post.reason ?? ''), 'LinkedIn was never asked');
  await retryPost(db, actor, postId);
  assert.ok(await claimPost(db, postId));
});

test('what was sent by hand by a clock that was behind goes out when it has caught up', async () => {
  const { actor, postId } = await sentByHand(later(-4 * HOUR));
  const doubt = (doubtedUntil: Date | null) =>
    db.updateTable('publishingEpoch').set({ doubtedUntil }).execute();
  await doubt(later(-60_000));
  assert.ok(await claimPost(db, postId));
  await doubt(null);
  const other = await sentByHand(later(-4 * HOUR));
  // It goes on two seconds before, and of what was begun after the last look at the clock still earlier.
  await doubt(later(20_000));
  assert.ok(await claimPost(db, other.postId));
  await doubt(null);
  assert.equal((await findPost(db, actor, postId)).status, 'generated');
});

test('what is sent by hand goes out when LinkedIn takes posts again, however long that is', async () => {
  for (const fault of ['linkedin.429-day', 'linkedin.429-app-day']) {
    const { actor, postId } = await sentByHand();
    await outside.fault(fault, { match: actor.userId });
    await publishPost(db, postId);
    const midnight = nextUtcMidnight(new Date());
    assert.deepEqual((await findPost(db, actor, postId)).notBefore, midnight, fault);
    assert.equal(await claimPost(db, postId, from(midnight, -60_000)), undefined, fault);
    assert.ok(await claimPost(db, postId, from(midnight, 60_000)), fault);
    const after = from(midnight, 4 * HOUR);
    await db.updateTable('postSchedules').set({ leaseUntil: null }).where('postId', '=', postId).execute();
    assert.equal(await claimPost(db, postId, after), undefined, 'late counted from then on');
    assert.equal((await findPost(db, actor, postId)).status, 'failed');
  }
});

const throttled = (seconds: number) => ({
  ...problem(429, 'TOO_MANY_REQUESTS', 'Resource level throttle MINUTE limit'),
  headers: { 'retry-after': `${seconds}` },
});

for (const [what, imageUrl, call] of [
  ['a text', undefined, 'create'],
  ['a picture', picture.url, 'initialize'],
] as const) {
  test(`${what} that is sent by hand goes out when LinkedIn asked to be tried again, hours later`, async () => {
    const { actor, postId } = await sentByHand(undefined, imageUrl);
    await atTheDoor({ [call]: [throttled(4 * 3_600)] }, () => publishPost(db, postId));
    const { notBefore } = await findPost(db, actor, postId);
    assert.ok(notBefore! > later(3.9 * HOUR), String(notBefore));
    assert.equal(await claimPost(db, postId, from(notBefore!, -60_000)), undefined);
    assert.ok(await claimPost(db, postId, from(notBefore!, 2_000)));
  });
}

test('what LinkedIn asks to be tried again in a minute is late as ever', async () => {
  const { actor, postId } = await sentByHand();
  const { dueAt } = await findPost(db, actor, postId);
  await atTheDoor({ create: [throttled(60)] }, () => publishPost(db, postId));
  const post = await findPost(db, actor, postId);
  assert.ok(post.notBefore! > later(50_000), String(post.notBefore));
  assert.deepEqual(post.dueAt, dueAt);
});

for (const fault of ['linkedin.429-day', 'linkedin.429-retry-60']) {
  test(`pressed again after ${fault}, a post waits until LinkedIn takes it, and goes out then`, async () => {
    const { actor, postId } = await sentByHand();
    await outside.fault(fault, { match: actor.userId, times: 1 });
    await publishPost(db, postId);
    const { notBefore } = await findPost(db, actor, postId);
    await publishNow(db, actor, postId);
    await publishPost(db, postId);
    const { status, notBefore: still } = await findPost(db, actor, postId);
    assert.deepEqual([status, still], ['generated', notBefore]);
    assert.ok(await claimPost(db, postId, from(notBefore!, 1_000)));
  });
}

test('a post of the queue that LinkedIn has put off goes out at that time when it is sent by hand', async () => {
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor, { dueAt: later(-1_000) });
  await atTheDoor({ create: [throttled(4 * 3_600)] }, () => publishPost(db, postId));
  const { notBefore } = await findPost(db, actor, postId);
  await publishNow(db, actor, postId);
  assert.equal(await claimPost(db, postId), undefined);
  assert.ok(await claimPost(db, postId, from(notBefore!, 1_000)));
});

test('pressed while its picture is handed over, a post goes out with that picture', async () => {
  const actor = await makePublisher(db, outside.url);
  const slow = await servePicture(1);
  const postId = await makeScheduledPost(db, actor, { dueAt: later(-1_000), imageUrl: slow.url });
  const asked = await atTheDoor({}, async () => {
    const publishing = publishPost(db, postId);
    await slow.asked(0);
    await publishNow(db, actor, postId);
    await publishPost(db, postId);
    slow.open(0);
    await publishing;
  });
  assert.deepEqual(
    asked.map(({ call }) => call),
    ['initialize', 'put', 'create'],
  );
  assert.equal((await findPost(db, actor, postId)).status, 'published');
});

test('what is sent by hand during a stop goes out when it ends, whoever ends it', async () => {
  const admin = await makeUser(db, { isAdmin: true });
  const byAdmin = await sentByHand(later(-5 * HOUR));
  await stopPublishing(db, admin, { reason: 'We look into something', until: '' }, later(-5 * HOUR));
  assert.equal(await claimPost(db, byAdmin.postId), undefined);
  await resumePublishing(db, admin);
  assert.ok(await claimPost(db, byAdmin.postId));

  const byItself = await sentByHand(later(-5 * HOUR));
  await db
    .updateTable('publishingPause')
    .set({ stoppedAt: later(-6 * HOUR), stoppedUntil: later(-HOUR), stopReason: 'We look into something' })
    .execute();
  assert.ok(await claimPost(db, byItself.postId));

  const slots = await makePublisher(db, outside.url);
  const inSlot = await makeScheduledPost(db, slots, { dueAt: later(-5 * HOUR) });
  assert.equal(await claimPost(db, inSlot), undefined);
  assert.ok((await findPost(db, slots, inSlot)).publishAt! > new Date(), 'the rule of slots is as it was');
});

test('a post that LinkedIn did not confirm stays so when it is asked for again and not sent', async () => {
  const ways = [
    async (postId: string) => {
      const dueAt = later(-4 * HOUR);
      await db.updateTable('postSchedules').set({ dueAt }).where('postId', '=', postId).execute();
      await claimPost(db, postId);
    },
    async (postId: string) => failClaim(db, (await claimPost(db, postId))!, failureText('no_picture')),
  ];
  for (const fail of ways) {
    const { actor, postId } = await sentByHand();
    await outside.fault('linkedin.500-after', { match: actor.userId });
    await publishPost(db, postId);
    await sweepAttempts(db, later(600_000));
    await postAgain(db, actor, postId);
    await fail(postId);
    const post = await findPost(db, actor, postId);
    assert.deepEqual(
      [post.status, post.isUnconfirmed, post.reason],
      ['failed', true, FAILURES.unconfirmed.reason],
    );
    const no = { code: 'unconfirmed' };
    await assert.rejects(editPost(db, actor, { postId, content: 'Another text.' }), no);
    await assert.rejects(retryPost(db, actor, postId), no);
  }
});

test('a limit that LinkedIn has named outlasts going back to its time, and new times', async () => {
  const { actor, postId } = await sentByHand(later(-1_000));
  await outside.fault('linkedin.429-day', { match: actor.userId });
  await publishPost(db, postId);
  const until = later(72 * HOUR);
  await standAs(db, postId, { notBefore: until, dueAt: until, enqueuedAt: until });
  await undoPublishNow(db, actor, postId);
  const at = (await findPost(db, actor, postId)).publishAt!;
  assert.ok(at < until);
  const isSent = async (when: Date) => (await claimPost(db, postId, when)) !== undefined;
  const putOff = async () => {
    const { dueAt, notBefore, isManual } = (await findQueued(db, postId))!;
    return { dueAt, notBefore, isManual };
  };
  assert.deepEqual(await putOff(), { dueAt: at, notBefore: until, isManual: false });
  assert.equal(await isSent(from(at, 60_000)), false);
  const moved = await saveSettings(db, actor, { publishTimes: ['11:11'] });
  assert.deepEqual(moved.publishTimes, ['11:11']);
  assert.deepEqual((await putOff()).notBefore, until);
});

test('back at its time a post has the time that its slot has by then', async () => {
  const admin = await makeUser(db, { isAdmin: true });
  const actor = await makePublisher(db, outside.url);
  await saveSettings(db, actor, { publishTimes: ['09:00'] });
  const [, slot] = slotsAfter(new Date(), await readTimetable(db, actor.userId, new Date()));
  const postId = await makeScheduledPost(db, actor, { dueAt: slot!.at });
  await stopPublishing(db, admin, { reason: 'We look at something' });
  await publishNow(db, actor, postId);
  await saveSettings(db, actor, { publishTimes: ['17:30'], timeZone: 'Asia/Kolkata' });
  await undoPublishNow(db, actor, postId);
  const { slotDate, slotNumber, publishAt } = await readPost(db, postId);
  const now = slotOf(slotDate!, slotNumber!, await readTimetable(db, actor.userId, new Date()))!;
  assert.deepEqual([publishAt, (await findQueued(db, postId))!.dueAt], [now.at, now.at]);
  assert.notDeepEqual(now.at, slot!.at);
});

test('where its slot has passed by then, a post that goes back takes the next free one', async () => {
  const admin = await makeUser(db, { isAdmin: true });
  const actor = await makePublisher(db, outside.url);
  const soon = later(HOUR);
  const postId = await makeScheduledPost(db, actor, { dueAt: soon });
  await stopPublishing(db, admin, { reason: 'We look at something' });
  await publishNow(db, actor, postId);
  const { slotDate } = await readPost(db, postId);
  const passed = new Date(Date.now() - 2 * 60_000).toISOString().slice(11, 16);
  await saveSettings(db, actor, { publishTimes: [passed] });
  await undoPublishNow(db, actor, postId);
  const { dueAt } = (await findQueued(db, postId))!;
  assert.ok(dueAt > soon, `${slotDate} ${passed}: ${dueAt.toISOString()}`);
});
