/** Resident memory of the web and the worker process: at rest, and after pages have been looked at. */
import { setTimeout as pause } from 'node:timers/promises';
import { addPeople, addPosts, cookieOf } from '#bench/data/people.ts';
import { startBeside } from '#bench/measure/beside.ts';
import { figure, megabytes, residentBytes, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const REST_MS = 30_000;
const VIEWS = 200;
/** The least that one process takes: Node with a page in memory, and with React Router. */
const BESIDE = { 'bare-server': 'node:http alone', 'bare-router': 'React Router alone' };
const PAGES = ['/app/dashboard', '/app/topics', '/app/posts', '/app/scheduled', '/app/payments', '/login'];

await measure(async (stops) => {
  const { app, db, startSandbox, startWorker, startWeb } = await openProduct(stops);
  const [user] = (await addPeople(db, 1)) as [string];
  await addPosts(db, [user], 100);
  await startSandbox();
  // What Node makes of the sources is in the image; in a checkout the first start makes it.
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
    const answer = await fetch(app + page, { headers, redirect: 'manual' });
    await answer.arrayBuffer();
    const key = answer.status === 200 ? 'views' : `${page} ${answer.status}`;
    statuses[key] = (statuses[key] ?? 0) + 1;
  }
  print(`after ${VIEWS} page views`);
  for (const [file, told] of Object.entries(BESIDE)) {
    const { part } = await startBeside(stops, file, 1_000);
    figure(`  beside them ${told}`, megabytes(residentBytes(part.pid)));
  }
  const answers = Object.entries(statuses).map(([key, count]) => `${key}: ${count}`);
  figure('answers', answers.join(', '));
});
