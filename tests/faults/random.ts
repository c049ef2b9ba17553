import type { TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { dice } from '#tests/harness/seed.ts';
import { tick } from '#tests/harness/worker/clock.ts';
import { audit } from './audit.ts';
import type { Row } from './run.ts';
import { setScene, type World } from './scene.ts';

const POSTS = 300;
const WORKERS = 4;
/** All posts are of one member, whom LinkedIn would allow 150 calls a day. */
const CALLS_A_DAY = 3_000;
const KINDS = [
  'drop-after',
  'drop-before',
  '500-after',
  '500-before',
  'html-502',
  '429',
  '201-no-id',
  'slow',
];
const PICTURED = 0.1;
const STRUCK = 0.4;
const DEADLOCK = '40P01';
const FOR_MS = 75_000;
const CONFIG = { WORKER_CONCURRENCY: '12' };

/**
 * Posts come due while four workers are killed at random, one every 1 to 5 s, and LinkedIn fails at random.
 * A minute passes every two seconds, so that the dead are found and the unknown are resent meanwhile.
 */
export async function runRandom(t: TestContext, world: World, seed: number): Promise<Row> {
  const begun = performance.now();
  const random = dice(seed);
  const scene = await setScene(t, world, { trials: 0 });
  const { stage, posts, outside, picture } = scene;
  await fetch(`${outside.url}/api/quota`, { method: 'POST', body: JSON.stringify({ member: CALLS_A_DAY }) });
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => scene.start(CONFIG)));
  const isOver = () => performance.now() - begun > FOR_MS;
  const come = async () => {
    for (let n = 0; n < POSTS; n++) {
      const post = await stage.duePost(random() < PICTURED ? picture.url : undefined);
      posts.push(post);
      const kind = `linkedin.${KINDS[Math.floor(random() * KINDS.length)]}`;
      if (random() < STRUCK) await outside.fault(kind, { match: post.marker, delayMs: 800 });
      await wait((FOR_MS * 0.8) / POSTS);
    }
  };
  const pass = async () => {
    while (!isOver()) {
      await wait(2_000);
      // The clock of the test takes rows in another order than the product: one of two goes again.
      await scene.minute(60).catch((error: { code?: string }) => {
        if (error.code !== DEADLOCK) throw error;
      });
      await tick(stage.db);
    }
  };
  const kill = async () => {
    while (!isOver()) {
      await wait(1_000 + random() * 4_000);
      const victim = Math.floor(random() * WORKERS);
      await workers[victim]!.kill();
      workers[victim] = await scene.start(CONFIG);
    }
  };
  const broken = await Promise.all([come(), pass(), kill()]).then(
    () => [] as string[],
    (error: Error) => [error.message],
  );
  await stage.kill(...workers);
  await fetch(`${outside.url}/api/faults`, { method: 'DELETE' });
  await scene.start();
  await stage.settleAll(posts, 40).catch((error: Error) => broken.push(error.message));
  const expects = { fate: ['published' as const, 'unconfirmed' as const], calls: [0, 9] as [number, number] };
  const found = await audit(stage, outside, posts, expects);
  const seconds = (performance.now() - begun) / 1_000;
  const what = `random kills and faults, SEED=${seed}`;
  const all = { ...found, broken: [...broken, ...found.broken] };
  return { name: 'random', what, trials: posts.length, seconds, ...all };
}
