import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Logger, runOnce } from 'graphile-worker';
import { createDatabase } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { mailsTo } from '#tests/fixtures/accounts.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { pass } from '#tests/harness/worker/clock.ts';
import { tasksOf } from '#worker/tasks.ts';

const outside = await startOutside();
const { db, pool, workerUrl } = await testDatabase();
const MINUTE = 60_000;
const DAY = 24 * 60;
const APART = 15;
const GRACE = 3 * 60;

/** Two workers, which take what the same minute hands over. */
const workers = [createDatabase(workerUrl, 4), createDatabase(workerUrl, 4)];
test.after(() => Promise.all(workers.map((worker) => worker.db.destroy())));
const logger = new Logger(() => () => {});

async function minute(): Promise<void> {
  await enqueueDuePosts(db);
  const work = ({ db: own, pool: pgPool }: (typeof workers)[number]) =>
    runOnce({ pgPool, taskList: tasksOf('publishing', own), logger, noHandleSignals: true, concurrency: 4 });
  await Promise.all(workers.map(work));
}

type Cell = { down: number; missed: number; sent: number };

/** How many minutes the worker was down, how many slots passed meanwhile, and how many of those still go out. */
const CELLS: Cell[] = [
  { down: 1, missed: 1, sent: 1 },
  { down: 59, missed: 1, sent: 1 },
  { down: 179, missed: 1, sent: 1 },
  { down: 181, missed: 1, sent: 0 },
  { down: DAY, missed: 1, sent: 0 },
  { down: 8 * DAY, missed: 1, sent: 0 },
  { down: 1, missed: 10, sent: 10 },
  { down: 59, missed: 10, sent: 10 },
  { down: 179, missed: 10, sent: 10 },
  { down: 181, missed: 10, sent: 9 },
  { down: DAY, missed: 10, sent: 1 },
  { down: 8 * DAY, missed: 10, sent: 0 },
];

/**
 * A user whose slots passed while nothing ran. The next ones come when all that is late has gone, on days on which
 * none of these posts stands.
 */
async function missedBy({ down, missed }: Cell) {
  const actor = await makePublisher(db, outside.url);
  const time = new Date(Date.now() - MINUTE).toISOString().slice(11, 16);
  await saveSettings(db, actor, { publishTimes: [time] });
  for (let n = 0; n < missed; n++) {
    const dueAt = new Date(Date.now() - (down - Math.floor((n * down) / missed)) * MINUTE);
    await makeScheduledPost(db, actor, { dueAt, content: `Slot ${n} of ${down} min. ${actor.userId}` });
  }
  return actor;
}

/** The user's posts in the order of the slots that were missed, with what they came to. */
const postsOf = ({ userId }: Actor) =>
  db
    .selectFrom('posts')
    .innerJoin('postSchedules', 'postSchedules.postId', 'posts.id')
    .leftJoin('publishAttempts', 'publishAttempts.postId', 'posts.id')
    .select(['posts.content', 'posts.publishAt', 'postSchedules.status', 'postSchedules.dueAt'])
    .select('publishAttempts.startedAt')
    .where('posts.userId', '=', userId)
    .orderBy('posts.content')
    .execute();

const actors: Actor[] = [];
for (const cell of CELLS) actors.push(await missedBy(cell));
for (let passed = 0; passed <= CELLS[9]!.missed * APART; passed += 5) {
  if (passed > 0) await pass(pool, 5 * 60);
  await minute();
}

for (const [index, { down, missed, sent }] of CELLS.entries()) {
  const inWords = `${sent} go out, ${APART} minutes apart, and ${missed - sent} move`;
  test(`after ${down} minutes without a worker and ${missed} missed slots ${inWords}`, async () => {
    const actor = actors[index]!;
    const posts = await postsOf(actor);
    assert.equal(posts.length, missed);
    const out = posts.filter(({ status }) => status === 'published');
    assert.equal(out.length, sent);
    const times = out.map(({ startedAt }) => startedAt!.getTime());
    if (down > 1) assert.deepEqual(times, times.toSorted(), 'in the order of their slots');
    const gaps = times.toSorted().flatMap((at, n, all) => (n > 0 ? [(at - all[n - 1]!) / MINUTE] : []));
    for (const gap of gaps) assert.ok(gap >= APART && gap < APART + 1, `${gap} minutes apart`);
    for (const { startedAt, publishAt } of out) {
      assert.ok(startedAt!.getTime() - publishAt!.getTime() <= GRACE * MINUTE, 'within the grace');
    }

    const moved = posts.filter(({ status }) => status !== 'published');
    const places = moved.map(({ dueAt }) => dueAt!.getTime());
    assert.ok(places.every((at) => at > Date.now()));
    assert.deepEqual(places, places.toSorted(), 'moved in the order of their slots');
    assert.equal(new Set(places).size, moved.length);
    assert.equal((await mailsTo(db, actor.email, 'postMoved')).length, moved.length);
  });
}
