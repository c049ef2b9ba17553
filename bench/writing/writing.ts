/** One worker writes posts of 200 users concurrently, with a writer that takes two seconds for each response. */
import { setTimeout as pause } from 'node:timers/promises';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { callSandbox } from '#bench/data/members.ts';
import { addUsers, vacuumAndCheckpoint } from '#bench/data/users.ts';
import { figure, megabytes, number, percentile, residentBytes, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const USERS = 200;
const EACH = 3;
const WRITER_MS = 2_000;
const MOST_MS = 180_000;

await measure(async (stops) => {
  // A job writes three posts concurrently. The usage limits must not apply.
  process.env.WORKER_CONCURRENCY = `${Math.ceil(USERS / EACH)}`;
  process.env.WRITER_CALLS_A_DAY = '1000000';
  process.env.WRITER_TOKENS_A_DAY = '1000000000';
  const { db, sandbox, startSandbox, startWorker } = await openProduct(stops);
  await startSandbox();
  const writers = await addUsers(db, USERS);
  await callSandbox(`${sandbox}/api/faults`, 'POST', { kind: 'writer.slow', delayMs: WRITER_MS });
  for (const userId of writers) {
    const actor = { userId, name: 'Ada Marlow', email: '', timeZone: 'UTC', isAdmin: false };
    await generateNow(db, actor, { topicId: undefined, count: EACH });
  }
  await vacuumAndCheckpoint(db);
  const worker = await startWorker('writing');
  const startedAt = performance.now();
  const [memory, concurrent]: [number[], number[]] = [[], []];
  const count = async () => {
    const rows = await db.selectFrom('generationAttempts').select(['startedAt', 'endedAt']).execute();
    memory.push(residentBytes(worker.pid));
    concurrent.push(rows.filter(({ startedAt, endedAt }) => startedAt && !endedAt).length);
    return rows.filter(({ endedAt }) => endedAt).length;
  };
  const wanted = USERS * EACH;
  while ((await count()) < wanted && performance.now() - startedAt < MOST_MS) await pause(250);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { posts } = await db
    .selectFrom('posts')
    .select(({ fn }) => fn.countAll<string>().as('posts'))
    .executeTakeFirstOrThrow();
  const { calls } = await db
    .selectFrom('writerDays')
    .select(({ fn }) => fn.sum<string>('calls').as('calls'))
    .executeTakeFirstOrThrow();
  title(`${wanted} posts of ${USERS} users, a writer that takes ${WRITER_MS / 1_000} s for an answer`);
  figure('written', `${posts} of ${wanted}`, `${calls} calls`);
  figure('posts a second', number(Number(posts) / seconds));
  figure('being written at once', `most ${Math.max(...concurrent)}`, `wanted ${USERS}`);
  figure(
    'memory of the worker, at most',
    megabytes(Math.max(...memory)),
    `p50 ${megabytes(percentile(memory, 0.5))}`,
  );
});
