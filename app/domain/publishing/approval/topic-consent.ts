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
import { requestForWaiting } from './approve.ts';

/** Changes a topic. Its posts that wait and have to be approved from now on wait for that, too. */
export async function saveTopic(
  db: Db,
  actor: Actor,
  input: TopicChange & { topicId: string },
): Promise<Topic> {
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    const topic = await changeTopic(trx, actor, input);
    if (input.approval) await requestForWaiting(trx, actor.userId, topic.id);
    return topic;
  });
}

/** Deletes a topic. What it let out by itself goes by the settings from now on. */
export async function removeTopic(db: Db, actor: Actor, topicId: string): Promise<void> {
  await transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    await deleteTopic(trx, actor, topicId);
    await requestForWaiting(trx, actor.userId);
  });
}

/**
 * Answers whether posts about a topic shall go out without asking. What waits for approval goes on waiting for it in
 * either case.
 */
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
