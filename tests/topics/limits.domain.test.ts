import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { TOPICS_MAX } from '#app/domain/topics/limits.ts';
import { TopicInput } from '#app/domain/topics/schema.ts';
import { createTopic } from '#app/domain/topics/topics.ts';
import { findNextTurns } from '#app/domain/writing/runs/upcoming-topics.ts';
import { makePublisher } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const MOST_MS = 500;
const AHEAD_DAYS = 62;

const outside = await startOutside();
const { db } = await testDatabase();

/** A publisher with topics whose turns lie so far back that none comes before another; the last ones are paused for a year. */
async function somebody(active: number, paused: number) {
  const actor = await makePublisher(db, outside.url, 5);
  await sql`insert into topics (user_id, name, paused_at, paused_until)
    select ${actor.userId}, 'Topic ' || n, case when n > ${active} then now() end,
      case when n > ${active} then now() + interval '1 year' end
    from generate_series(1, ${active + paused}::int) n`.execute(db);
  return actor;
}

test('nobody has more topics than there is room for, also when several come at once', async () => {
  const actor = await somebody(TOPICS_MAX - 1, 0);
  const add = () => createTopic(db, actor, TopicInput.parse({ name: 'One more' }));
  const all = await Promise.allSettled([add(), add(), add()]);
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1);
  await assert.rejects(add(), { status: 409, message: /^At most 1,000 topics can be kept\. Please delete/ });
});

test('the next turns of very many topics are said soon, and of those that are paused none', async () => {
  for (const [active, paused] of [
    [300, 0],
    [10, 100],
    [TOPICS_MAX, 0],
  ] as const) {
    const actor = await somebody(active, paused);
    await findNextTurns(db, actor);
    const begun = performance.now();
    const { slots } = await findNextTurns(db, actor);
    const took = performance.now() - begun;
    assert.ok(took < MOST_MS, `${active} and ${paused} took ${Math.round(took)} ms`);
    assert.ok(slots.size >= Math.min(active, 5 * (20 - 1)), `${slots.size} of ${active}`);
    assert.ok(slots.size <= Math.min(active, 5 * (AHEAD_DAYS + 1)));
  }
});
