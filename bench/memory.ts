/** Resident memory of the web and the worker process: at rest, and after pages have been looked at. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Part } from '#scripts/processes.ts';
import { figure, megabytes, residentBytes, title } from './figures.ts';
import { addPeople, addPosts, cookieOf } from './people.ts';
import { measure, openProduct } from './product.ts';

const REST_MS = 30_000;
const VIEWS = 200;
const PAGES = ['/app/dashboard', '/app/topics', '/app/posts', '/app/scheduled', '/app/payments', '/login'];

await measure(async (stops) => {
  const { app, db, startSandbox, startWorker, startWeb } = await openProduct(stops);
  const [user] = (await addPeople(db, 1)) as [string];
  await addPosts(db, [user], 100);
  await startSandbox();
  const [worker, web] = [await startWorker(), await startWeb()];

  title('Resident memory');
  const print = (when: string) => {
    const of = (part: Part) => megabytes(residentBytes(part.pid));
    figure(`web ${when}`, of(web), 'goal 200 MB');
    figure(`worker ${when}`, of(worker), 'goal 150 MB');
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
  const answers = Object.entries(statuses).map(([key, count]) => `${key}: ${count}`);
  figure('answers', answers.join(', '));
});
