/**
 * The time from the start of the web process to its first response, compared with React Router alone, and from the start of
 * a worker to the end of its first job.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { startBaseline } from '#bench/measure/beside.ts';
import { figure, ms, number, percentile, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';
import { ensureBuild } from '#scripts/build/build.ts';

const TIMES = 5;
const POLL_MS = 2;

async function waitUntilOk(url: string): Promise<void> {
  while ((await fetch(url).catch(() => undefined))?.status !== 200) await pause(POLL_MS);
}

async function waitUntilDone(db: Db): Promise<void> {
  const findJob = () => sql`select from graphile_worker._private_jobs where key = ${KEY}`.execute(db);
  while ((await findJob()).rows.length > 0) await pause(POLL_MS);
}

/** The job finds no due posts and ends immediately. */
const PART = { part: 0 };
const KEY = jobs.sendBatch.key(PART);

/** The median time of several starts. */
async function startTime(start: () => Promise<{ stop(): Promise<unknown> }>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const startedAt = performance.now();
    const { stop } = await start();
    times.push(performance.now() - startedAt);
    await stop();
  }
  return percentile(times, 0.5);
}

await measure(async (stops) => {
  const { app, db, startWeb, startWorker } = await openProduct(stops);
  await ensureBuild();
  title(`From the start of a process, the middle of ${TIMES}`);
  const web = await startTime(async () => {
    const part = startWeb();
    await waitUntilOk(`${app}/login`);
    return { stop: async () => (await part).stop(5) };
  });
  const bare = await startTime(async () => {
    const { url, part } = await startBaseline(stops, 'bare-router', 10_000);
    await waitUntilOk(url);
    return { stop: () => part.stop(5) };
  });
  figure('web: the first page', ms(web), `${number(web / bare)} times React Router alone`);
  figure('  beside it React Router alone', ms(bare));
  const job = await startTime(async () => {
    await enqueue(db, jobs.sendBatch, PART);
    const part = startWorker();
    await waitUntilDone(db);
    return { stop: async () => (await part).stop(5) };
  });
  figure('worker: the end of its first job', ms(job));
});
