import { type Db, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import type { TopicChange } from '#app/domain/topics/schema.ts';
import {
  changeTopic,
  deleteTopic,
  findTopic,
  markTrustAnswered,
  type Topic,
} from '#app/domain/topics/topics.ts';
import { requireApprovalOfWaiting } from './approve.ts';

/** Changes a topic. Its waiting posts wait for approval when the topic now requires it. */
export async function saveTopic(
  db: Db,
  actor: Actor,
  input: TopicChange & { topicId: string },
): Promise<Topic> {
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    const topic = await changeTopic(trx, actor, input);
    if (input.approval) await requireApprovalOfWaiting(trx, actor.userId, topic.id);
    return topic;
  });
}

/** Deletes a topic. Its waiting posts wait for approval when the settings require it. */
export async function removeTopic(db: Db, actor: Actor, topicId: string): Promise<void> {
  await transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    await deleteTopic(trx, actor, topicId);
    await requireApprovalOfWaiting(trx, actor.userId);
  });
}

/** Stores whether posts about a topic are published without approval. Posts that wait for approval still wait for it. */
export async function answerTrust(db: Db, actor: Actor, topicId: string, isTrusted: boolean): Promise<Topic> {
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    const { id } = await findTopic(trx, actor, topicId);
    await markTrustAnswered(trx, id, await databaseTime(trx));
    return isTrusted
      ? saveTopic(trx, actor, { topicId: id, approval: 'publish' })
      : findTopic(trx, actor, id);
  });
}
