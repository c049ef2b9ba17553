import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Insertable } from 'kysely';
import { transact } from '#app/db/client.ts';
import type { Database } from '#app/db/tables.ts';
import { findAuthor } from '#app/domain/linkedin/author.ts';
import { getShellState } from '#app/domain/pages/shell.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { publishNow } from '#app/domain/publishing/manual/publish-now.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { skipPost } from '#app/domain/publishing/slots/move.ts';
import { markDeleted } from '#app/domain/publishing/state/post-state.ts';
import { loadDashboard } from '#app/routes/dashboard/load.ts';
import { presentNextPost } from '#app/routes/dashboard/schedule/present-next-post.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeConnection } from '#tests/fixtures/linkedin.ts';
import { endPlanAt, makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, makeTopic, standAs, takeOut } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

await startOutside();
const { db } = await testDatabase();

const today = Temporal.Now.plainDateISO('UTC').add({ days: 2 });
const at = (days: number, time: string) => new Date(`${today.add({ days })}T${time}:00Z`);
const NOON = at(0, '12:00');

/** Somebody in UTC with so many slots a day, written at 08:00, whose plan and settings are some days old. */
async function owner(publishTimes: string[], since = at(-10, '12:00')): Promise<Actor> {
  const actor = await makeUser(db, { timeZone: 'UTC' });
  await makePlan(db, actor, publishTimes.length, since);
  await makeTopic(db, actor);
  await saveSettings(db, actor, { publishTimes, contentCreationTime: '08:00', enabled: true }, since);
  await makeConnection(db, actor);
  return actor;
}

const load = (actor: Actor, now = NOON) =>
  loadDashboard(db, actor, new URLSearchParams(), getShellState(db, actor, now), now);

/** The rows of today, or of another of the two days. */
async function rows(actor: Actor, now = NOON, day = 0): Promise<string[]> {
  const { days } = await load(actor, now);
  return days[day]!.rows.map(({ time, title, detail }) => `${time.text} ${title}: ${detail}`);
}
const slots = async (actor: Actor, now = NOON, day = 0) =>
  (await rows(actor, now, day)).filter((row) => !row.includes(' Write '));

test('a post that was sent by hand has gone out when LinkedIn has it, and not before', async () => {
  const actor = await owner(['09:00', '18:00']);
  const id = await makeScheduledPost(db, actor, { content: 'By hand.', dueAt: at(1, '09:00') });
  await publishNow(db, actor, id, undefined, NOON);
  assert.deepEqual(
    (await slots(actor, NOON, 1))[0],
    '09:00 Its post was sent by hand: It is on its way to LinkedIn.',
  );
  const midnight = at(1, '00:00');
  await standAs(db, id, { dueAt: midnight, notBefore: midnight });
  assert.match(
    (await slots(actor, NOON, 1)).join('\n'),
    /09:00 Its post was sent by hand: LinkedIn takes it from \w+, \w+ \d+, 00:00 on\./,
  );
  await standAs(db, id, { dueAt: NOON, notBefore: null });
  await db
    .updateTable('linkedinConnections')
    .set({ status: 'expired' })
    .where('userId', '=', actor.userId)
    .execute();
  assert.deepEqual(
    (await slots(actor, NOON, 1))[0],
    '09:00 Its post was sent by hand: It has not gone out yet.',
  );
  for (const notBefore of [null, midnight]) {
    await standAs(db, id, { isUnconfirmed: true, notBefore });
    assert.equal(
      (await slots(actor, NOON, 1))[0],
      '09:00 Its post was sent by hand: LinkedIn has not confirmed whether it is out.',
    );
  }
  await standAs(db, id, { isUnconfirmed: false, notBefore: null });
  await takeOut(db, id);
  await standAs(db, id, { status: 'published', postedAt: at(0, '11:12') });
  assert.deepEqual((await slots(actor, NOON, 1))[0], '09:00 Sent at another time: Published 11:12.');
});

test('a failed post that was tried again hours later stands there, and its own time says when', async () => {
  const actor = await owner(['05:00', '18:00']);
  const id = await makeScheduledPost(db, actor, { content: 'Late.', dueAt: at(0, '05:00') });
  await takeOut(db, id);
  await standAs(db, id, { status: 'published', postedAt: at(0, '11:12') });
  const [morning, , late] = await rows(actor);
  assert.equal(morning, '05:00 Sent at another time: Published 11:12.');
  assert.match(late!, /^11:12 Late\./);
});

/** What the row of the writing says. */
const writing = async (actor: Actor, now = NOON) =>
  (await rows(actor, now)).find((row) => row.includes(' Write '))!.split(': ')[1];

