import type { Db, Trx } from '#app/db/client.ts';

export type WritingTopic = {
  id: string;
  name: string;
  description: string;
  keywords: string[];
  tone: string;
};

const COLUMNS = ['id', 'name', 'description', 'keywords', 'tone'] as const;

/** The active topics of a user in the order of their turns: the least recently used first. */
export const listTurns = (db: Db, userId: string): Promise<WritingTopic[]> =>
  db
    .selectFrom('topics')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .where('isActive', '=', true)
    .orderBy('lastUsedAt', (order) => order.asc().nullsFirst())
    .orderBy('createdAt')
    .execute();

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

/** The topic has had its turn. */
export async function takeTurn(trx: Trx, topicId: string, now: Date): Promise<void> {
  await trx.updateTable('topics').set({ lastUsedAt: now }).where('id', '=', topicId).execute();
}
