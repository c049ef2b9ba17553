import type { Trx } from '#app/db/client.ts';
import type { Slot } from '#app/domain/automation/slots.ts';
import { unplacePost } from '#app/domain/posts/rows.ts';
import { LEFT, markQueued } from '#app/domain/queue/post-state.ts';
import { moveToFreeSlot } from '#app/domain/queue/schedule.ts';

/**
 * Gives a post that waits a slot, whether it had one or not, or takes it away. What was to go out by hand goes by the
 * rules of the queue from then on.
 */
export async function giveSlot(trx: Trx, postId: string, slot: Slot | null): Promise<void> {
  if (!slot) {
    await unplacePost(trx, postId);
    await trx.updateTable('deliveries').set(LEFT).where('postId', '=', postId).execute();
    return markQueued(trx, postId);
  }
  await trx
    .updateTable('deliveries')
    .set({ dueAt: slot.at, askedDueAt: null })
    .where('postId', '=', postId)
    .where('dueAt', 'is', null)
    .execute();
  await moveToFreeSlot(trx, postId, slot);
}
