import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NotNull } from 'kysely';
import { transact } from '#app/db/client.ts';
import { DAYS_OFF_MAX, WEEKDAYS } from '#app/domain/automation/limits.ts';
import { SettingsChange } from '#app/domain/automation/schema.ts';
import { getSettings } from '#app/domain/automation/settings.ts';
import { instantOf } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { findFreeSlots } from '#app/domain/publishing/slots/free-slots.ts';
import { moveLatePosts } from '#app/domain/publishing/slots/too-late.ts';
import { addPost } from '#app/domain/publishing/state/post-state.ts';
import { startDueRuns } from '#app/domain/writing/runs/due.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { makeConnection } from '#tests/fixtures/linkedin.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { writeWhole } from '#tests/fixtures/runs.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

await startOutside();
const { db } = await testDatabase();
const ZONE = 'Europe/Paris';
const WORKING_DAYS = WEEKDAYS.slice(0, 5);

// A Thursday.
const before = instantOf('2027-05-06', '07:00', ZONE);
const at = (day: string, time: string) => instantOf(`2027-05-${day}`, time, ZONE);

async function writer(change: SettingsChange = {}, postsPerDay = 2): Promise<Actor> {
  const actor = await makeUser(db, { timeZone: ZONE });
  await makePlan(db, actor, postsPerDay, before);
  const publishTimes = ['09:00', '14:00', '18:00'].slice(0, postsPerDay);
  await saveSettings(db, actor, { contentCreationTime: '08:00', publishTimes, ...change }, before);
  await makeTopic(db, actor);
  return actor;
}

/** Fills the next free slots. */
async function fill(actor: Actor, count: number, now = before): Promise<void> {
  const timetable = await readTimetable(db, actor.userId, now);
  for (const slot of await findFreeSlots(db, actor.userId, timetable, now, count)) {
    const content = `Meant for ${slot.date} ${slot.number}.`;
    const post = { userId: actor.userId, content, hashtags: [] };
    await transact(db, (trx) => addPost(trx, post, slot, 'generated'));
  }
}

const queueOf = (actor: Actor) =>
  db
    .selectFrom('postSchedules')
    .innerJoin('posts', 'posts.id', 'postSchedules.postId')
    .select(['posts.content', 'posts.slotDate', 'posts.slotNumber', 'postSchedules.dueAt'])
    .$narrowType<{ dueAt: NotNull; slotDate: NotNull }>()
    .where('postSchedules.userId', '=', actor.userId)
    .orderBy('postSchedules.dueAt')
    .execute();
const slotsOf = async (actor: Actor) =>
  (await queueOf(actor)).map(({ slotDate, slotNumber }) => `${slotDate.slice(8)} ${slotNumber}`);

const refusal = (message: string) => ({ status: 422, code: 'invalid', field: 'daysOff', message });

test('posts of a day that is taken out move to the next free slots in their order, without a mail', async () => {
  const actor = await writer();
  await fill(actor, 5);
  assert.deepEqual(await slotsOf(actor), ['06 1', '06 2', '07 1', '07 2', '08 1']);
  await saveSettings(db, actor, { publishDays: WEEKDAYS.filter((day) => day !== 'friday') }, before);
  const queue = await queueOf(actor);
  assert.deepEqual(
    queue.map(({ content, slotDate, slotNumber }) => [content, `${slotDate} ${slotNumber}`]),
    [
      ['Meant for 2027-05-06 1.', '2027-05-06 1'],
      ['Meant for 2027-05-06 2.', '2027-05-06 2'],
      ['Meant for 2027-05-08 1.', '2027-05-08 1'],
      ['Meant for 2027-05-07 1.', '2027-05-08 2'],
      ['Meant for 2027-05-07 2.', '2027-05-09 1'],
    ],
  );
  assert.deepEqual(queue[3]!.dueAt, at('08', '14:00'));
  assert.deepEqual(await mailsTo(db, actor.email, 'postMoved'), []);
});

test('a day off moves its posts; taken back, the others stay where they are', async () => {
  const actor = await writer();
  await fill(actor, 3);
  await saveSettings(db, actor, { daysOff: ['2027-05-06', '2027-05-08'] }, before);
  assert.deepEqual(await slotsOf(actor), ['07 1', '07 2', '09 1']);
  await saveSettings(db, actor, { daysOff: [] }, before);
  assert.deepEqual(await slotsOf(actor), ['07 1', '07 2', '09 1']);
});

test('a post that is too late moves past the days that are left out', async () => {
  const actor = await writer({ publishDays: WORKING_DAYS, daysOff: ['2027-05-10'] }, 1);
  await fill(actor, 2);
  assert.deepEqual(await slotsOf(actor), ['06 1', '07 1']);
  await makeConnection(db, actor, { connectedAt: before, expiresAt: at('30', '09:00') });
  await moveLatePosts(db, actor.userId, at('07', '16:00'));
  assert.deepEqual(await slotsOf(actor), ['11 1', '12 1']);
});

