import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { postOfRun } from '#app/domain/posts/predicates.ts';

/** So long it is told what became of a post that was asked for. */
const TOLD_MS = 15 * 60_000;

/** What became of a post that was asked for about a topic; `postId` is null of one that is not there. */
export type TopicRun = { isOpen: boolean; error: string | null; postId: string | null };

/** By topic, the latest post that the actor asked for about it, while it is written and a while after. */
export async function listTopicRuns(db: Db, { userId }: Actor, now: Date): Promise<Map<string, TopicRun>> {
  const rows = await db
    .selectFrom('generationRuns')
    .distinctOn('topicId')
    .select(['topicId', 'status', 'error', postOfRun('generationRuns.id').as('postId')])
    .where('userId', '=', userId)
    .where('isForTopic', '=', true)
    .where('topicId', 'is not', null)
    .where('postId', 'is', null)
    .where('slotDate', 'is', null)
    .where(({ or, eb }) =>
      or([eb('status', '<>', 'complete'), eb('finishedAt', '>', new Date(now.getTime() - TOLD_MS))]),
    )
    .orderBy('topicId')
    .orderBy('createdAt', 'desc')
    .execute();
  return new Map(
    rows.map(({ topicId, status, error, postId }) => [
      topicId!,
      { isOpen: status !== 'complete', error, postId },
    ]),
  );
}
