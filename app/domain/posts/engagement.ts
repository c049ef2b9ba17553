import { type Db, transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { lockPostRow } from './rows.ts';
import type { EngagementForm } from './schema.ts';

/** Stores the numbers that the user typed in for a published post, and replaces earlier ones. */
export async function saveEngagement(
  db: Db,
  actor: Actor,
  { postId, ...numbers }: EngagementForm & { postId: string },
  now = new Date(),
): Promise<void> {
  const { id } = await findPost(db, actor, postId);
  await transact(db, async (trx) => {
    await lockPostRow(trx, id);
    const post = await findPost(trx, actor, id);
    if (post.status !== 'published') {
      throw new Refusal(409, 'not_published', 'Numbers can be typed in about a published post only');
    }
    if (post.visibility !== 'PUBLIC') {
      throw new Refusal(409, 'test_post', 'A test post counts for nothing, so it has no numbers');
    }
    const typed = { ...numbers, enteredAt: now };
    await trx
      .insertInto('engagements')
      .values({ postId, userId: actor.userId, ...typed })
      .onConflict((conflict) => conflict.column('postId').doUpdateSet(typed))
      .execute();
  });
}

export async function clearEngagement(db: Db, actor: Actor, postId: string): Promise<void> {
  const { id } = await findPost(db, actor, postId);
  await db.deleteFrom('engagements').where('postId', '=', id).where('userId', '=', actor.userId).execute();
}
