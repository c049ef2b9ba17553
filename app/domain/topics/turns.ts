import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import { mailUser } from '#app/domain/accounts/users.ts';
import { env } from '#app/env.ts';
import { TOPIC_FAILURES_MAX } from './limits.ts';
import { hasTurns } from './predicates.ts';
import { WRITING_COLUMNS, type WritingTopic } from './topics.ts';

type PausedTopic = {
  id: string;
  userId: string;
  name: string;
  failures: number;
  failure: string;
  pausedAt: Date;
};

/** Sends one mail for each pause: a paused topic can fail again when the user has a post written about it. */
async function mailPaused(
  trx: Trx,
  { id, userId, name, failures, failure, pausedAt }: PausedTopic,
  hasOthers: boolean,
): Promise<void> {
  const data = { topic: name, failures, failure, hasOthers, url: `${env().APP_URL}/app/topics?edit=${id}` };
  await mailUser(trx, userId, 'topicPaused', data, `topic-paused:${id}:${pausedAt.getTime()}`);
}

/** Lists the topics of a user that have turns, the least recently used first. */
export const listTurns = (db: Db, userId: string): Promise<WritingTopic[]> =>
  db
    .selectFrom('topics')
    .select(WRITING_COLUMNS)
    .where('userId', '=', userId)
    .where(hasTurns())
    .orderBy('lastTurnAt', (order) => order.asc().nullsFirst())
    .orderBy('createdAt')
    .execute();

/** A topic that has turns now, or from `pausedUntil` on. */
export type TopicInRotation = { id: string; pausedUntil: Date | null };

/** Lists the topics of a user that have turns or will have them when their pause ends, the least recently used first. */
export const listRotation = (db: Db, userId: string): Promise<TopicInRotation[]> =>
  db
    .selectFrom('topics')
    .select(['id', 'pausedUntil'])
    .where('userId', '=', userId)
    .where('isActive', '=', true)
    .where(({ or, eb }) => or([eb('pausedAt', 'is', null), eb('pausedUntil', 'is not', null)]))
    .orderBy('lastTurnAt', (order) => order.asc().nullsFirst())
    .orderBy('createdAt')
    .execute();

/** Returns why no topic of a user has a turn, and what to do: a sentence without its full stop. */
export async function explainNoTurns(db: Db, userId: string): Promise<string> {
  const active = await db
    .selectFrom('topics')
    .select('id')
    .where('userId', '=', userId)
    .where('isActive', '=', true)
    .limit(1)
    .executeTakeFirst();
  return active
    ? 'Every active topic is paused. Resume one on the page Topics before posts can be written'
    : 'Add a topic, or activate one, before posts can be written';
}

export const findWritingTopic = (
  db: Db,
  userId: string,
  topicId: string,
): Promise<WritingTopic | undefined> =>
  db
    .selectFrom('topics')
    .select(WRITING_COLUMNS)
    .where('id', '=', topicId)
    .where('userId', '=', userId)
    .executeTakeFirst();

/**
 * Records a turn with which a post was written. This ends a pause after failures; a pause until a day stays.
 */
export async function recordTurn(
  trx: Trx,
  { id, userId }: { id: string; userId: string },
  now: Date,
): Promise<void> {
  const pausedAt = sql<Date | null>`case when paused_until is null then null else paused_at end`;
  await trx
    .updateTable('topics')
    .set({ lastUsedAt: now, lastTurnAt: now, failures: 0, failure: '', pausedAt })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .execute();
}

/** The count of failures in a row with this one. A failure since `since` was counted already. */
const nextFailures = (since: Date | null) =>
  sql<number>`case when failures > 0 and last_turn_at >= ${since}::timestamptz then failures
    else least(failures + 1, ${TOPIC_FAILURES_MAX}) end`;

/** The new value of a column when this failure pauses the topic, else its old value. A pause until a day stays. */
const ifPausedNow = <Value>(
  failures: RawBuilder<number>,
  value: RawBuilder<unknown>,
  column: string,
  now: Date,
) =>
  sql<Value>`case when (${failures}) >= ${TOPIC_FAILURES_MAX} and (paused_until > ${now}) is not true
    then ${value} else ${sql.ref(column)} end`;

/**
 * Records a turn without a post. `failure` is the reason when it lies in the topic, else null. After three failures in
 * a row the topic is paused until the user resumes it, and the user gets a mail. Failures after `since` count as one.
 */
export async function recordFailedTurn(
  trx: Trx,
  topicId: string,
  failure: string | null,
  now: Date,
  since: Date | null = null,
): Promise<void> {
  const failures = nextFailures(since);
  const isPausedAlready = sql`paused_at is not null and paused_until is null`;
  const failed = failure !== null && {
    failure,
    failures,
    pausedAt: ifPausedNow<Date | null>(
      failures,
      sql`case when ${isPausedAlready} then paused_at else ${now} end`,
      'pausedAt',
      now,
    ),
    pausedUntil: ifPausedNow<Date | null>(failures, sql`null`, 'pausedUntil', now),
  };
  const topic = await trx
    .updateTable('topics')
    .set({ lastTurnAt: now, ...failed })
    .where('id', '=', topicId)
    .returning(['id', 'userId', 'name', 'isActive', 'failures', 'failure', 'pausedAt', 'pausedUntil'])
    .executeTakeFirst();
  if (failed && topic?.isActive && topic.pausedAt && !topic.pausedUntil) {
    const hasOthers = (await listTurns(trx, topic.userId)).length > 0;
    await mailPaused(trx, { ...topic, pausedAt: topic.pausedAt }, hasOthers);
  }
}
