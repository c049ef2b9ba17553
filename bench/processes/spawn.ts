/**
 * From the start of a process to its first answer, and to the end of its first job: the web beside React Router alone, and
 * a worker for which a job waits.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { startBeside } from '#bench/measure/beside.ts';
import { figure, ms, number, percentile, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';
import { ensureBuild } from '#scripts/build/build.ts';

const TIMES = 5;
const LOOK_MS = 2;

async function untilAnswered(url: string): Promise<void> {
  while ((await fetch(url).catch(() => undefined))?.status !== 200) await pause(LOOK_MS);
}

async function untilDone(db: Db): Promise<void> {
  const left = () => sql`select from graphile_worker._private_jobs where key = ${KEY}`.execute(db);
  while ((await left()).rows.length > 0) await pause(LOOK_MS);
}

/** Of a job that finds nothing due, and so ends at once. */
const PART = { part: 0 };
const KEY = jobs.sendBatch.key(PART);

/** Starts it, waits and stops it again, several times. */
async function took(start: () => Promise<{ stop(): Promise<unknown> }>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const began = performance.now();
    const { stop } = await start();
    times.push(performance.now() - began);
    await stop();
  }
  return percentile(times, 0.5);
}

await measure(async (stops) => {
  const { app, db, startWeb, startWorker } = await openProduct(stops);
  await ensureBuild();
  title(`From the start of a process, the middle of ${TIMES}`);
  const web = await took(async () => {
    const part = startWeb();
    await untilAnswered(`${app}/login`);
    return { stop: async () => (await part).stop(5) };
  });
  const bare = await took(async () => {
    const { url, part } = await startBeside(stops, 'bare-router', 10_000);
    await untilAnswered(url);
    return { stop: () => part.stop(5) };
  });
  figure('web: the first page', ms(web), `${number(web / bare)} times React Router alone`);
  figure('  beside it React Router alone', ms(bare));
  const job = await took(async () => {
    await enqueue(db, jobs.sendBatch, PART);
    const part = startWorker();
    await untilDone(db);
    return { stop: async () => (await part).stop(5) };
  });
  figure('worker: the end of its first job', ms(job));
});
