/**
 * The delay of 1,000 posts of 1,000 users that are due in the same minute and spread over it, with a network latency of
 * 300 ms and the worker as in production. It is compared with the same 1,000 calls without a database, at the same
 * concurrency.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { env } from '#app/env.ts';
import { createPost } from '#app/integrations/linkedin/posts.ts';
import {
  addMembers,
  callSandbox,
  ledgerResults,
  type Member,
  nextMinute,
  schedule,
  startDelays,
  waitUntilPublished,
} from '#bench/data/members.ts';
import { vacuumAndCheckpoint } from '#bench/data/users.ts';
import {
  cpuSeconds,
  figure,
  megabytes,
  ms,
  number,
  residentBytes,
  spread,
  title,
} from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const POSTS = 1_000;
const LATENCY_MS = 300;
const SAMPLE_MS = 250;

/** Milliseconds from the first call to each response. */
async function bareCalls(members: Member[], concurrency: number): Promise<number[]> {
  const version = env().LINKEDIN_VERSIONS[0]!;
  const waiting = members.values();
  const times: number[] = [];
  const started = performance.now();
  const publishAll = async () => {
    for (const { token, authorUrn } of waiting) {
      const commentary = `Without a database, ${authorUrn}`;
      const { kind } = await createPost({ accessToken: token, version, authorUrn, commentary });
      if (kind !== 'published') throw new Error(`The sandbox answered a bare call with ${kind}.`);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, publishAll));
  return times;
}

await measure(async (stops) => {
  const { db, sandbox, startSandbox, startWorker } = await openProduct(stops);
  await startSandbox();
  const members = await addMembers(db, sandbox, POSTS);
  await callSandbox(`${sandbox}/api/latency`, 'POST', { ms: LATENCY_MS });

  const concurrency = env().WORKER_CONCURRENCY;
  title(
    `${number(POSTS)} posts due in one minute, a network that takes ${LATENCY_MS} ms, ${concurrency} at a time`,
  );
  const bare = await bareCalls(members, concurrency);
  const worker = await startWorker();
  const slot = nextMinute();
  await schedule(db, members, slot);
  await vacuumAndCheckpoint(db);
  await pause(Math.max(0, slot.getTime() - 1_000 - Date.now()));
  const cpuBefore = cpuSeconds(worker.pid);
  let memory = 0;
  const watch = setInterval(() => (memory = Math.max(memory, residentBytes(worker.pid))), SAMPLE_MS);
  await waitUntilPublished(db, slot);
  clearInterval(watch);
  const cpu = cpuSeconds(worker.pid) - cpuBefore;

  const { attempts, accepted, authors, late } = await ledgerResults(sandbox, slot);
  const published = await db
    .selectFrom('postSchedules')
    .select('postId')
    .where('status', '=', 'published')
    .execute();

  figure('begun after the second of its user', spread(await startDelays(db, slot)));
  figure('accepted after the minute began', spread(late), 'on time within 60 s');
  const each = Map.groupBy(late, (at) => Math.floor(at / 1_000));
  const [least, most] = [Math.min, Math.max].map((of) =>
    of(...[...each.values()].map(({ length }) => length)),
  );
  figure('  in each of its seconds', `${least} to ${most} of ${number(POSTS)} in ${each.size} seconds`);
  figure('  beside it the bare calls, all at once', spread(bare));
  figure('first accepted', ms(Math.min(...late)));
  figure('lost', number(POSTS - authors), `${published.length} published in our table`);
  figure('double', number(accepted - authors), `${attempts} calls for ${POSTS} posts`);
  figure('CPU of the worker', `${cpu.toFixed(2)} s`, `${number((cpu * 1000) / POSTS)} ms for each post`);
  figure('memory of the worker, at most', megabytes(memory));
});
