import type { Db } from '#app/db/client.ts';
import type { WritingTopic } from '#app/domain/topics/topics.ts';
import { findWritingTopic } from '#app/domain/topics/turns.ts';
import type { Brief } from '#app/domain/writing/generate/brief.ts';
import { listTopicsByTurn, loadContext, type PostContext } from '#app/domain/writing/generate/context.ts';
import { type ItemAttempts, listAttempts, noAttempts } from './attempts.ts';
import type { ClaimedRun } from './claim.ts';
import type { RunItem } from './run-slots.ts';

/** Topics that are tried for one item when the writer declines each of them. */
const TOPICS_TRIED_MAX = 3;

/** More than the milliseconds by which the uses of the facts of one post differ. */
const APART_MS = 10;

/** The decisions about an item before the writer is called. The first topic is written about. */
export type ItemPlan = {
  item: RunItem;
  topics: WritingTopic[];
  context: PostContext;
  attempts: ItemAttempts;
  skipped: string | null;
  /** In the order of the items, whichever is written first. */
  decidedAt: Date;
};

async function topicsFor(
  db: Db,
  run: ClaimedRun,
  { slot }: RunItem,
  planned: string[],
): Promise<WritingTopic[]> {
  if (!run.topicId && run.isForTopic) return [];
  if (!run.topicId) {
    return (await listTopicsByTurn(db, run.userId, slot, planned)).slice(0, TOPICS_TRIED_MAX);
  }
  const topic = await findWritingTopic(db, run.userId, run.topicId);
  return topic ? [topic] : [];
}

/**
 * Plans items that are written at the same time, so that they differ in topic, kind and facts. Returns an empty list
 * when there is no topic.
 */
export async function planItems(db: Db, run: ClaimedRun, items: RunItem[], now: Date): Promise<ItemPlan[]> {
  const attemptsByPosition = await listAttempts(db, run.id);
  const planned: string[] = [];
  const beside: Brief[] = [];
  const plans: ItemPlan[] = [];
  for (const [nth, item] of items.entries()) {
    const topics = await topicsFor(db, run, item, planned);
    const [topic] = topics;
    if (!topic) return [];
    const context = await loadContext(db, run.userId, topic, { beside });
    planned.push(topic.id);
    beside.unshift(context.brief);
    const decidedAt = new Date(now.getTime() + nth * APART_MS);
    const attempts = attemptsByPosition.get(item.position) ?? noAttempts();
    plans.push({ item, topics, context, decidedAt, attempts, skipped: null });
  }
  return plans;
}
