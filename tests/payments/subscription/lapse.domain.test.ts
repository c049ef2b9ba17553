import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endPlans } from '#app/domain/payments/subscription/expiry.ts';
import { claimPost } from '#app/domain/publishing/send/claim.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { refitQueue } from '#app/domain/publishing/slots/apply-settings.ts';
import { mailsTo } from '#tests/fixtures/accounts.ts';
import { endPlanAt, makePlan } from '#tests/fixtures/payments.ts';
import { makePublisher, makeScheduledPost, readPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const DAY = 86_400_000;
const now = Date.now();
const at = (days: number) => new Date(now + days * DAY);

test('what is held when a plan has lapsed is held, not lost, and goes on in order when it is renewed, never in a burst', async () => {
  const actor = await makePublisher(db, outside.url);
  const contents = ['First of all', 'Second to none', 'Third time lucky'];
  const ids: string[] = [];
  for (const [index, content] of contents.entries()) {
    ids.push(await makeScheduledPost(db, actor, { content, dueAt: at(index - 4) }));
  }
  await endPlanAt(db, actor, at(-5));
  assert.equal(await endPlans(db, at(0)), 1);
  await refitQueue(db, actor.userId, at(0));
  const read = () => Promise.all(ids.map((id) => readPost(db, id)));
  for (const days of [0, 1, 5]) {
    await enqueueDuePosts(db, at(days));
    for (const id of ids)
      assert.equal(await claimPost(db, id, at(days)), undefined, `held after ${days} days`);
  }
  assert.deepEqual(
    (await read()).map(({ content, status }) => [content, status]),
    contents.map((content) => [content, 'generated']),
  );
  assert.equal((await mailsTo(db, actor.email, 'planEnded')).length, 1);

  await makePlan(db, actor, 1, at(6));
  await refitQueue(db, actor.userId, at(6));
  const posts = await read();
  assert.deepEqual(
    posts.map(({ content, status, heldAt }) => [content, status, heldAt]),
    contents.map((content) => [content, 'generated', null]),
  );
  const times = posts.map(({ dueAt }) => dueAt!.getTime());
  for (const [index, time] of times.entries()) {
    const before = index === 0 ? at(6).getTime() : times[index - 1]! + 15 * 60_000;
    assert.ok(time >= before, `${index}: ${new Date(time).toISOString()}`);
  }
  assert.notEqual(await claimPost(db, ids[0]!, new Date(times[0]! + 1000)), undefined);
});
