/** Many users' posts written at once by one process, with a writer that takes two seconds for each answer. */
import { setTimeout as pause } from 'node:timers/promises';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { call } from '#bench/data/members.ts';
import { addPeople, settle } from '#bench/data/people.ts';
import { figure, megabytes, number, percentile, residentBytes, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const AT_ONCE = 200;
const EACH = 3;
const WRITER_MS = 2_000;
const MOST_MS = 180_000;

await measure(async (stops) => {
  // A job writes three posts side by side; the ceiling of the service is not what is measured.
  process.env.WORKER_CONCURRENCY = `${Math.ceil(AT_ONCE / EACH)}`;
  process.env.WRITER_CALLS_A_DAY = '1000000';
  process.env.WRITER_TOKENS_A_DAY = '1000000000';
  const { db, sandbox, startSandbox, startWorker } = await openProduct(stops);
  await startSandbox();
  const writers = await addPeople(db, AT_ONCE);
  await call(`${sandbox}/api/faults`, 'POST', { kind: 'writer.slow', delayMs: WRITER_MS });
  for (const userId of writers) {
    const actor = { userId, name: 'Ada Marlow', email: '', timeZone: 'UTC', isAdmin: false };
    await generateNow(db, actor, { topicId: undefined, count: EACH });
  }
  await settle(db);
  const worker = await startWorker('writing');
  const began = performance.now();
  const [memory, atOnce]: [number[], number[]] = [[], []];
  const count = async () => {
    const rows = await db.selectFrom('generationAttempts').select(['startedAt', 'endedAt']).execute();
    memory.push(residentBytes(worker.pid));
    atOnce.push(rows.filter(({ startedAt, endedAt }) => startedAt && !endedAt).length);
    return rows.filter(({ endedAt }) => endedAt).length;
  };
  const wanted = AT_ONCE * EACH;
  while ((await count()) < wanted && performance.now() - began < MOST_MS) await pause(250);
  const seconds = (performance.now() - began) / 1_000;
  const { posts } = await db
    .selectFrom('posts')
    .select(({ fn }) => fn.countAll<string>().as('posts'))
    .executeTakeFirstOrThrow();
  const { calls } = await db
    .selectFrom('writerDays')
    .select(({ fn }) => fn.sum<string>('calls').as('calls'))
    .executeTakeFirstOrThrow();
  title(`${wanted} posts of ${AT_ONCE} users, a writer that takes ${WRITER_MS / 1_000} s for an answer`);
  figure('written', `${posts} of ${wanted}`, `${calls} calls`);
  figure('posts a second', number(Number(posts) / seconds));
  figure('being written at once', `most ${Math.max(...atOnce)}`, `wanted ${AT_ONCE}`);
  figure(
    'memory of the worker, at most',
    megabytes(Math.max(...memory)),
    `p50 ${megabytes(percentile(memory, 0.5))}`,
  );
});
