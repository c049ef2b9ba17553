import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { transact } from '#app/db/client.ts';
import { planRun } from '#app/domain/automation/due-users.ts';
import type { SettingsChange } from '#app/domain/automation/schema.ts';
import { instantOf, lastTimeOfDay, nextTimeOfDay, slotsBetween } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { listTakenSlots } from '#app/domain/posts/rows.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { movePost, skipPost } from '#app/domain/publishing/slots/move.ts';
import { addPost, markDeleted } from '#app/domain/publishing/state/post-state.ts';
import { RUNS_A_DAY_MAX } from '#app/domain/writing/limits.ts';
import { startDueRuns } from '#app/domain/writing/runs/due.ts';
import { findOpenItems } from '#app/domain/writing/runs/run-slots.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const on = (day: number, time: string) => instantOf(`2027-05-${String(day).padStart(2, '0')}`, time, 'UTC');

/** Posts are written from the fourth of May on, at 08:00 for 09:00 and 14:00. */
async function writer(change: SettingsChange = {}): Promise<Actor> {
  const actor = await makeUser(db, { timeZone: 'UTC' });
  await makePlan(db, actor, 2, on(3, '12:00'));
  await makeTopic(db, actor);
  const rules = { contentCreationTime: '08:00', publishTimes: ['09:00', '14:00'], ...change };
  await saveSettings(db, actor, rules, on(3, '12:00'));
  return actor;
}

/** A tick: what is due is started, and all that it has to write is written. Answers the slots. */
async function tick(actor: Actor, now: Date): Promise<string[]> {
  await startDueRuns(db, now);
  const runs = await db
    .selectFrom('generationRuns')
    .selectAll()
    .where('userId', '=', actor.userId)
    .where('status', '<>', 'complete')
    .execute();
  const written: string[] = [];
  for (const run of runs) {
    const { open } = await findOpenItems(db, run, now);
    for (const { position, slot } of open) {
      const post = { userId: actor.userId, runId: run.id, runIndex: position, createdAt: now };
      const content = `${run.id} ${position}`;
      const id = await transact(db, (trx) => addPost(trx, { ...post, content, hashtags: [] }, slot));
      assert.ok(id, 'its slot was taken');
      written.push(`${slot!.date} ${slot!.number}`);
    }
    await db.updateTable('generationRuns').set({ status: 'complete' }).where('id', '=', run.id).execute();
  }
  return written;
}

const countRuns = async (actor: Actor) =>
  (await db.selectFrom('generationRuns').select('id').where('userId', '=', actor.userId).execute()).length;

type Step = [at: Date, change: SettingsChange | null];

/** Saves and ticks, one after the other; a minute after each save the worker looks. */
async function live(actor: Actor, steps: Step[]): Promise<string[]> {
  const written: string[] = [];
  for (const [at, change] of steps) {
    written.push(...(await tick(actor, at)));
    if (!change) continue;
    await saveSettings(db, actor, change, at);
    written.push(...(await tick(actor, new Date(at.getTime() + 60_000))));
  }
  return written;
}

const MORNING: Step = [on(4, '08:00'), null];
const TODAY = ['2027-05-04 1', '2027-05-04 2'];

for (const [promise, steps, expected] of [
  [
    'an earlier creation time that has passed before the day was written',
    [
      [on(4, '07:30'), { contentCreationTime: '07:00' }],
      [on(4, '22:00'), null],
    ],
    TODAY,
  ],
  [
    'automation that was off over the creation time',
    [
      [on(4, '07:50'), { enabled: false }],
      [on(4, '08:20'), { enabled: true }],
      [on(4, '22:00'), null],
    ],
    TODAY,
  ],
  [
    'a zone in which the creation time has passed',
    [
      [on(4, '07:30'), { timeZone: 'Asia/Kolkata' }],
      [on(4, '22:00'), null],
    ],
    ['2027-05-04 2'],
  ],
  [
    'a publish time that moves before the creation time of the day after',
    [MORNING, [on(4, '20:00'), { publishTimes: ['07:00', '14:00'] }], [on(5, '07:30'), null]],
    [...TODAY, '2027-05-05 1'],
  ],
  [
    'automation that comes on between the times of a day',
    [
      [on(4, '07:50'), { enabled: false }],
      [on(4, '10:00'), { enabled: true }],
    ],
    ['2027-05-04 2'],
  ],
] satisfies [string, Step[], string[]][]) {
  test(`${promise}: what is left of the day is written at once`, async () => {
    assert.deepEqual(await live(await writer(), steps as Step[]), expected);
  });
}

