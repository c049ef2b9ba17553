import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import { mailUser } from '#app/domain/accounts/users.ts';
import { env } from '#app/env.ts';
import { TOPIC_FAILURES_MAX } from './limits.ts';
import { hasTurns } from './predicates.ts';

type PausedTopic = {
  id: string;
  userId: string;
  name: string;
  failures: number;
  failure: string;
  pausedAt: Date;
};

/** One mail for one pause: a paused topic that is asked for and fails again was told of already. */
async function mailPaused(
  trx: Trx,
  { id, userId, name, failures, failure, pausedAt }: PausedTopic,
  hasOthers: boolean,
): Promise<void> {
  const data = { topic: name, failures, failure, hasOthers, url: `${env().APP_URL}/app/topics?edit=${id}` };
  await mailUser(trx, userId, 'topicPaused', data, `topic-paused:${id}:${pausedAt.getTime()}`);
}

export type WritingTopic = {
  id: string;
  name: string;
  description: string;
  keywords: string[];
  tone: string;
};

const COLUMNS = ['id', 'name', 'description', 'keywords', 'tone'] as const;

/** The topics of a user that have turns, in their order: the one whose turn is longest ago first. */
export const listTurns = (db: Db, userId: string): Promise<WritingTopic[]> =>
  db
    .selectFrom('topics')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .where(hasTurns())
    .orderBy('lastTurnAt', (order) => order.asc().nullsFirst())
    .orderBy('createdAt')
    .execute();

/** A topic that has turns, now or from an instant on. */
export type InRotation = { id: string; pausedUntil: Date | null };

/** The topics of a user that have turns or will have them by themselves, in the order of their last turns. */
export const listRotation = (db: Db, userId: string): Promise<InRotation[]> =>
  db
    .selectFrom('topics')
    .select(['id', 'pausedUntil'])
    .where('userId', '=', userId)
    .where('isActive', '=', true)
    .where(({ or, eb }) => or([eb('pausedAt', 'is', null), eb('pausedUntil', 'is not', null)]))
    .orderBy('lastTurnAt', (order) => order.asc().nullsFirst())
    .orderBy('createdAt')
    .execute();

/** Why no topic of a user has a turn, and what to do: a sentence without its full stop. */
export async function whyNoTurn(db: Db, userId: string): Promise<string> {
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

/** A topic of the user, active or not. */
export const findWritingTopic = (
  db: Db,
  userId: string,
  topicId: string,
): Promise<WritingTopic | undefined> =>
  db
    .selectFrom('topics')
    .select(COLUMNS)
    .where('id', '=', topicId)
    .where('userId', '=', userId)
    .executeTakeFirst();

/**
 * The topic has had its turn, and a post about it is written. One that was paused for its failures has its turns again;
 * one that its owner paused until a day stays so.
 */
export async function takeTurn(
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

/** How often it has failed with this time; what failed since the instant `since` has counted. */
const failuresNow = (since: Date | null) =>
  sql<number>`case when failures > 0 and last_turn_at >= ${since}::timestamptz then failures
    else least(failures + 1, ${TOPIC_FAILURES_MAX}) end`;

/** What a pause becomes with the last failure in a row; until the day that its owner named it stays as it is. */
const onLastFailure = <Value>(
  failures: RawBuilder<number>,
  value: RawBuilder<unknown>,
  column: string,
  now: Date,
) =>
  sql<Value>`case when (${failures}) >= ${TOPIC_FAILURES_MAX} and (paused_until > ${now}) is not true
    then ${value} else ${sql.ref(column)} end`;

/**
 * The topic has had its turn, and there is no post. When that lies in the topic, `failure` says why; after three in
 * a row it is paused until its owner resumes it, and its owner is told. Those since the instant `since` are one.
 */
export async function passTurn(
  trx: Trx,
  topicId: string,
  failure: string | null,
  now: Date,
  since: Date | null = null,
): Promise<void> {
  const failures = failuresNow(since);
  const isPausedAlready = sql`paused_at is not null and paused_until is null`;
  const failed = failure !== null && {
    failure,
    failures,
    pausedAt: onLastFailure<Date | null>(
      failures,
      sql`case when ${isPausedAlready} then paused_at else ${now} end`,
      'pausedAt',
      now,
    ),
    pausedUntil: onLastFailure<Date | null>(failures, sql`null`, 'pausedUntil', now),
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