type Ran = Partial<Insertable<Database['generationRuns']>>;
/** A run that is over, of one post that was not written. */
const ran = ({ userId }: Actor, run: Ran) =>
  db
    .insertInto('generationRuns')
    .values({ userId, requested: 1, failed: 1, status: 'complete', createdAt: NOON, ...run })
    .returning('id')
    .executeTakeFirstOrThrow();

/** A post that was written at an instant for a slot at 09:00. */
async function writtenAt(actor: Actor, createdAt: Date, days: number): Promise<string> {
  const id = await makeScheduledPost(db, actor, { dueAt: at(days, '09:00') });
  await db.updateTable('posts').set({ createdAt }).where('id', '=', id).execute();
  return id;
}

test('the writing of a day is not done by a post that waits for another day', async () => {
  const actor = await owner(['09:00']);
  await writtenAt(actor, at(-3, '12:00'), 7);
  await ran(actor, { scheduledFor: at(0, '08:00'), createdAt: at(0, '08:00'), error: 'x' });
  assert.equal(await writing(actor), '0 of 1 written');
  const early = await owner(['09:00']);
  await writtenAt(early, at(0, '06:59'), 7);
  assert.equal(await writing(early, at(0, '07:00')), 'Waiting');
});

test('the writing of a day is done when its run is, or when its slots have their posts', async () => {
  const actor = await owner(['09:00']);
  await ran(actor, { scheduledFor: at(0, '08:00'), createdAt: at(0, '08:00'), done: 1, failed: 0 });
  assert.equal(await writing(actor), 'Done');
  const before = await owner(['09:00']);
  await ran(before, { scheduledFor: at(0, '08:00'), createdAt: at(0, '08:00'), requested: 0, failed: 0 });
  assert.equal(await writing(before), 'Written before');
  const byHand = await owner(['09:00']);
  await writtenAt(byHand, at(0, '07:30'), 0);
  assert.equal(await writing(byHand, at(0, '07:40')), 'Written before');
  assert.equal(await writing(byHand), 'Done');
});

test('a day that was written says of a later time of writing what is to be written then', async () => {
  const actor = await owner(['09:00', '14:00']);
  await writtenAt(actor, at(0, '08:00'), 0);
  const id = await makeScheduledPost(db, actor, { dueAt: at(0, '14:00') });
  await db.updateTable('posts').set({ slotNumber: 2 }).where('id', '=', id).execute();
  const run = { scheduledFor: at(0, '08:00'), createdAt: at(0, '08:00'), requested: 2, done: 2, failed: 0 };
  await ran(actor, run);
  assert.equal(await writing(actor), 'Done');
  await saveSettings(db, actor, { contentCreationTime: '20:00' }, at(0, '10:00'));
  assert.equal(await writing(actor), 'Waiting');
});

test('nothing waits to be written at a time that comes after the plan', async () => {
  const actor = await owner(['09:00']);
  await endPlanAt(db, actor, at(0, '07:30'));
  assert.equal(await writing(actor, at(0, '07:00')), 'After your plan');
});

test('on the first day of a plan the writing is for the slots that it covers', async () => {
  const actor = await owner(['09:00', '18:00'], at(0, '10:00'));
  assert.equal(await writing(actor), 'Before your plan');
  await makeScheduledPost(db, actor, { dueAt: at(1, '09:00') });
  const id = await makeScheduledPost(db, actor, { dueAt: at(0, '18:00') });
  await db.updateTable('posts').set({ slotNumber: 2, createdAt: NOON }).where('id', '=', id).execute();
  assert.equal(await writing(actor), 'Done');
});

test('a slot that stayed empty says why by the run that was to fill it, and by no other', async () => {
  const actor = await owner(['09:00']);
  await ran(actor, { createdAt: at(0, '11:00'), error: 'The writer was not available' });
  assert.deepEqual(await slots(actor), ['09:00 Nothing went out: No post was ready for this time.']);
  const error = 'There is no active topic to write about';
  await ran(actor, { scheduledFor: at(0, '08:00'), createdAt: at(0, '08:00'), error });
  assert.deepEqual(await slots(actor), [`09:00 Nothing went out: No post was ready: ${error}.`]);
  const [slotDate, slotNumber] = [today.toString(), 1];
  await ran(actor, { slotDate, slotNumber, createdAt: at(0, '08:30'), error: 'The writer was busy' });
  assert.deepEqual(await slots(actor), ['09:00 Nothing went out: No post was ready: The writer was busy.']);
});

