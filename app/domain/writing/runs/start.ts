import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Slot } from '#app/domain/automation/slots.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { findTopic } from '#app/domain/topics/topics.ts';
import { explainNoTurns, listTurns } from '#app/domain/topics/turns.ts';
import { monthOf, requireAllowance } from '#app/domain/writing/quota.ts';
import type { GenerateForm } from '#app/domain/writing/schema.ts';

export const RUN_COLUMNS = [
  'id',
  'status',
  'requested',
  'done',
  'failed',
  'error',
  'createdAt',
  'slotDate',
  'slotNumber',
  'insteadAt',
] as const;
export type Run = Omit<Awaited<ReturnType<typeof findRun>>, 'postId'>;

/**
 * Starts a run now. Without a plan some posts of a calendar month are free. A form that is sent again unchanged returns
 * the run that it started.
 */
export async function generateNow(
  db: Db,
  actor: Actor,
  { key, topicId = '', count }: GenerateForm,
  now = new Date(),
): Promise<Run> {
  const requestKey = key && (topicId === '' || isId(topicId)) ? `${key} ${count} ${topicId}` : null;
  return transact(db, async (trx) => {
    // Serialises the quota, so that two requests can't both take the last free post.
    await lockUser(trx, actor.userId);
    const existing = requestKey && (await findByRequestKey(trx, actor, requestKey));
    return existing || startRun(trx, actor, { topicId, count, requestKey }, now);
  });
}

const findByRequestKey = (trx: Trx, { userId }: Actor, requestKey: string): Promise<Run | undefined> =>
  trx
    .selectFrom('generationRuns')
    .select(RUN_COLUMNS)
    .where('userId', '=', userId)
    .where('requestKey', '=', requestKey)
    .executeTakeFirst();

type StartInput = { topicId?: string | undefined; count: number; slot?: Slot; requestKey?: string | null };

/** Creates a run with its job, for one slot or for the next free ones. The caller holds the lock of the user. */
export async function startRun(
  trx: Trx,
  actor: Actor,
  { topicId, count, slot, requestKey = null }: StartInput,
  now: Date,
): Promise<Run> {
  const values = {
    userId: actor.userId,
    topicId: await requireTopic(trx, actor, topicId),
    requested: count,
    createdAt: now,
    requestKey,
    requestedMonth: monthOf(now, actor.timeZone),
    isForTopic: topicId !== undefined && topicId !== '',
    ...(slot ? { slotDate: slot.date, slotNumber: slot.number } : {}),
  };
  await requireAllowance(trx, actor, count, now);
  const run = await trx
    .insertInto('generationRuns')
    .values(values)
    .returning(RUN_COLUMNS)
    .executeTakeFirstOrThrow();
  await enqueue(trx, jobs.writeRun, { runId: run.id });
  return run;
}

async function requireTopic(trx: Trx, actor: Actor, topicId: string | undefined): Promise<string | null> {
  if (topicId) return (await findTopic(trx, actor, topicId)).id;
  if ((await listTurns(trx, actor.userId)).length === 0) {
    throw new Refusal(409, 'no_active_topic', await explainNoTurns(trx, actor.userId));
  }
  return null;
}

export async function findRun(db: Db, actor: Actor, runId: string) {
  const run = isId(runId)
    ? await db
        .selectFrom('generationRuns')
        .select([...RUN_COLUMNS, 'postId'])
        .where('id', '=', runId)
        .where('userId', '=', actor.userId)
        .executeTakeFirst()
    : undefined;
  if (!run) throw notFound('This run');
  return run;
}
