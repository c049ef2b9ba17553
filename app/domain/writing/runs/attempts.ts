import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import type { ClaimedRun } from './claim.ts';

const LOOKED_AT = 20;

/**
 * What the writer has answered for one place so far: how often, the last text, and what was wrong with it, in sentences
 * for the writer and in others for the user.
 */
export type Tries = { answers: number; rejections: string[]; complaints: string[]; rejected: string | null };
export const noTries = (): Tries => ({ answers: 0, rejections: [], complaints: [], rejected: null });

/** What the writer was asked for each place of a run. */
export async function listTries(db: Db, runId: string): Promise<Map<number, Tries & { isEnded: boolean }>> {
  const rows = await db
    .selectFrom('generationAttempts')
    .select(['position', 'answers', 'rejections', 'complaints', 'rejected', 'endedAt'])
    .where('runId', '=', runId)
    .execute();
  return new Map(
    rows.map(({ position, endedAt, ...tries }) => [position, { ...tries, isEnded: endedAt !== null }]),
  );
}

/** Somebody begins with a place, or goes on with it. A call of a process that died is forgotten. */
export async function beginPlace(db: Db, runId: string, position: number, at: Date): Promise<void> {
  await db
    .insertInto('generationAttempts')
    .values({ runId, position, startedAt: at })
    .onConflict((conflict) =>
      conflict.columns(['runId', 'position']).doUpdateSet({ startedAt: at, calledAt: null }),
    )
    .execute();
}

/** Keeps what the writer was asked for a place, for the job that goes on with it. */
export async function storeAttempts(
  db: Db,
  run: ClaimedRun,
  position: number,
  { answers, rejections, complaints, rejected }: Tries,
): Promise<void> {
  await db
    .updateTable('generationAttempts')
    .set({ answers, rejections, complaints, rejected, calledAt: null })
    .where('runId', '=', run.id)
    .where('position', '=', position)
    .where('endedAt', 'is', null)
    .where(isClaimed(run))
    .execute();
}

/** The run is the caller's still: nobody has stopped it, and no later claim has taken it. */
export const isClaimed = ({ id, userId, leaseUntil }: ClaimedRun) =>
  sql<boolean>`exists (select from generation_runs r where r.id = ${id} and r.user_id = ${userId} and r.status = 'running'
    and r.lease_until is not distinct from ${leaseUntil})`;

/**
 * Nobody deals with the place any more. False when somebody has before, or the run is not the caller's any more. Under
 * the lock of the user.
 */
export async function endPlace(trx: Trx, run: ClaimedRun, position: number, at: Date): Promise<boolean> {
  const ended = await trx
    .insertInto('generationAttempts')
    .columns(['runId', 'position', 'endedAt'])
    .expression(
      trx
        .selectNoFrom([
          sql<string>`${run.id}::uuid`.as('runId'),
          sql<number>`${position}::integer`.as('position'),
          sql<Date>`${at}::timestamptz`.as('endedAt'),
        ])
        .where(isClaimed(run)),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['runId', 'position'])
        .doUpdateSet({ endedAt: at })
        .where('generationAttempts.endedAt', 'is', null),
    )
    .returning('position')
    .executeTakeFirst();
  return ended !== undefined;
}

/** How long a post takes in milliseconds, from the latest ones of all; null when nothing is known. */
const usualDuration = sql<number | null>`(
  select percentile_cont(0.5) within group (order by latest.ms) from (
    select extract(epoch from ended_at - started_at) * 1000 as ms from generation_attempts
    where started_at is not null and ended_at is not null order by ended_at desc limit ${LOOKED_AT}) as latest)`;

/**
 * Selects how long writing a post usually takes, in milliseconds, and since when the unfinished posts of a run are
 * being written. Each is null when unknown.
 */
export const findProgress = (db: Db, runId: string) =>
  db
    .selectFrom('generationAttempts')
    .select(({ fn }) => [fn.min('startedAt').as('begunSince'), usualDuration.as('usualMs')])
    .where('runId', '=', runId)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow();
