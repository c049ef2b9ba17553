import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localDays } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { listPostsAround } from '#app/domain/posts/lists/around-now.ts';
import { listPosts, listScheduled } from '#app/domain/posts/lists/list.ts';
import { listOutlinesOf, type PostOutline } from '#app/domain/posts/lists/outlines.ts';
import { type Entry, spanOf, toAgenda } from '#app/domain/publishing/slots/agenda.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, standAs, takeOut } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const NOW = new Date('2026-11-24T12:00:00Z');
const DAY = { from: new Date('2026-11-24T00:00:00Z'), to: new Date('2026-11-25T00:00:00Z') };
const at = (time: string, day = '2026-11-24') => new Date(`${day}T${time}:00Z`);

/** A user in UTC with slots at 09:00, 14:00 and 18:00. */
async function someone(): Promise<Actor> {
  const actor = await makeUser(db, {});
  await makePlan(db, actor, 3, NOW);
  await saveSettings(db, actor, { publishTimes: ['09:00', '14:00', '18:00'], timeZone: 'UTC' }, NOW);
  return actor;
}

async function day(actor: Actor, span = DAY) {
  const posts = await listOutlinesOf(db, actor, spanOf(span, 'UTC'), NOW);
  const entries = toAgenda(posts, await readTimetable(db, actor.userId, NOW), span, NOW);
  return entries.map((entry) => `${entry.at.toISOString().slice(11, 16)} ${nameOf(entry)}`);
}
const nameOf = (entry: Entry<PostOutline>) => (entry.kind === 'post' ? entry.post.content : entry.kind);

const out = async (postId: string, postedAt: Date) => {
  await takeOut(db, postId);
  await standAs(db, postId, { status: 'published', postedAt });
};

test('slots without posts are empty when they have passed, and open while they are to come', async () => {
  assert.deepEqual(await day(await someone()), ['09:00 empty', '14:00 open', '18:00 open']);
});

test('a post stands at its slot, also when it went out a little late or failed', async () => {
  const actor = await someone();
  await out(await makeScheduledPost(db, actor, { content: 'out', dueAt: at('09:00') }), at('09:40'));
  const failed = await makeScheduledPost(db, actor, { content: 'failed', dueAt: at('14:00') });
  await takeOut(db, failed);
  await standAs(db, failed, { status: 'failed', failure: 'refused', reason: 'No' });
  await makeScheduledPost(db, actor, { content: 'waits', dueAt: at('18:00') });
  assert.deepEqual(await day(actor), ['09:00 out', '14:00 failed', '18:00 waits']);
});

test('what was sent by hand stands at its own time, and its slot is taken', async () => {
  const actor = await someone();
  await makeScheduledPost(db, actor, { content: 'first', dueAt: at('09:00') });
  await makeScheduledPost(db, actor, { content: 'second', dueAt: at('14:00') });
  await out(await makeScheduledPost(db, actor, { content: 'by hand', dueAt: at('18:00') }), at('11:12'));
  assert.deepEqual(await day(actor), ['09:00 first', '11:12 by hand', '14:00 second', '18:00 taken']);
});

test('a post of another day that was sent by hand stands where it went out, not where it was planned', async () => {
  const actor = await someone();
  const tomorrow = { from: DAY.to, to: new Date('2026-11-26T00:00:00Z') };
  await out(
    await makeScheduledPost(db, actor, { content: 'early', dueAt: at('09:00', '2026-11-25') }),
    at('11:12'),
  );
  assert.deepEqual(await day(actor), ['09:00 empty', '11:12 early', '14:00 open', '18:00 open']);
  assert.deepEqual(await day(actor, tomorrow), ['09:00 taken', '14:00 open', '18:00 open']);
});

test('what is on its way by hand stands at the time at which it is sent', async () => {
  const actor = await someone();
  const id = await makeScheduledPost(db, actor, { content: 'now', dueAt: at('09:00', '2026-11-25') });
  await standAs(db, id, { isManual: true, dueAt: at('11:59') });
  assert.deepEqual(await day(actor), ['09:00 empty', '11:59 now', '14:00 open', '18:00 open']);
});

test('posts of others and deleted ones do not show', async () => {
  const [actor, other] = [await someone(), await someone()];
  await makeScheduledPost(db, other, { content: 'of another', dueAt: at('09:00') });
  const id = await makeScheduledPost(db, actor, { content: 'deleted', dueAt: at('14:00') });
  await takeOut(db, id);
  await db.updateTable('posts').set({ deletedAt: NOW }).where('id', '=', id).execute();
  await standAs(db, id, { deletedAt: NOW });
  assert.deepEqual(await day(actor), ['09:00 empty', '14:00 open', '18:00 open']);
});