test('automation that comes on in the evening waits for the next creation time', async () => {
  const actor = await writer();
  await live(actor, [
    [on(4, '07:50'), { enabled: false }],
    [on(4, '20:00'), { enabled: true }],
  ]);
  assert.equal(await countRuns(actor), 0);
  assert.deepEqual(await tick(actor, on(5, '08:00')), ['2027-05-05 1', '2027-05-05 2']);
});

test('who had no plan at the creation time waits for the next one, whatever they save', async () => {
  const actor = await writer();
  await saveSettings(db, actor, { contentCreationTime: '11:00' }, on(3, '12:30'));
  assert.deepEqual(await tick(actor, on(3, '12:31')), []);
  assert.equal(await countRuns(actor), 0);
});

test('a day that was written is not written again for a pause, nor for an earlier creation time and back', async () => {
  const actor = await writer();
  await live(actor, [
    MORNING,
    [on(4, '08:30'), { enabled: false }],
    [on(4, '08:40'), { enabled: true }],
    [on(4, '08:50'), { contentCreationTime: '07:00' }],
    [on(4, '08:52'), { contentCreationTime: '08:00' }],
  ]);
  assert.equal(await countRuns(actor), 1);
  assert.deepEqual(await tick(actor, on(5, '08:00')), ['2027-05-05 1', '2027-05-05 2']);
});

test('an earlier creation time and back before it, or one saved twice, makes one run of the day', async () => {
  const actor = await writer();
  await saveSettings(db, actor, { contentCreationTime: '07:00' }, on(4, '07:30'));
  await saveSettings(db, actor, { contentCreationTime: '06:30' }, on(4, '07:30'));
  await live(actor, [
    [on(4, '07:31'), { contentCreationTime: '08:00' }],
    [on(4, '08:00'), null],
    [on(4, '22:00'), null],
  ]);
  assert.equal(await countRuns(actor), 1);
});

/** The posts in slots after an instant. */
const waiting = ({ userId }: Actor, after: Date) =>
  db
    .selectFrom('posts')
    .select('id')
    .where('userId', '=', userId)
    .where('publishAt', '>', after)
    .where('deletedAt', 'is', null)
    .execute();

const deletePosts = async (actor: Actor, now: Date) => {
  for (const { id } of await waiting(actor, now)) await transact(db, (trx) => markDeleted(trx, id, now));
};
const skipPosts = async (actor: Actor, now: Date) => {
  for (const { id } of await waiting(actor, now)) await skipPost(db, actor, id);
};

for (const [empty, how] of [
  [deletePosts, 'deleted'],
  [skipPosts, 'set aside'],
] as const) {
  for (const [saved, written] of [
    ['12:00', '12:01'],
    ['10:30', '11:00'],
  ] as const) {
    test(`a slot whose post was ${how} stays empty when the creation time moves to 11:00 at ${saved}`, async () => {
      const actor = await writer();
      assert.deepEqual(await tick(actor, on(4, '08:00')), TODAY);
      await empty(actor, on(4, '10:00'));
      await saveSettings(db, actor, { contentCreationTime: '11:00' }, on(4, saved));
      assert.deepEqual(await tick(actor, on(4, written)), ['2027-05-05 1']);
      assert.deepEqual(await tick(actor, on(5, '11:00')), ['2027-05-05 2', '2027-05-06 1']);
    });
  }
}

for (const [moved, left] of [
  [false, '2027-05-04 2'],
  [true, '2027-05-05 2'],
] as const) {
  const where = moved ? 'the slot it was moved to' : 'its slot';
  test(`after a change of the times a post that was set aside has left ${where}, and no other`, async () => {
    const actor = await writer();
    await tick(actor, on(4, '08:00'));
    const [post] = await waiting(actor, on(4, '13:00'));
    const to = { postId: post!.id, slot: { date: '2027-05-05', number: 2 } };
    if (moved) await movePost(db, actor, to, on(4, '09:30'));
    await skipPost(db, actor, post!.id);
    await sendDue(actor, on(4, '10:00'));
    await saveSettings(db, actor, { publishTimes: ['07:00', '15:00'] }, on(4, '10:00'));
    const written = [...(await tick(actor, on(4, '10:01'))), ...(await tick(actor, on(5, '06:59')))];
    written.push(...(await tick(actor, on(5, '08:00'))));
    assert.deepEqual([written.includes('2027-05-05 1'), written.includes(left)], [true, false]);
  });
}

