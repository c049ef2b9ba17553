import type { Db } from '#app/db/client.ts';
import { findWritingTopic, type WritingTopic } from '#app/domain/topics/turns.ts';
import type { Brief } from '#app/domain/writing/generate/brief.ts';
import { gatherMaterial, listTopicsByTurn, type Material } from '#app/domain/writing/generate/context.ts';
import { listTries, noTries, type Tries } from './attempts.ts';
import type { ClaimedRun } from './claim.ts';
import type { Place } from './run-slots.ts';

/** So many topics are tried for one place when the writer writes about none of them. */
const MOST_TOPICS = 3;

/** Longer than the turns of the facts of one post. */
const APART_MS = 10;

/** What is decided about a place before the writer is asked; the first of the topics has its turn. */
export type Plan = {
  place: Place;
  topics: WritingTopic[];
  material: Material;
  tries: Tries;
  /** Why a topic before the first one is not written about. */
  passedOver: string | null;
  /** In the order of the places, whichever is written first. */
  decidedAt: Date;
};

async function topicsFor(db: Db, run: ClaimedRun, place: Place, taken: string[]): Promise<WritingTopic[]> {
  if (!run.topicId && run.isForTopic) return [];
  if (!run.topicId) return (await listTopicsByTurn(db, run.userId, place.slot, taken)).slice(0, MOST_TOPICS);
  const topic = await findWritingTopic(db, run.userId, run.topicId);
  return topic ? [topic] : [];
}

/**
 * Plans the places that are written at once, one after the other, so that each has its own turn, way and facts. None
 * when there is no topic.
 */
export async function planPlaces(db: Db, run: ClaimedRun, places: Place[], now: Date): Promise<Plan[]> {
  const known = await listTries(db, run.id);
  const taken: string[] = [];
  const beside: Brief[] = [];
  const plans: Plan[] = [];
  for (const [nth, place] of places.entries()) {
    const topics = await topicsFor(db, run, place, taken);
    const [topic] = topics;
    if (!topic) return [];
    const material = await gatherMaterial(db, run.userId, topic, { beside });
    taken.push(topic.id);
    beside.unshift(material.brief);
    const decidedAt = new Date(now.getTime() + nth * APART_MS);
    const tries = known.get(place.index) ?? noTries();
    plans.push({ place, topics, material, decidedAt, tries, passedOver: null });
  }
  return plans;
}
