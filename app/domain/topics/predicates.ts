import { type RawBuilder, sql } from 'kysely';
import { databaseClock } from '#app/db/clock.ts';

/** The topic in the row `table` is paused now. */
export const isPaused = (table = 'topics'): RawBuilder<boolean> => {
  const [at, until] = [sql.ref(`${table}.pausedAt`), sql.ref(`${table}.pausedUntil`)];
  return sql`(${at} is not null and (${until} is null or ${until} > ${databaseClock}))`;
};

/** The topic in the row `table` has its turns: active and not paused. */
export const hasTurns = (table = 'topics'): RawBuilder<boolean> =>
  sql`(${sql.ref(`${table}.isActive`)} and not ${isPaused(table)})`;

/** The user in the column `userId` has a topic that has turns. */
export const hasTopicWithTurns = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from topics t where t.user_id = ${sql.ref(userId)} and ${hasTurns('t')})`;

/** The user with this id has a topic, active or not. */
export const hasAnyTopic = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from topics t where t.user_id = ${userId})`;

/** The approval of the topic in the column `topicId`: 'approve', 'publish', or null when the user's settings decide. */
export const approvalOf = (topicId: string): RawBuilder<string | null> =>
  sql`(select nullif(t.approval, 'settings') from topics t where t.id = ${sql.ref(topicId)})`;
