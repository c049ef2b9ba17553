import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { type Slot, slotOf } from '#app/domain/automation/slots.ts';
import { type FullTimetable, readTimetable } from '#app/domain/automation/timetable.ts';
import { findActivePlan } from '#app/domain/payments/subscription.ts';
import { nearestSimilarity } from '#app/domain/posts/memory.ts';
import { askForWritten } from '#app/domain/queue/approval.ts';
import { isTaken } from '#app/domain/queue/chosen-slot.ts';
import { findFreeSlots } from '#app/domain/queue/free-slots.ts';
import { addPost } from '#app/domain/queue/standing.ts';
import { takeTurn, type WritingTopic } from '#app/domain/topics/turns.ts';
import { askWriter } from '#app/integrations/openai.ts';
import { BAD_ANSWER } from './bad-answers.ts';
import { type CheckedAgainst, problemsOf, tidyHashtags } from './checks.ts';
import { Draft } from './draft.ts';
import { gatherMaterial } from './material.ts';
import { buildPrompt } from './prompt.ts';

const MOST_TRIES = 3;
/** Above this two texts count as the same post in other words (pg_trgm similarity, 0 to 1). */
const MOST_SIMILARITY = 0.6;

export type Usage = { model: string | null; inputTokens: number; outputTokens: number };
/** What the writer has answered for one place so far: how often, and what was wrong with the last one. */
export type Tries = { answers: number; rejections: string[] };
export type Written = { draft: Draft; problem?: undefined } | { draft?: undefined; problem: string };

/**
 * Asks the writer for a post about a topic until an answer passes every check, at most 3 times with those
 * that `tries` knows of. `usage` adds up what the answers cost, taken or not. Throws WriterBusy and
 * WriterFault. Nothing is asked any more once `signal` is aborted; `tries` then says how far it came.
 */
export async function writeChecked(
  db: Db,
  userId: string,
  topic: WritingTopic,
  usage: Usage,
  tries: Tries,
  signal: AbortSignal,
): Promise<Written> {
  const material = await gatherMaterial(db, userId);
  while (tries.answers < MOST_TRIES) {
    const { rejections } = tries;
    const { instructions, request, given } = buildPrompt({ ...material, topic, rejections });
    signal.throwIfAborted();
    const answer = await askWriter({
      ...{ name: 'linkedin_post', shape: Draft, signal },
      messages: [
        { role: 'system', content: instructions },
        { role: 'user', content: request },
      ],
    });
    usage.model = answer.model;
    usage.inputTokens += answer.inputTokens;
    usage.outputTokens += answer.outputTokens;
    tries.answers += 1;
    if (answer.problem) {
      tries.rejections = [BAD_ANSWER[answer.problem]];
      continue;
    }
    const draft = tidy(answer.answer);
    tries.rejections = await rejectionsOf(db, userId, draft, { topic, given });
    if (tries.rejections.length === 0) return { draft };
  }
  return { problem: tries.rejections.join(' ') };
}

const tidy = ({ content, hashtags }: Draft): Draft => ({
  content: content.replace(/\r\n?/g, '\n').trim(),
  hashtags: tidyHashtags(hashtags),
});

/** What is wrong with an answer, as sentences for the writer. */
async function rejectionsOf(
  db: Db,
  userId: string,
  draft: Draft,
  against: CheckedAgainst,
): Promise<string[]> {
  const problems = problemsOf(draft, against);
  if (problems.length > 0) return problems;
  const isNew = (await nearestSimilarity(db, userId, draft.content)) <= MOST_SIMILARITY;
  return isNew ? [] : ['It is too close to an earlier post of the author; choose another angle.'];
}

type NewPost = {
  runId: string;
  runIndex: number;
  userId: string;
  topicId: string;
  draft: Draft;
  /** The slot it was written for; null takes the next free one, when the user has a plan. */
  slot: Slot | null;
  /** Somebody waits for this post: where its slot is taken it takes the next free one, too. */
  isAskedFor: boolean;
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
    const { runId, runIndex, userId, topicId, draft } = post;
    await lockUser(trx, userId);
    const timetable = await readTimetable(trx, userId, now);
    const slot = await placeOf(trx, post, timetable, now);
    const written = { userId, topicId, runId, runIndex, ...draft, createdAt: now };
    const postId = await addPost(trx, written, slot);
    if (!postId) return undefined;
    await askForWritten(trx, postId);
    await takeTurn(trx, topicId, now);
    return slot;
  });
}
