import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import { databaseClock } from '#app/db/clock.ts';
import { Cancelled } from '#app/domain/writing/generate/timeout.ts';
import { isClaimed } from './attempts.ts';
import type { ClaimedRun } from './claim.ts';

/** A place of a run for which its holder asks the writer. */
export type ItemCall = { run: ClaimedRun; index: number };

export type Spent = { model: string; inputTokens: number; outputTokens: number };

const rowOf = (db: Db, { run, index }: ItemCall) =>
  db.updateTable('generationAttempts').where('runId', '=', run.id).where('position', '=', index);

/**
 * The writer is asked for a place from now on. Throws Cancelled when somebody has stopped the run, who waits for this
 * and then sees the call. Whoever locks both locks the run before its places.
 */
export async function beginCall(trx: Trx, place: ItemCall): Promise<void> {
  const { run } = place;
  const held = await trx
    .selectFrom('generationRuns')
    .select('id')
    .where('id', '=', run.id)
    .where('userId', '=', run.userId)
    .where(isClaimed(run))
    .forShare()
    .executeTakeFirst();
  if (!held) throw new Cancelled();
  await rowOf(trx, place).set({ calledAt: databaseClock }).execute();
}

/**
 * The call has its answer: the run has cost so much, whoever has it by now, and an answer that cost makes its place count.
 * After the end of the run nothing does: what counts was settled then.
 */
export async function endCall(trx: Trx, place: ItemCall, spent: Spent): Promise<void> {
  const { model, inputTokens, outputTokens } = spent;
  const run = await trx
    .updateTable('generationRuns')
    .set((eb) => ({
      model,
      inputTokens: eb('inputTokens', '+', inputTokens),
      outputTokens: eb('outputTokens', '+', outputTokens),
    }))
    .where('id', '=', place.run.id)
    .where('userId', '=', place.run.userId)
    .returning('status')
    .executeTakeFirst();
  const doesCount = inputTokens + outputTokens > 0 && run?.status !== 'complete';
  const answeredAt = sql<Date>`coalesce(answered_at, ${databaseClock})`;
  await rowOf(trx, place)
    .set({ calledAt: null, ...(doesCount ? { answeredAt } : {}) })
    .execute();
}

/** The call came to nothing: when nobody has stopped it, it does not count. */
export async function giveUpCall(db: Db, place: ItemCall): Promise<void> {
  await rowOf(db, place).set({ calledAt: null }).where(isClaimed(place.run)).execute();
}

/** The run ends for reasons of ours or of the writer: what was begun for places that are open still does not count. */
export async function freeOpenPlaces(trx: Trx, runId: string): Promise<void> {
  const rows = trx.updateTable('generationAttempts').set({ answeredAt: null }).where('runId', '=', runId);
  await rows.where('endedAt', 'is', null).execute();
}

/** The writer could not answer for the place, in the lock of its user: it does not count. */
export async function freePlace(trx: Trx, place: ItemCall): Promise<void> {
  await rowOf(trx, place).set({ answeredAt: null }).execute();
}

/** What the writer is being asked for counts: its user stops a run that a process has in hand. */
export async function countStopped(trx: Trx, runId: string, now: Date): Promise<void> {
  await trx.selectFrom('generationRuns').select('id').where('id', '=', runId).forUpdate().execute();
  await trx
    .updateTable('generationAttempts')
    .set({ answeredAt: sql<Date>`coalesce(answered_at, called_at)` })
    .where('runId', '=', runId)
    .where(
      sql<boolean>`exists (select from generation_runs r where r.id = ${runId} and r.status = 'running' and r.lease_until > ${now})`,
    )
    .execute();
}
