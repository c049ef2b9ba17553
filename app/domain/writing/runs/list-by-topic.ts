import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { postOfRun } from '#app/domain/posts/predicates.ts';

const SHOWN_FOR_MS = 15 * 60_000;

/** The run of a post that the user requested about a topic. `postId` is null while there is no post. */
export type TopicRun = { isOpen: boolean; error: string | null; postId: string | null };

/** Returns the latest run of each topic, by topic, while it is unfinished and for a while after. */
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
      or([eb('status', '<>', 'complete'), eb('finishedAt', '>', new Date(now.getTime() - SHOWN_FOR_MS))]),
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
