import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '#app/db/client.ts';
import type { PostFailure } from '#app/db/tables.ts';
import { listPublishedByDay } from '#app/domain/operations/daily-figures.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { countDays } from '#app/domain/publishing/daily-stats.ts';
import { markBatchPublished, markFailed, markPublished } from '#app/domain/publishing/state/post-state.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePublisher, makeScheduledPost, readPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { runSweeps, SWEEPS } from '#worker/sweeps.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const outside = await startOutside();
const { db } = await testDatabase();
let author: Actor;

before(async () => {
  author = await makePublisher(db, outside.url);
});

const at = (time: string) => new Date(`2026-03-${time}Z`);
const make = (dueAt: Date) => makeScheduledPost(db, author, { dueAt });
const own = (id: string) => ({ id, userId: author.userId });
const publish = (id: string, when: Date) => transact(db, (trx) => markPublished(trx, own(id), null, when));

/** A post that was out so many milliseconds after its time. */
async function out(dueAt: Date, lateMs: number): Promise<string> {
  const postId = await make(dueAt);
  await publish(postId, new Date(dueAt.getTime() + lateMs));
  return postId;
}

async function failed(when: Date, failure: PostFailure): Promise<string> {
  const postId = await make(when);
  await transact(db, (trx) => markFailed(trx, own(postId), failure));
  await standAs(db, postId, { failedAt: when });
  return postId;
}

const days = (from = '2026-03-01') => listPublishedByDay(db, from);
const known = async (from?: string) => (await days(from)).filter((day) => day.published + day.failed > 0);

test('when a post was due stays known when it leaves the queue, whichever way it goes', async () => {
  const dueAt = at('01T09:00:00');
  const ids = [await make(dueAt), await make(dueAt), await make(dueAt)] as const;
  await publish(ids[0], at('01T09:00:02'));
  await transact(db, (trx) =>
    markBatchPublished(trx, [{ postId: ids[1], urn: null, at: at('01T09:00:02') }]),
  );
  await transact(db, (trx) => markFailed(trx, own(ids[2]), 'unconfirmed'));
  // It turns out to be there, and the address of another is named again.
  await publish(ids[2], at('01T09:00:02'));
  await publish(ids[0], at('01T09:00:02'));
  for (const id of ids) {
    const post = await readPost(db, id);
    assert.deepEqual([post.status, post.dueAt, post.wasDueAt], ['published', null, dueAt]);
  }
  await sql`delete from posts`.execute(db);
});

test('each day in UTC has what went out and failed on it, and how late', async () => {
  for (let nth = 1; nth <= 100; nth += 1) await out(at('09T09:00:00'), nth * 10);
  // Its lateness is not known, as of all before that was written down.
  await standAs(db, await out(at('09T23:59:59'), 900), { wasDueAt: null });
  // One that is out on the next day; one that went before its time, by a clock that was ahead.
  await out(at('08T23:59:59'), 1_000);
  await out(at('08T12:00:00'), -500);
  await failed(at('09T10:00:00'), 'refused');
  await failed(at('09T10:00:00'), 'skipped');
  const sentAgain = await failed(at('09T10:00:00'), 'too_late');
  await publish(sentAgain, at('10T01:00:00'));
  await standAs(db, sentAgain, { wasDueAt: at('10T00:59:00') });
  await countDays(db, NOW);
  assert.deepEqual(await known(), [
    { day: '2026-03-08', published: 1, failed: 0, half: 0, most: 0 },
    { day: '2026-03-09', published: 102, failed: 1, half: 510, most: 1_000 },
    { day: '2026-03-10', published: 1, failed: 0, half: 60_000, most: 60_000 },
  ]);
  const counted = await days('2000-01-01');
  assert.deepEqual([counted.length, counted.at(-1)!.day], [180, '2026-03-10']);
  assert.deepEqual(
    counted[0],
    { ...counted[0]!, published: 0, half: null, most: null },
    'a day without any has no lateness',
  );
});

test('what comes late belongs to the day of its call, twice counted is counted once, and older days stay', async () => {
  await out(at('08T13:00:00'), 4_000);
  await out(at('07T13:00:00'), 4_000);
  await countDays(db, NOW);
  await countDays(db, NOW);
  assert.deepEqual(await known(), [
    { day: '2026-03-08', published: 2, failed: 0, half: 0, most: 4_000 },
    { day: '2026-03-09', published: 102, failed: 1, half: 510, most: 1_000 },
    { day: '2026-03-10', published: 1, failed: 0, half: 60_000, most: 60_000 },
  ]);
});

test('what failed long ago and goes out now counts where it goes out, and no more where it failed', async () => {
  const sent = await failed(at('04T10:00:00'), 'too_late');
  await failed(at('04T10:00:00'), 'refused');
  await failed(at('04T10:00:00'), 'skipped');
  await sql`delete from publishing_days`.execute(db);
  await countDays(db, NOW);
  const failedOn = async (day: string) => (await days(`2026-03-${day}`))[0]!.failed;
  assert.equal(await failedOn('04'), 2);
  const published = (await days('2026-03-10'))[0]!.published;
  await publish(sent, at('10T09:00:00'));
  await countDays(db, NOW);
  await countDays(db, NOW);
  assert.deepEqual([await failedOn('04'), (await days('2026-03-10'))[0]!.published], [1, published + 1]);
});

test('after a worker that stood still all its days are counted, and a clock that was ahead keeps none away', async () => {
  await out(at('12T13:00:00'), 1_000);
  await sql`insert into publishing_days (day, published, failed, counted_at)
    values ('2026-03-25', 7, 0, now())`.execute(db);
  await countDays(db, at('16T00:00:00'));
  assert.deepEqual(await known('2026-03-11'), [
    { day: '2026-03-12', published: 1, failed: 0, half: 1_000, most: 1_000 },
    { day: '2026-03-25', published: 7, failed: 0, half: null, most: null },
  ]);
});

test('the worker counts them each hour', async () => {
  await sql`delete from publishing_days`.execute(db);
  await makeUser(db);
  await runSweeps(SWEEPS.hourly, db, new Date());
  assert.equal((await days('2000-01-01')).length, 180);
});