test('a slot that was written and emptied since is not blamed for another of its run', async () => {
  const actor = await owner(['08:05', '09:00', '10:00']);
  const error = 'Its time had passed before it could be written';
  const { id: runId } = await ran(actor, {
    scheduledFor: at(0, '08:00'),
    createdAt: at(0, '08:00'),
    error,
  });
  for (const [runIndex, time] of [
    [1, '09:00'],
    [2, '10:00'],
  ] as const) {
    const id = await makeScheduledPost(db, actor, { dueAt: at(0, time) });
    await db
      .updateTable('posts')
      .set({ runId, runIndex, slotNumber: runIndex + 1 })
      .where('id', '=', id)
      .execute();
    if (runIndex === 1) await skipPost(db, actor, id);
    else await transact(db, (trx) => markDeleted(trx, id, at(0, '09:30')));
  }
  assert.deepEqual(await slots(actor), [
    `08:05 Nothing went out: No post was ready: ${error}.`,
    '09:00 Nothing went out: No post was ready for this time.',
    '10:00 Nothing went out: No post was ready for this time.',
  ]);
});

test('a run between the times of a day is told by its own slots, and blamed for no other', async () => {
  const actor = await owner(['09:00', '14:00']);
  const error = 'The writer was not available';
  await ran(actor, { scheduledFor: at(0, '10:00'), createdAt: at(0, '10:00'), error });
  assert.equal(await writing(actor), '0 of 1 written');
  assert.equal(
    (await slots(actor, at(0, '15:00')))[1],
    `14:00 Nothing went out: No post was ready: ${error}.`,
  );
  assert.equal(
    (await slots(actor, at(1, '09:30')))[0],
    '09:00 Nothing went out: No post was ready for this time.',
  );
});

test('a slot that an earlier plan covered is none from before the plan', async () => {
  const actor = await owner(['03:00', '10:00', '18:00'], at(0, '11:30'));
  const [morning] = await slots(actor);
  assert.equal(morning, '03:00 Before your plan: Your plan had not begun.');
  const earlier = await owner(['03:00'], at(-10, '11:30'));
  const ended = { endsAt: at(0, '11:30'), status: 'expired' as const };
  await db.updateTable('payments').set(ended).where('userId', '=', earlier.userId).execute();
  await makePlan(db, earlier, 3, at(0, '11:30'));
  await saveSettings(db, earlier, { publishTimes: ['03:00', '10:00', '18:00'] }, at(0, '11:31'));
  assert.deepEqual(await slots(earlier), [
    '03:00 Nothing went out: No post was ready for this time.',
    '10:00 Before your upgrade: Your plan had fewer posts a day then.',
    '18:00 Open: No post is planned for this time yet.',
  ]);
});

test('what goes out next is what is due first, by hand or at its time, and that LinkedIn takes by then', async () => {
  const actor = await owner(['09:00']);
  const tomorrow = await makeScheduledPost(db, actor, { content: 'Tomorrow.', dueAt: at(1, '09:00') });
  const sent = await makeScheduledPost(db, actor, { content: 'Now.', dueAt: at(6, '09:00') });
  assert.equal((await load(actor)).next?.id, tomorrow);
  await publishNow(db, actor, sent, undefined, NOON);
  assert.equal((await load(actor)).next?.id, sent);
  await standAs(db, sent, { notBefore: at(2, '00:00') });
  assert.equal((await load(actor)).next?.id, tomorrow);
});

test('what goes out next is found behind many that LinkedIn takes only later', async () => {
  const actor = await owner(['09:00', '10:00', '11:00', '12:00', '13:00']);
  const first = await makeScheduledPost(db, actor, { content: 'First.', dueAt: at(4, '09:00') });
  for (const time of ['09:00', '10:00', '11:00', '12:00', '13:00']) {
    const later = await makeScheduledPost(db, actor, { dueAt: at(3, time) });
    await standAs(db, later, { notBefore: at(5, '00:00') });
  }
  assert.equal((await load(actor)).next?.id, first);
});

test('what goes out next says when its turn comes, or that it is too late for its time by then', async () => {
  const actor = await owner(['09:00']);
  const post = await findPost(db, actor, await makeScheduledPost(db, actor, { dueAt: at(0, '09:00') }));
  const author = await findAuthor(db, actor);
  const wordsAt = (time: string) => {
    const late = { ...post, turnAt: at(0, time), isConnected: true, isStopped: false };
    return presentNextPost(late, author, actor, null, at(0, '09:05')).words;
  };
  assert.equal(wordsAt('09:20'), 'Waits its turn: goes out about 09:20.');
  assert.equal(wordsAt('12:01'), 'Late: takes your next free time.');
});