test('nothing is written twice around days that are left out, and nothing in a heap after them', async () => {
  const actor = await writer({ publishDays: WORKING_DAYS, daysOff: ['2027-05-10', '2027-05-11'] });
  const written: [day: string, slots: string[]][] = [];
  for (const day of ['06', '07', '08', '09', '10', '11', '12', '13']) {
    const now = at(day, '08:00');
    const known = await slotsOf(actor);
    await startDueRuns(db, now);
    const { id } = await db
      .selectFrom('generationRuns')
      .select('id')
      .where('userId', '=', actor.userId)
      .where('scheduledFor', '=', now)
      .executeTakeFirstOrThrow();
    await writeWhole(db, id, now);
    written.push([day, (await slotsOf(actor)).filter((slot) => !known.includes(slot))]);
    const run = await db
      .selectFrom('generationRuns')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.deepEqual([run.status, run.done, run.error], ['complete', run.requested, null]);
  }
  assert.deepEqual(written, [
    ['06', ['06 1', '06 2']],
    ['07', ['07 1', '07 2']],
    // What goes out after the days off is written when the last day before them is over.
    ['08', ['12 1', '12 2']],
    ['09', []],
    ['10', []],
    ['11', []],
    ['12', []],
    ['13', ['13 1', '13 2']],
  ]);
});

test('a change of some fields leaves the days as they are, and days off that have passed drop off', async () => {
  const actor = await writer({ publishDays: WORKING_DAYS, daysOff: ['2027-05-06', '2027-05-20'] });
  await saveSettings(db, actor, { requireApproval: true }, before);
  const settings = await getSettings(db, actor, before);
  assert.deepEqual(settings.publishDays, WORKING_DAYS);
  assert.deepEqual(settings.daysOff, ['2027-05-06', '2027-05-20']);
  const later = at('07', '00:00');
  assert.deepEqual((await getSettings(db, actor, later)).daysOff, ['2027-05-20']);
  // A form that was opened before midnight sends it again.
  const again = await saveSettings(db, actor, { daysOff: ['2027-05-06', '2027-05-21'] }, later);
  assert.deepEqual(again.daysOff, ['2027-05-21']);
});

test('days off that have passed are kept for calendars beside those to come, the latest first, as many as there is room for', async () => {
  const actor = await writer({ daysOff: ['2027-05-07'] });
  const later = at('09', '09:00');
  const kept = async () => (await readTimetable(db, actor.userId, later)).daysOff;
  const saved = await saveSettings(db, actor, { daysOff: ['2027-05-20'] }, later);
  assert.deepEqual([saved.daysOff, await kept()], [['2027-05-20'], ['2027-05-07', '2027-05-20']]);
  await saveSettings(db, actor, { requireApproval: true }, later);
  assert.deepEqual(await kept(), ['2027-05-07', '2027-05-20']);
  const daysFrom = (first: string, count: number) =>
    Array.from({ length: count }, (_, days) => Temporal.PlainDate.from(first).add({ days }).toString());
  const passed = daysFrom('2027-03-01', DAYS_OFF_MAX);
  await db
    .updateTable('automationSettings')
    .set({ daysOff: passed })
    .where('userId', '=', actor.userId)
    .execute();
  await saveSettings(db, actor, { daysOff: ['2027-05-20', '2027-05-21'] }, later);
  assert.deepEqual(await kept(), [...passed.slice(2), '2027-05-20', '2027-05-21']);
  await saveSettings(db, actor, { daysOff: daysFrom('2027-06-01', DAYS_OFF_MAX) }, later);
  assert.deepEqual(await kept(), daysFrom('2027-06-01', DAYS_OFF_MAX));
});

test('a day off that has passed or lies too far ahead is refused, and nothing changes', async () => {
  const actor = await writer({ daysOff: ['2027-05-20'] });
  const save = (daysOff: string[]) => saveSettings(db, actor, { daysOff, publishDays: ['monday'] }, before);
  await assert.rejects(
    save(['2027-05-04']),
    refusal('Tue, May 04 has passed. Choose a day off that is still to come'),
  );
  await assert.rejects(save(['2029-05-07']), refusal('Days off can be chosen up to 2 years ahead'));
  const settings = await getSettings(db, actor, before);
  assert.deepEqual([settings.daysOff, settings.publishDays], [['2027-05-20'], [...WEEKDAYS]]);
  assert.deepEqual((await save(['2029-05-06'])).daysOff, ['2029-05-06']);
});

test('a rule that leaves no day, days that are none and too many of them are refused with a sentence', () => {
  const saying = (change: object) => SettingsChange.safeParse(change).error?.issues[0]?.message;
  assert.equal(saying({ publishDays: [] }), 'Choose at least one day of the week on which posts go out');
  assert.equal(saying({ publishDays: ['moonday'] }), 'Please choose from the days of the week');
  assert.equal(saying({ publishDays: 'monday' }), 'Please give a list of days');
  assert.equal(saying({ daysOff: ['2027-02-30'] }), 'Please give a date as YYYY-MM-DD');
  assert.equal(saying({ daysOff: [7] }), 'Please give a date as YYYY-MM-DD');
  assert.equal(saying({ daysOff: null }), 'Please give a list of dates');
  const dates = Array.from({ length: DAYS_OFF_MAX + 1 }, (_, day) =>
    Temporal.PlainDate.from('2027-06-01').add({ days: day }).toString(),
  );
  assert.equal(saying({ daysOff: dates }), `At most ${DAYS_OFF_MAX} days off can be kept`);
  assert.deepEqual(SettingsChange.parse({ daysOff: [...dates.slice(1), dates[1]] }).daysOff, dates.slice(1));
  assert.deepEqual(SettingsChange.parse({ publishDays: ['sunday', 'monday', 'sunday'] }).publishDays, [
    'monday',
    'sunday',
  ]);
});

test('the database keeps no rule that leaves no day', async () => {
  const actor = await writer();
  const set = (publishDays: string[]) =>
    db.updateTable('automationSettings').set({ publishDays }).where('userId', '=', actor.userId).execute();
  await assert.rejects(set([]), /automation_settings_publish_days_are_days/);
  await assert.rejects(set(['moonday']), /automation_settings_publish_days_are_days/);
});
