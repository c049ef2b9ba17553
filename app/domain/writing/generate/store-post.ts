import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { type Slot, slotOf } from '#app/domain/automation/slots.ts';
import { type FullTimetable, readTimetable } from '#app/domain/automation/timetable.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import { requestForWritten } from '#app/domain/queue/approval/approve.ts';
import { addPost } from '#app/domain/queue/post-state.ts';
import { findFreeSlots } from '#app/domain/queue/slots/free-slots.ts';
import { isTaken } from '#app/domain/queue/slots/slot-key.ts';
import { findWritingTopic, recordTurn } from '#app/domain/topics/turns.ts';
import { type Composed, storeBrief } from './brief-store.ts';

type NewPost = {
  runId: string;
  runIndex: number;
  userId: string;
  topicId: string;
  composed: Composed;
  /** The slot it was written for; null takes the next free one, when the user has a plan. */
  slot: Slot | null;
  /** Somebody waits for this post: where its slot is taken it takes the next free one, too. */
  isAskedFor: boolean;
  /** When its brief was decided, where that tells it from those written beside it. */
  decidedAt?: Date;
};

/** The slot as its day has it now, because settings may have changed while the post was written. */
async function placeOf(
  trx: Trx,
  { userId, slot, isAskedFor }: NewPost,
  timetable: FullTimetable,
  now: Date,
): Promise<Slot | null> {
  const same = slot && slotOf(slot.date, slot.number, timetable);
  const isLost = isAskedFor && slot && (await isTaken(trx, userId, slot));
  if (same && same.at > now && !isLost) return same;
  if (!(await findActivePlan(trx, userId, now))) return slot;
  const [free] = await findFreeSlots(trx, userId, timetable, now, 1);
  return free!;
}

/**
 * Stores a written post with its delivery and counts it in the run, in one transaction. Answers the slot that it
 * has, or undefined when the run had this post already or its slot was taken meanwhile.
 */
export async function storePost(db: Db, post: NewPost, now: Date): Promise<Slot | null | undefined> {
  return transact(db, async (trx) => {
    const { runId, runIndex, userId, topicId, composed, decidedAt = now } = post;
    const { content, hashtags } = composed.draft;
    await lockUser(trx, userId);
    const timetable = await readTimetable(trx, userId, now);
    const slot = await placeOf(trx, post, timetable, now);
    // A topic that was deleted meanwhile can no longer say whether its posts wait for approval.
    const topic = await findWritingTopic(trx, userId, topicId);
    const written = { userId, runId, runIndex, content, hashtags, createdAt: now };
    const postId = await addPost(
      trx,
      { ...written, topicId: topic ? topicId : null },
      slot,
      topic ? 'generated' : 'pending',
    );
    if (!postId) return undefined;
    await storeBrief(trx, { postId, userId }, composed, decidedAt);
    await requestForWritten(trx, { id: postId, userId });
    await recordTurn(trx, { id: topicId, userId }, now);
    return slot;
  });
}
