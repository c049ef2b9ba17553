import type { Db } from '#app/db/client.ts';
import { findUser } from '#app/domain/accounts/users.ts';
import { findTopicOfSlot, listOpenings, listOwnWords } from '#app/domain/posts/memory.ts';
import { listTurns, type WritingTopic } from '#app/domain/topics/turns.ts';

/**
 * The topic whose turn it is: the least recently used active one, and not the one that the same slot had
 * the day before when there is a choice.
 */
export async function chooseTopic(
  db: Db,
  userId: string,
  slot: { date: string; number: number } | null,
): Promise<WritingTopic | undefined> {
  const topics = await listTurns(db, userId);
  if (!slot || topics.length < 2) return topics[0];
  const date = Temporal.PlainDate.from(slot.date).subtract({ days: 1 }).toString();
  const before = await findTopicOfSlot(db, userId, { ...slot, date });
  return topics.find(({ id }) => id !== before) ?? topics[0];
}

/** What the prompt carries about the author: who they are, how they write, what they said already. */
export async function gatherMaterial(db: Db, userId: string) {
  const { headline, voiceNotes } = await findUser(db, userId);
  return {
    author: { headline, voiceNotes },
    openings: await listOpenings(db, userId),
    examples: await listOwnWords(db, userId),
  };
}
