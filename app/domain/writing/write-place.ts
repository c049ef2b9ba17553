import { type Db, transact } from '#app/db/client.ts';
import { clearFaults, reportFault } from '#app/domain/operator-faults.ts';
import { findWritingTopic, passTurn, type WritingTopic } from '#app/domain/topics/turns.ts';
import { topicsInTurn } from './material.ts';
import type { ClaimedRun } from './run-claim.ts';
import type { Place } from './run-places.ts';
import { type Tries, type Usage, type Written, writeChecked } from './write-checked.ts';

/** So many topics are tried for one place when the writer writes about none of them. */
const MOST_TOPICS = 3;

/** The last topic that was asked for, and what came of it; `passedOver` says of those before why they were not. */
export type OfPlace = { topic: WritingTopic; written: Written; passedOver: string | null };

async function topicsFor(db: Db, run: ClaimedRun, place: Place): Promise<WritingTopic[]> {
  if (!run.topicId) return (await topicsInTurn(db, run.userId, place.slot)).slice(0, MOST_TOPICS);
  const topic = await findWritingTopic(db, run.userId, run.topicId);
  return topic ? [topic] : [];
}

/**
 * Writes a post for a place of a run. A subject that the writer does not write about has had its turn, and the next
 * topic has its own. Undefined when there is no topic. Throws WriterBusy and WriterFault, as `writeChecked`.
 */
export async function writeForPlace(
  db: Db,
  run: ClaimedRun,
  place: Place,
  asking: { usage: Usage; tries: Tries; now: Date; signal: AbortSignal },
): Promise<OfPlace | undefined> {
  const { usage, tries, now, signal } = asking;
  let passedOver: string | null = null;
  const topics = await topicsFor(db, run, place);
  for (const [at, topic] of topics.entries()) {
    const written = await writeChecked(db, run.userId, topic, usage, tries, signal);
    await tellOperator(db, written, usage, now);
    if (written.composed || written.lies !== 'subject' || at === topics.length - 1) {
      return { topic, written, passedOver };
    }
    await transact(db, (trx) => passTurn(trx, topic.id, written.problem, now));
    passedOver = sentenceOf(topic, written);
    Object.assign(tries, { answers: 0, rejections: [], complaints: [], rejected: null });
  }
  return undefined;
}

/** A writer that answers is mended, unless its answers are no good to anybody. */
export async function tellOperator(db: Db, written: Written, { model }: Usage, now: Date): Promise<void> {
  if (written.composed || written.lies !== 'writer') return clearFaults(db, 'writer');
  const cure = 'Another model, or another OPENAI_STRUCTURED, may do better.';
  await reportFault(db, 'writer', `${model} wrote no post: ${written.problem}. ${cure}`, now);
}

/** Why there is no post about a topic, for the run; without its full stop. */
export function sentenceOf(
  { name }: WritingTopic,
  { problem, lies }: { problem: string; lies: string },
): string {
  if (lies === 'text') return `A post about "${name}" was not good enough: ${problem}`;
  if (lies === 'subject') return `“${name}” was passed over: ${problem}`;
  return `A post about "${name}" could not be written: ${problem}. We know about it; please try again later`;
}