test('who empties the slots and saves each minute has each slot written once', async () => {
  const actor = await writer();
  const written = await tick(actor, on(4, '08:00'));
  for (let minute = 0; minute < 20; minute += 1) {
    const now = new Date(on(4, '10:00').getTime() + minute * 60_000);
    const passed = new Date(now.getTime() - 60_000).toISOString().slice(11, 16);
    await deletePosts(actor, now);
    await saveSettings(db, actor, { contentCreationTime: passed }, now);
    const publishTimes = minute % 2 ? ['09:00', '14:00'] : ['08:30', '14:00'];
    await saveSettings(db, actor, { publishTimes }, now);
    written.push(...(await tick(actor, new Date(now.getTime() + 1_000))));
  }
  assert.deepEqual(written, [...TODAY, '2027-05-05 1']);
  assert.ok((await countRuns(actor)) <= 2, 'no run begins that has nothing to write');
});

test('a slot whose post was moved away is not written anew for two saves', async () => {
  const actor = await writer({ publishTimes: ['14:00', '18:00'] });
  await tick(actor, on(4, '08:00'));
  const moved = { slotDate: '2027-05-20', publishAt: on(20, '14:00') };
  await db.updateTable('posts').set(moved).where('userId', '=', actor.userId).execute();
  await saveSettings(db, actor, { contentCreationTime: '11:00' }, on(4, '12:00'));
  await saveSettings(db, actor, { contentCreationTime: '11:10' }, on(4, '12:00'));
  assert.deepEqual(await tick(actor, on(4, '12:01')), []);
  assert.equal(await countRuns(actor), 1);
});

/** Writes down a run of somebody who asked for a post, and ends it later. */
async function ask(actor: Actor, now: Date) {
  const { id } = await generateNow(db, actor, { count: 1 }, now);
  return () => db.updateTable('generationRuns').set({ status: 'complete' }).where('id', '=', id).execute();
}

test('a slot whose post was moved away is not written anew for a pause while another post is asked for', async () => {
  const actor = await writer({ publishTimes: ['14:00', '18:00'] });
  await tick(actor, on(4, '08:00'));
  const moved = { slotDate: '2027-05-20', publishAt: on(20, '14:00') };
  await db.updateTable('posts').set(moved).where('userId', '=', actor.userId).execute();
  const end = await ask(actor, on(4, '12:00'));
  await saveSettings(db, actor, { enabled: false }, on(4, '12:00'));
  await saveSettings(db, actor, { enabled: true }, on(4, '12:00'));
  await end();
  assert.deepEqual(await tick(actor, on(4, '12:01')), []);
});

test('a post that is asked for holds the run of the day back for two minutes at most', async () => {
  const actor = await writer();
  const end = await ask(actor, on(4, '07:59'));
  await startDueRuns(db, on(4, '08:00'));
  assert.equal(await countRuns(actor), 1);
  await startDueRuns(db, on(4, '08:01'));
  assert.equal(await countRuns(actor), 2);
  await end();
  assert.deepEqual(await tick(actor, on(4, '08:01')), TODAY);
});

test('so many runs a day begin by themselves, and the next when there is room again', async () => {
  const actor = await writer();
  const lookAt = async (now: Date) => {
    await transact(db, (trx) => planRun(trx, actor.userId, now));
    await tick(actor, now);
    return countRuns(actor);
  };
  const minute = (at: number) => new Date(on(4, '10:00').getTime() + at * 60_000);
  for (let at = 0; at < RUNS_A_DAY_MAX; at += 1) assert.equal(await lookAt(minute(at)), at + 1);
  assert.equal(await lookAt(minute(30)), RUNS_A_DAY_MAX);
  const { nextRunAt } = await db
    .selectFrom('automationSettings')
    .select('nextRunAt')
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
  assert.deepEqual(nextRunAt, on(4, '11:30'));
  assert.equal(await lookAt(on(5, '10:00')), RUNS_A_DAY_MAX + 1);
});

