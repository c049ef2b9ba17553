import type { Trx } from '#app/db/client.ts';

/** Whether an attempt at this post is still unsettled: LinkedIn may be taking it at this moment. */
export async function hasOpenAttempt(trx: Trx, postId: string): Promise<boolean> {
  const open = await trx
    .selectFrom('publications')
    .select('id')
    .where('postId', '=', postId)
    .where('resolvedAt', 'is', null)
    .executeTakeFirst();
  return open !== undefined;
}

/** Whether LinkedIn lets us post for this user, as far as we know. */
export async function isConnected(trx: Trx, userId: string): Promise<boolean> {
  const connection = await trx
    .selectFrom('linkedinConnections')
    .select('userId')
    .where('userId', '=', userId)
    .where('status', '=', 'alive')
    .executeTakeFirst();
  return connection !== undefined;
}
