import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor } from '#app/domain/actor.ts';
import { publishNow } from '#app/domain/publishing/by-hand.ts';
import { saveSettings } from '#app/domain/queue/refit.ts';
import { loadDashboard } from '#app/routes/dashboard/load.ts';
import { testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';
import { makeConnection } from '#tests/make/linkedin.ts';
import { startOutside } from '#tests/make/outside.ts';
import { makePlan } from '#tests/make/payments.ts';
import { makeScheduledPost, makeTopic, standAs, takeOut } from '#tests/make/posts.ts';

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

const load = (actor: Actor, now = NOON) => loadDashboard(db, actor, new URLSearchParams(), now);

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
  await publishNow(db, actor, id, NOON);
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
