/** Resident memory of the web and the worker process: idle, and after page views. */
import { setTimeout as pause } from 'node:timers/promises';
import { addPosts, addUsers, cookieOf } from '#bench/data/users.ts';
import { startBaseline } from '#bench/measure/beside.ts';
import { figure, megabytes, residentBytes, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const REST_MS = 30_000;
const VIEWS = 200;
const BASELINES = { 'bare-server': 'node:http alone', 'bare-router': 'React Router alone' };
const PAGES = ['/app/dashboard', '/app/topics', '/app/posts', '/app/scheduled', '/app/payments', '/login'];

await measure(async (stops) => {
  const { app, db, startSandbox, startWorker, startWeb } = await openProduct(stops);
  const [user] = (await addUsers(db, 1)) as [string];
  await addPosts(db, [user], 100);
  await startSandbox();
  // The first start fills the compile cache, which a deployed image contains.
  for (const part of [await startWorker(), await startWeb()]) await part.stop(5);
  const [worker, web] = [await startWorker(), await startWeb()];

  title('Resident memory');
  const print = (when: string) => {
    const [ofWeb, ofWorker] = [residentBytes(web.pid), residentBytes(worker.pid)];
    const parts = `web ${megabytes(ofWeb)}, worker ${megabytes(ofWorker)}`;
    figure(`web and worker ${when}`, megabytes(ofWeb + ofWorker), `G10: 512 MB with Postgres; ${parts}`);
  };
  print('when just ready');
  await pause(REST_MS);
  print('30 s after the start');
  const headers = { cookie: await cookieOf(db, user), accept: 'text/html' };
  const statuses: Record<string, number> = {};
  for (let view = 0; view < VIEWS; view += 1) {
    const page = PAGES[view % PAGES.length]!;
    const response = await fetch(app + page, { headers, redirect: 'manual' });
    await response.arrayBuffer();
    const key = response.status === 200 ? 'views' : `${page} ${response.status}`;
    statuses[key] = (statuses[key] ?? 0) + 1;
  }
  print(`after ${VIEWS} page views`);
  for (const [file, name] of Object.entries(BASELINES)) {
    const { part } = await startBaseline(stops, file, 1_000);
    figure(`  beside them ${name}`, megabytes(residentBytes(part.pid)));
  }
  const answers = Object.entries(statuses).map(([key, count]) => `${key}: ${count}`);
  figure('answers', answers.join(', '));
});