test('a page reads the posts of its days, the latest beside them and the soonest at once, as the lists have them', async () => {
  const actor = await someone();
  const other = await someone();
  await makeScheduledPost(db, other, { content: 'of another', dueAt: at('14:00') });
  for (const [n, time] of ['09:00', '14:00', '18:00'].entries()) {
    await out(await makeScheduledPost(db, actor, { content: `out ${n}`, dueAt: at(time) }), at(time));
    await makeScheduledPost(db, actor, { content: `far ${n}`, dueAt: at(time, '2026-12-24') });
    await makeScheduledPost(db, actor, { content: `soon ${n}`, dueAt: at(time, '2026-11-30') });
    await out(await makeScheduledPost(db, actor, { dueAt: at(time, '2026-10-01') }), at(time, '2026-10-01'));
  }
  const span = spanOf(DAY, 'UTC');
  const { posts, soonest } = await listPostsAround(db, actor, span, NOW);
  const [listed, queue, ofDay] = [
    await listPosts(db, actor, { limit: 100 }),
    await listScheduled(db, actor, { limit: 5 }),
    await listOutlinesOf(db, actor, span, NOW),
  ];
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
  const beside = (rows: { id: string }[]) =>
    idsOf(rows)
      .filter((id) => !idsOf(ofDay).includes(id))
      .slice(0, 4);
  assert.deepEqual(beside(posts), beside(listed.rows));
  assert.deepEqual(idsOf(soonest), idsOf(queue.rows));
  assert.equal(ofDay.length, 3);
  assert.ok(ofDay.every(({ id }) => idsOf(posts).includes(id)));
  assert.ok(posts.every(({ content }) => content !== 'of another'));
});

/** What stands on each of some local days, by the marks of a calendar. */
async function outline(actor: Actor, first: string, count: number, timeZone = 'UTC') {
  const days = localDays(first, count, timeZone);
  const span = { from: days[0]!.start, to: days.at(-1)!.end };
  const posts = await listOutlinesOf(db, actor, spanOf(span, timeZone), NOW);
  const entries = toAgenda(posts, await readTimetable(db, actor.userId, NOW), span, NOW);
  return days.map(({ date, start, end }) => {
    const ofDay = entries.filter(({ at }) => at >= start && at < end);
    return `${date} ${ofDay.map((entry) => (entry.kind === 'post' ? entry.post.content : entry.kind)).join(' ')}`;
  });
}

test('the days of a range are laid out as the agenda lays out each, across the end of a month', async () => {
  const actor = await someone();
  await makeScheduledPost(db, actor, { content: 'last', dueAt: at('09:00', '2026-11-30') });
  await makeScheduledPost(db, actor, {
    content: `first ${'.'.repeat(300)}`,
    dueAt: at('09:00', '2026-12-01'),
  });
  const [last, first] = await outline(actor, '2026-11-30', 2);
  assert.equal(last, '2026-11-30 last open open');
  assert.match(first!, /^2026-12-01 first \.{100,120} open open$/);
});

test('days that are left out have no slots, and keep the posts that stand on them', async () => {
  const actor = await someone();
  await saveSettings(db, actor, { publishDays: ['monday', 'wednesday'], daysOff: ['2026-12-02'] }, NOW);
  const dueAt = at('14:00', '2026-12-02');
  await out(await makeScheduledPost(db, actor, { content: 'by hand', dueAt }), dueAt);
  assert.deepEqual(await outline(actor, '2026-11-30', 4), [
    '2026-11-30 open open open',
    '2026-12-01 ',
    '2026-12-02 by hand',
    '2026-12-03 ',
  ]);
});

test('a week in which the clock changes has each slot once, on its own day', async () => {
  for (const [monday, hours] of [
    ['2027-03-22', 23],
    ['2027-10-25', 25],
  ] as const) {
    const actor = await someone();
    const timeZone = 'Europe/Stockholm';
    await saveSettings(db, actor, { timeZone, publishTimes: ['00:30', '02:30', '23:30'] }, NOW);
    const week = await outline(actor, monday, 7, timeZone);
    assert.deepEqual(
      week.map((day) => day.slice(11)),
      Array(7).fill('open open open'),
    );
    const lengths = localDays(monday, 7, timeZone).map(({ start, end }) => +end - +start);
    assert.deepEqual(
      lengths,
      [...Array(6).fill(24), hours].map((each) => each * 3_600_000),
    );
  }
});
