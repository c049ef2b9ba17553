import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { jobs } from '#app/domain/jobs.ts';

/** A job of which every try failed; answers its id. */
export async function makeDeadJob(db: Db, task: string, payload: object, error = 'The mail server is away') {
  const { maxAttempts = 3 } = Object.values(jobs).find(({ name }) => name === task) ?? {};
  const { rows } = await sql<{ id: string }>`select id::text from graphile_worker.add_job(${task},
    payload => ${JSON.stringify(payload)}::json, max_attempts => ${maxAttempts}::int)`.execute(db);
  const { id } = rows[0]!;
  await sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = ${error}
    where id = ${id}`.execute(db);
  return id;
}
