import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import type { ClaimedRun } from './claim.ts';

const SAMPLE_SIZE = 20;

/**
 * The responses of the writer for one item of a run so far: their number, the last text, and what was wrong with it.
 * `rejections` are sentences for the writer, `complaints` sentences for the user.
 */
export type ItemAttempts = {
  answers: number;
  rejections: string[];
  complaints: string[];
  rejected: string | null;
};
export const noAttempts = (): ItemAttempts => ({
  answers: 0,
  rejections: [],
  complaints: [],
  rejected: null,
});

export async function listAttempts(
  db: Db,
  runId: string,
): Promise<Map<number, ItemAttempts & { isEnded: boolean }>> {
  const rows = await db
    .selectFrom('generationAttempts')
    .select(['position', 'answers', 'rejections', 'complaints', 'rejected', 'endedAt'])
    .where('runId', '=', runId)
    .execute();
  return new Map(
    rows.map(({ position, endedAt, ...attempts }) => [position, { ...attempts, isEnded: endedAt !== null }]),
  );
}

/** Begins or resumes an item. A call of a process that died is dropped. */
export async function beginItem(db: Db, runId: string, position: number, at: Date): Promise<void> {
  await db
    .insertInto('generationAttempts')
    .values({ runId, position, startedAt: at })
    .onConflict((conflict) =>
      conflict.columns(['runId', 'position']).doUpdateSet({ startedAt: at, calledAt: null }),
    )
    .execute();
}

export async function storeAttempts(
  db: Db,
  run: ClaimedRun,
  position: number,
  { answers, rejections, complaints, rejected }: ItemAttempts,
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

export const isClaimed = ({ id, userId, leaseUntil }: ClaimedRun) =>
  sql<boolean>`exists (select from generation_runs r where r.id = ${id} and r.user_id = ${userId} and r.status = 'running'
    and r.lease_until is not distinct from ${leaseUntil})`;

/**
 * Ends an item. Returns false when it had ended before, or the claim is no longer valid. The caller holds the lock of
 * the user.
 */
export async function endItem(trx: Trx, run: ClaimedRun, position: number, at: Date): Promise<boolean> {
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

/** The median duration in milliseconds of the latest items of all users; null when there are none. */
const usualDuration = sql<number | null>`(
  select percentile_cont(0.5) within group (order by latest.ms) from (
    select extract(epoch from ended_at - started_at) * 1000 as ms from generation_attempts
    where started_at is not null and ended_at is not null order by ended_at desc limit ${SAMPLE_SIZE}) as latest)`;

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
