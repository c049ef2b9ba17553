/** The delay of due posts while a slow writer writes 50 runs. */
import { setTimeout as pause } from 'node:timers/promises';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import {
  addMembers,
  callSandbox,
  justBefore,
  ledgerResults,
  nextMinute,
  schedule,
  waitUntilPublished,
} from '#bench/data/members.ts';
import { addUsers, vacuumAndCheckpoint } from '#bench/data/users.ts';
import { figure, number, spread, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const RUNS = 50;
const POSTS_A_RUN = 5;
const WRITER_MS = 20_000;
const POSTS = 100;

await measure(async (stops) => {
  const { db, sandbox, startSandbox, startWorker } = await openProduct(stops);
  await startSandbox();
  const members = await addMembers(db, sandbox, POSTS);
  const writers = await addUsers(db, RUNS);
  await callSandbox(`${sandbox}/api/faults`, 'POST', { kind: 'writer.slow', delayMs: WRITER_MS });
  await vacuumAndCheckpoint(db);
  await startWorker();
  for (const userId of writers) {
    const actor = { userId, name: 'Ada Marlow', email: '', timeZone: 'UTC', isAdmin: false };
    await generateNow(db, actor, { topicId: undefined, count: POSTS_A_RUN });
  }
  const slot = justBefore(nextMinute());
  await schedule(db, members, slot);
  await pause(Math.max(0, slot.getTime() - Date.now()));
  const { count } = await db
    .selectFrom('generationRuns')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('leaseUntil', 'is not', null)
    .executeTakeFirstOrThrow();
  await waitUntilPublished(db, slot);

  title(`${POSTS} posts due while ${RUNS} runs are written, a writer that takes ${WRITER_MS / 1_000} s`);
  const { accepted, authors, late } = await ledgerResults(sandbox, slot);
  figure('runs in the hands of the writer', count);
  figure('accepted after the minute began', spread(late));
  figure('lost', number(POSTS - authors));
  figure('double', number(accepted - authors));
});
