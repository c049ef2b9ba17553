import { type Db, type Trx, transact } from '#app/db/client.ts';
import { written } from '#app/db/written.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { type Slot, startOfLocalMonth } from '#app/domain/automation/slots.ts';
import { enqueue, jobs } from '#app/domain/jobs.ts';
import { isId } from '#app/domain/paging.ts';
import { findActivePlan } from '#app/domain/payments/subscription.ts';
import { notFound, Refusal } from '#app/domain/refusal.ts';
import { findTopic } from '#app/domain/topics/topics.ts';
import { listTurns, whyNoTurn } from '#app/domain/topics/turns.ts';
import { FREE_POSTS_A_MONTH, POSTS_AN_HOUR_MAX } from './limits.ts';
import type { GenerateInput } from './schema.ts';

const HOUR_MS = 3_600_000;
const LONGEST_MONTH_MS = 32 * 24 * HOUR_MS;

export const RUN_COLUMNS = [
  ...(['id', 'status', 'requested', 'done', 'failed', 'error', 'createdAt'] as const),
  ...(['slotDate', 'slotNumber', 'insteadAt'] as const),
] as const;
export type Run = Omit<Awaited<ReturnType<typeof findRun>>, 'postId'>;

/** Starts writing now. Without a plan some posts a calendar month are free. */
export async function generateNow(
  db: Db,
  actor: Actor,
  input: GenerateInput,
  now = new Date(),
): Promise<Run> {
  return transact(db, async (trx) => {
    // Serialises the allowance: two clicks at once can't both take the last free post.
    await lockUser(trx, actor.userId);
    return startRun(trx, actor, input, now);
  });
}

type Asked = { topicId?: string | undefined; count: number; slot?: Slot };

/** Writes down a run that was asked for, under the lock of the user, with its job; for one slot, or the next free ones. */
export async function startRun(
  trx: Trx,
  actor: Actor,
  { topicId, count, slot }: Asked,
  now: Date,
): Promise<Run> {
  const values = {
    ...{ userId: actor.userId, topicId: await requireTopic(trx, actor, topicId) },
    ...{ requested: count, createdAt: now, isForTopic: topicId !== undefined && topicId !== '' },
    ...(slot ? { slotDate: slot.date, slotNumber: slot.number } : {}),
  };
  await requireAllowance(trx, actor, count, now);
  const run = await trx.insertInto('runs').values(values).returning(RUN_COLUMNS).executeTakeFirstOrThrow();
  await enqueue(trx, jobs.writeRun, { runId: run.id });
  return run;
}

async function requireTopic(trx: Trx, actor: Actor, topicId: string | undefined): Promise<string | null> {
  if (topicId) return (await findTopic(trx, actor, topicId)).id;
  if ((await listTurns(trx, actor.userId)).length === 0) {
    throw new Refusal(409, 'no_active_topic', await whyNoTurn(trx, actor.userId));
  }
  return null;
}

type Since = { userId: string; since: Date };

const sumAskedFor = written((db: Db, { userId, since }: Since) =>
  db
    .selectFrom('runs')
    .select(({ fn, eb }) =>
      fn.coalesce(fn.sum<string>(eb('requested', '-', eb.ref('failed'))), eb.lit(0)).as('posts'),
    )
    .where('userId', '=', userId)
    .where('scheduledFor', 'is', null)
    .where('postId', 'is', null)
    .where('createdAt', '>=', since),
);

/** Posts that Generate now wrote, or is to write, since an instant. */
async function countAskedFor(db: Db, userId: string, since: Date): Promise<number> {
  const [sum] = await sumAskedFor(db, { userId, since });
  return Number(sum!.posts);
}

/** How many posts may still be written without a plan in this local month. */
export async function countFreePosts(db: Db, actor: Actor, now = new Date()): Promise<number> {
  const written = await countAskedFor(db, actor.userId, startOfLocalMonth(now, actor.timeZone));
  return Math.max(0, FREE_POSTS_A_MONTH - written);
}

/** When the free posts of the next local month can be written. */
export const freeAgainAt = (now: Date, timeZone: string): Date =>
  startOfLocalMonth(new Date(startOfLocalMonth(now, timeZone).getTime() + LONGEST_MONTH_MS), timeZone);

async function requireAllowance(trx: Trx, actor: Actor, count: number, now: Date): Promise<void> {
  if (await findActivePlan(trx, actor.userId, now)) {
    const written = await countAskedFor(trx, actor.userId, new Date(now.getTime() - HOUR_MS));
    if (written + count > POSTS_AN_HOUR_MAX) {
      const message = `At most ${POSTS_AN_HOUR_MAX} posts can be written in an hour. Please try again later`;
      throw new Refusal(429, 'rate_limited', message, { retryAfter: 900 });
    }
    return;
  }
  const left = await countFreePosts(trx, actor, now);
  if (count > left) {
    const message = `Without a plan ${FREE_POSTS_A_MONTH} posts a month are free, and ${left === 0 ? 'none is' : `${left} of them ${left === 1 ? 'is' : 'are'}`} left. Please subscribe to a plan first`;
    throw new Refusal(402, 'subscription_required', message);
  }
}

export async function findRun(db: Db, actor: Actor, runId: string) {
  const run = isId(runId)
    ? await db
        .selectFrom('runs')
        .select([...RUN_COLUMNS, 'postId'])
        .where('id', '=', runId)
        .where('userId', '=', actor.userId)
        .executeTakeFirst()
    : undefined;
  if (!run) throw notFound('This run');
  return run;
}
