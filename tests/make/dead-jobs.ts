import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { jobs } from '#app/domain/platform/jobs.ts';

/** A job of which every try failed; answers its id. A worker that runs beside the test never sees it alive. */
export const makeDeadJob = (db: Db, task: string, payload: object, error = 'The mail server is away') =>
  transact(db, async (trx) => {
    const job = Object.values(jobs).find(({ name }) => name === task);
    const { rows } = await sql<{ id: string }>`select id::text from graphile_worker.add_job(${task},
      payload => ${JSON.stringify(payload)}::json, job_key => ${job?.key(payload as never)},
      max_attempts => ${job?.maxAttempts ?? 3}::int)`.execute(trx);
    const { id } = rows[0]!;
    await sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = ${error}
      where id = ${id}`.execute(trx);
    return id;
  });