test('settings that are saved while a run is under way leave none of its slots out, and begin no second one', async () => {
  const actor = await writer();
  await startDueRuns(db, on(4, '08:00'));
  await saveSettings(db, actor, { contentCreationTime: '08:20' }, on(4, '08:30'));
  await startDueRuns(db, on(4, '08:31'));
  assert.equal(await countRuns(actor), 1);
  const written = [...(await tick(actor, on(4, '08:32'))), ...(await tick(actor, on(4, '08:33')))];
  assert.deepEqual(written, TODAY);
});

test('a run that never ends keeps the next one back for some hours', async () => {
  const actor = await writer();
  await startDueRuns(db, on(4, '08:00'));
  await startDueRuns(db, on(5, '08:00'));
  assert.equal(await countRuns(actor), 2);
});

const TIMES = ['00:30', '05:00', '07:00', '08:00', '09:30', '12:00', '15:00', '18:00', '22:00', '23:30'];
const ZONES = ['UTC', 'Asia/Kolkata', 'Asia/Tokyo', 'America/New_York', 'Europe/Paris', 'Pacific/Kiritimati'];
const change: fc.Arbitrary<SettingsChange> = fc.oneof(
  fc.record({ contentCreationTime: fc.constantFrom(...TIMES) }),
  fc.record({ timeZone: fc.constantFrom(...ZONES) }),
  fc.record({ enabled: fc.boolean() }),
  fc.record({ publishTimes: fc.uniqueArray(fc.constantFrom(...TIMES), { minLength: 2, maxLength: 2 }) }),
  fc.record({ contentCreationTime: fc.constantFrom(...TIMES), timeZone: fc.constantFrom(...ZONES) }),
);
const saves = fc.array(fc.tuple(fc.integer({ min: 10, max: 20 * 60 }), change), {
  minLength: 4,
  maxLength: 10,
});

/** What was due has gone out. */
const sendDue = (actor: Actor, now: Date) =>
  db
    .updateTable('postSchedules')
    .set({ dueAt: null, heldAt: null, notBefore: null, enqueuedAt: null })
    .where('userId', '=', actor.userId)
    .where('dueAt', '<=', now)
    .execute();

/** The slots until the next creation time that are still to come, while automation is on. */
async function owed(actor: Actor, now: Date): Promise<string[]> {
  const timetable = await readTimetable(db, actor.userId, now);
  const { contentCreationTime: time, timeZone, isEnabled } = timetable;
  if (!isEnabled || lastTimeOfDay(time, timeZone, now) < on(3, '12:00')) return [];
  const slots = slotsBetween(now, nextTimeOfDay(time, timeZone, now), timetable);
  return slots.map(({ date, number }) => `${date} ${number}`);
}

test('whatever is saved, and when, each slot to come is written once, by the creation time before it', async () => {
  await fc.assert(
    fc.asyncProperty(saves, async (steps) => {
      const actor = await writer();
      const written = new Set<string>();
      const look = async (now: Date) => {
        const slots = await tick(actor, now);
        for (const slot of slots) {
          assert.ok(!written.has(slot), `${slot} is written twice`);
          written.add(slot);
        }
        const held = await listTakenSlots(db, actor.userId, '2027-05-01');
        for (const slot of await owed(actor, now)) {
          assert.ok(written.has(slot) || held.has(slot), `${slot} is not written at ${now.toISOString()}`);
        }
      };
      let now = on(3, '12:00').getTime();
      const pass = async (minutes: number) => {
        const until = now + minutes * 60_000;
        for (;;) {
          const { nextRunAt } = await db
            .selectFrom('automationSettings')
            .select('nextRunAt')
            .where('userId', '=', actor.userId)
            .executeTakeFirstOrThrow();
          const due = nextRunAt!.getTime();
          // While automation is off nothing moves it on.
          if (due > until || due <= now) break;
          now = due;
          await look(new Date(now));
        }
        now = until;
      };
      for (const [minutes, saved] of steps) {
        await pass(minutes);
        await sendDue(actor, new Date(now));
        await saveSettings(db, actor, saved, new Date(now));
        await look(new Date(now + 1_000));
      }
      await pass(3 * 24 * 60);
      const days = Map.groupBy(written, (slot) => slot.slice(0, 10));
      for (const [date, ofDay] of days) assert.ok(ofDay.length <= 2, `${ofDay.length} posts on ${date}`);
    }),
    { numRuns: 30, seed: 88, endOnFailure: true },
  );
});
