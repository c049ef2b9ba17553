import type { Db, Trx } from '#app/db/client.ts';
import type { StoredPost } from './post-state.ts';

/** The unique index of urns among the posts of a user that are not deleted. */
export const URN_KEY = 'post_schedules_network_urn_key';

type Owned = Pick<StoredPost, 'id' | 'userId'>;

/** Returns the user's other posts with this urn, also deleted ones. At most one of them is not deleted. */
export const listOthersUnder = (db: Db, { id, userId }: Owned, urn: string) =>
  db
    .selectFrom('postSchedules')
    .select(['postId as id', 'userId', 'networkUrn', 'deletedAt'])
    .where('userId', '=', userId)
    .where('networkUrn', '=', urn)
    .where('postId', '<>', id)
    .execute();

export async function clearUrn(trx: Trx, postId: string, urn: string): Promise<void> {
  await trx
    .updateTable('postSchedules')
    .set({ networkUrn: null })
    .where('postId', '=', postId)
    .where('networkUrn', '=', urn)
    .execute();
}
