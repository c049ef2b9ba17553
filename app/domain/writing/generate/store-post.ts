import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { type Slot, slotOf } from '#app/domain/automation/slots.ts';
import { type FullTimetable, readTimetable } from '#app/domain/automation/timetable.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import { requireApprovalOfNew } from '#app/domain/publishing/approval/approve.ts';
import { findFreeSlots } from '#app/domain/publishing/slots/free-slots.ts';
import { isSlotTaken } from '#app/domain/publishing/slots/slot-key.ts';
import { addPost } from '#app/domain/publishing/state/post-state.ts';
import { findWritingTopic, recordTurn } from '#app/domain/topics/turns.ts';
import { type GeneratedPost, storeBrief } from './brief-store.ts';

type NewPost = {
  runId: string;
  runIndex: number;
  userId: string;
  topicId: string;
  generated: GeneratedPost;
  /** The slot it was written for. With null and a plan it takes the next free one. */
  slot: Slot | null;
  /** The user requested the post, so when its slot is taken it takes the next free one. */
  isRequested: boolean;
  /** When its brief was decided: it orders posts that are written at the same time. */
  decidedAt?: Date;
};

/** Returns the slot with its present time: settings may have changed while the post was written. */
async function chooseSlot(
  trx: Trx,
  { userId, slot, isRequested }: NewPost,
  timetable: FullTimetable,
  now: Date,
): Promise<Slot | null> {
  const current = slot && slotOf(slot.date, slot.number, timetable);
  const isLost = isRequested && slot && (await isSlotTaken(trx, userId, slot));
  if (current && current.at > now && !isLost) return current;
  if (!(await findActivePlan(trx, userId, now))) return slot;
  const [free] = await findFreeSlots(trx, userId, timetable, now, 1);
  return free!;
}

/**
 * Stores a written post with its schedule, its brief and the turn of its topic, in one transaction. Returns its slot, or
 * undefined when the run had stored this post before or its slot is taken.
 */
export async function storePost(db: Db, post: NewPost, now: Date): Promise<Slot | null | undefined> {
  return transact(db, async (trx) => {
    const { runId, runIndex, userId, topicId, generated, decidedAt = now } = post;
    const { content, hashtags } = generated.draft;
    await lockUser(trx, userId);
    const timetable = await readTimetable(trx, userId, now);
    const slot = await chooseSlot(trx, post, timetable, now);
    // The approval setting of a topic that was deleted meanwhile is unknown, so its post waits.
    const topic = await findWritingTopic(trx, userId, topicId);
    const written = { userId, runId, runIndex, content, hashtags, createdAt: now };
    const postId = await addPost(
      trx,
      { ...written, topicId: topic ? topicId : null },
      slot,
      topic ? 'generated' : 'pending',
    );
    if (!postId) return undefined;
    await storeBrief(trx, { postId, userId }, generated, decidedAt);
    await requireApprovalOfNew(trx, { id: postId, userId });
    await recordTurn(trx, { id: topicId, userId }, now);
    return slot;
  });
}
