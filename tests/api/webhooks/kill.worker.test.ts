import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { listDeliveries } from '#app/domain/webhooks/deliveries.ts';
import { createWebhook } from '#app/domain/webhooks/endpoints.ts';
import { sendEvents } from '#app/domain/webhooks/send-events.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startReceiver } from '#tests/harness/outside/webhook-receiver.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { setStage } from '#tests/harness/worker/stage.ts';
import { soon } from '#tests/harness/worker/until.ts';

process.env.ALLOW_PRIVATE_IMAGES = '1';
const outside = await startOutside();
const wire = await startWire(outside.url);

/** A worker in the middle of its first call to an address of the publisher's. */
async function calling(t: TestContext) {
  const stage = await setStage(t, outside, wire);
  const receiver = await startReceiver();
  const called = Promise.withResolvers<ServerResponse>();
  receiver.answers((response, nth) => (nth === 1 ? called.resolve(response) : response.end('ok')));
  const { db, actor } = stage;
  const made = await createWebhook(db, actor, { url: receiver.url, events: ['post.published'] });
  const victim = await stage.worker();
  const what = [{ userId: actor.userId, data: { post: { _id: 'a post' } } }];
  await transact(db, (trx) => sendEvents(trx, 'post.published', what));
  const answer = await soon('the worker calls', called.promise);
  const rows = async () => (await listDeliveries(db, actor, made.webhook.id, { limit: 50 })).rows;
  return { stage, receiver, victim, answer, rows };
}

for (const [when, killed] of [
  ['before its answer', async (kill: () => Promise<void>) => kill()],
  [
    'after its answer, before it is kept',
    async (kill: () => Promise<void>, answer: ServerResponse, blocked: () => Promise<unknown>) => {
      answer.end('ok');
      await blocked();
      await kill();
    },
  ],
] as const) {
  test(`killed ${when}, it is sent once more with the same id, and kept`, async (t) => {
    const { stage, receiver, victim, answer, rows } = await calling(t);
    const held = await stage.lock('lock table webhook_deliveries in share mode');
    await killed(
      () => stage.kill(victim),
      answer,
      () => victim.blocked(),
    );
    await held.release();
    assert.equal((await rows())[0]!.deliveredAt, null, 'nobody knows that it arrived');
    await stage.worker();
    const took = await stage.minutes(4, async () => (await rows())[0]!.deliveredAt !== null);
    assert.ok(took >= 1, 'not while the dead one might be at it');
    const [first, second, ...more] = receiver.events();
    assert.deepEqual([second!.id, more.length], [first!.id, 0]);
    assert.equal((await rows()).length, 1);
  });
}
