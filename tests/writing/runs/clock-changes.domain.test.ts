import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantOf, slotOf } from '#app/domain/automation/slots.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { storePost } from '#app/domain/writing/generate/store-post.ts';
import { startDueRuns } from '#app/domain/writing/runs/due.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { composedOf } from '#tests/fixtures/runs.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const HOUR = 3_600_000;
const ZONE = 'Europe/Paris';

async function writer(now: Date): Promise<Actor> {
  const actor = await makeUser(db, { timeZone: ZONE });
  await makePlan(db, actor, 1, now);
  await saveSettings(db, actor, { contentCreationTime: '08:00', publishTimes: ['09:00'] }, now);
  await makeTopic(db, actor);
  return actor;
}

const runsOf = (actor: Actor) =>
  db
    .selectFrom('generationRuns')
    .selectAll()
    .where('userId', '=', actor.userId)
    .orderBy('createdAt')
    .execute();

for (const [change, dates] of [
  ['a day of 23 hours', ['2027-03-27', '2027-03-28', '2027-03-29']],
  ['a day of 25 hours', ['2027-10-30', '2027-10-31', '2027-11-01']],
] as const) {
  test(`posts are written on the day before, on and after ${change}`, async () => {
    const creations = dates.map((date) => instantOf(date, '08:00', ZONE));
    const actor = await writer(new Date(creations[0]!.getTime() - HOUR));
    for (const at of creations) await startDueRuns(db, at);
    assert.deepEqual(
      (await runsOf(actor)).map(({ scheduledFor }) => scheduledFor),
      creations,
    );
  });
}

test('saving other settings does not skip a run that is due', async () => {
  const creation = instantOf('2027-05-04', '08:00', ZONE);
  const actor = await writer(new Date(creation.getTime() - HOUR));
  const after = new Date(creation.getTime() + 1_000);
  await saveSettings(db, actor, { requireApproval: true }, after);
  await startDueRuns(db, after);
  assert.equal((await runsOf(actor)).length, 1);
});

test('a post written while the publish times change gets the new time of its slot', async () => {
  const creation = instantOf('2027-05-04', '08:00', ZONE);
  const actor = await writer(new Date(creation.getTime() - HOUR));
  await startDueRuns(db, creation);
  const [run] = await runsOf(actor);
  const slot = slotOf('2027-05-04', 1, { publishTimes: ['09:00'], timeZone: ZONE })!;
  await saveSettings(db, actor, { publishTimes: ['17:30'] }, creation);
  const topic = await db
    .selectFrom('topics')
    .select('id')
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
  const composed = composedOf('A plan that fits on a postcard gets read.');
  const ids = { runId: run!.id, runIndex: 0, userId: actor.userId, topicId: topic.id };
  await storePost(db, { ...ids, generated: composed, slot, isRequested: false }, creation);
  const { dueAt } = await db
    .selectFrom('postSchedules')
    .select('dueAt')
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
  assert.deepEqual(dueAt, instantOf('2027-05-04', '17:30', ZONE));
});
