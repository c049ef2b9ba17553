import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { dice, SEED } from '#tests/harness/seed.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { type DuePost, type Stage, setStage } from '#tests/harness/worker/stage.ts';
import { until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const wire = await startWire(outside.url);

async function duePosts(stage: Stage, count: number): Promise<DuePost[]> {
  const posts: DuePost[] = [];
  while (posts.length < count) posts.push(await stage.duePost());
  return posts;
}

const arrived = async () => ((await outside.ledger()) as { attempts: object[] }).attempts.length;

test('two workers and 100 due posts: 100 live posts, none twice', async (t) => {
  const stage = await setStage(t, outside, wire);
  const posts = await duePosts(stage, 100);
  await Promise.all([stage.worker(), stage.worker()]);
  assert.equal(await enqueueDuePosts(stage.db), 2);
  await stage.idle();
  for (const post of posts) {
    const outcome = await stage.verdict(post);
    assert.equal(outcome.post.status, 'published');
    assert.equal(outcome.calls, 1);
  }
});

const KILLS = 8;
/** More than a round can use up, so that every kill finds calls under way. */
const POSTS_PER_KILL = 8;
const FAULTS = {
  'linkedin.drop-after': 4,
  'linkedin.drop-before': 4,
  'linkedin.500-after': 4,
  'linkedin.500-before': 4,
  'linkedin.html-502': 2,
  'linkedin.429': 4,
};

test(`${KILLS * POSTS_PER_KILL} due posts, two workers, ${KILLS} random kills and a network with faults: none twice, none lost`, async (t) => {
  const random = dice(SEED);
  const stage = await setStage(t, outside, wire);
  const posts: DuePost[] = [];
  for (const [kind, times] of Object.entries(FAULTS)) await outside.fault(kind, { times });
  await outside.fault('linkedin.slow', { times: 100, delayMs: 100 });
  const start = () => stage.worker({ WORKER_CONCURRENCY: '3' });
  const workers = [await start(), await start()];
  for (let kill = 0; kill < KILLS; kill++) {
    posts.push(...(await duePosts(stage, POSTS_PER_KILL)));
    const next = (await arrived()) + 1 + Math.floor(random() * 4);
    await enqueueDuePosts(stage.db);
    await until(`${next} calls have arrived`, async () => (await arrived()) >= next);
    await stage.kill(...workers.splice(Math.floor(random() * 2), 1));
    workers.push(await start());
  }
  await stage.kill(...workers);
  await stage.worker();
  const minutes = await stage.settleAll(posts);
  const outcomes = await Promise.all(posts.map((post) => stage.verdict(post)));
  const published = outcomes.filter(({ post }) => post.status === 'published').length;
  const resent = outcomes.filter(({ calls }) => calls > 1).length;
  t.diagnostic(
    `dice ${SEED}: ${published} published, ${posts.length - published} held and told, ${resent} with two or more calls, ${minutes} minutes`,
  );
  for (const { attempts } of outcomes) {
    const uncertain = attempts.filter(({ state }) => state !== 'not_accepted');
    assert.ok(uncertain.length <= 2, 'more than one resend');
  }
});
