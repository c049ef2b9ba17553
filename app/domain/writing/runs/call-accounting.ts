import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import { databaseClock } from '#app/db/clock.ts';
import { Cancelled } from '#app/domain/writing/generate/timeout.ts';
import { isClaimed } from './attempts.ts';
import type { ClaimedRun } from './claim.ts';

/** An item of a run for which the writer is called. */
export type ItemCall = { run: ClaimedRun; position: number };

export type TokenUsage = { model: string; inputTokens: number; outputTokens: number };

const rowOf = (db: Db, { run, position }: ItemCall) =>
  db.updateTable('generationAttempts').where('runId', '=', run.id).where('position', '=', position);

/**
 * Records that a call for an item begins. Throws Cancelled when the claim is no longer valid. The lock order is the run,
 * then its items, so a user who stops the run waits for this and then sees the call.
 */
export async function beginCall(trx: Trx, item: ItemCall): Promise<void> {
  const { run } = item;
  const claimed = await trx
    .selectFrom('generationRuns')
    .select('id')
    .where('id', '=', run.id)
    .where('userId', '=', run.userId)
    .where(isClaimed(run))
    .forShare()
    .executeTakeFirst();
  if (!claimed) throw new Cancelled();
  await rowOf(trx, item).set({ calledAt: databaseClock }).execute();
}

/**
 * Records the response of a call. Its tokens are added to the run even when another process has claimed it. The item
 * counts against the quota when the response used tokens, unless the run has ended.
 */
export async function endCall(trx: Trx, item: ItemCall, usage: TokenUsage): Promise<void> {
  const { model, inputTokens, outputTokens } = usage;
  const run = await trx
    .updateTable('generationRuns')
    .set((eb) => ({
      model,
      inputTokens: eb('inputTokens', '+', inputTokens),
      outputTokens: eb('outputTokens', '+', outputTokens),
    }))
    .where('id', '=', item.run.id)
    .where('userId', '=', item.run.userId)
    .returning('status')
    .executeTakeFirst();
  const isCounted = inputTokens + outputTokens > 0 && run?.status !== 'complete';
  const answeredAt = sql<Date>`coalesce(answered_at, ${databaseClock})`;
  await rowOf(trx, item)
    .set({ calledAt: null, ...(isCounted ? { answeredAt } : {}) })
    .execute();
}

/** Records that a call failed, so that it does not count when the user stops the run. */
export async function abandonCall(db: Db, item: ItemCall): Promise<void> {
  await rowOf(db, item).set({ calledAt: null }).where(isClaimed(item.run)).execute();
}

/** Open items no longer count against the quota: the run ends for a reason that is ours or the writer's. */
export async function refundOpenItems(trx: Trx, runId: string): Promise<void> {
  const rows = trx.updateTable('generationAttempts').set({ answeredAt: null }).where('runId', '=', runId);
  await rows.where('endedAt', 'is', null).execute();
}

/** The item no longer counts against the quota: the writer could not answer. The caller holds the lock of the user. */
export async function refundItem(trx: Trx, item: ItemCall): Promise<void> {
  await rowOf(trx, item).set({ answeredAt: null }).execute();
}

/** Items with a call in progress count against the quota when the user stops the run. */
export async function countStoppedCalls(trx: Trx, runId: string, now: Date): Promise<void> {
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
