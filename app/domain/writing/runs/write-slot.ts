import { type Db, type Trx, transact } from '#app/db/client.ts';
import { retryWhenAvailable } from '#app/db/retry-when-available.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { slotKey, slotKeyOfPost } from '#app/domain/automation/slots.ts';
import { clearFaults, reportFault } from '#app/domain/platform/operator-alerts.ts';
import type { WritingTopic } from '#app/domain/topics/topics.ts';
import { recordFailedTurn } from '#app/domain/topics/turns.ts';
import type { Finding } from '#app/domain/writing/gates/run.ts';
import { failureSentence, skippedSentence } from '#app/domain/writing/generate/bad-outputs.ts';
import { loadContext } from '#app/domain/writing/generate/context.ts';
import {
  type GenerateFailure,
  type GenerateResult,
  generatePost,
  noUsage,
  recordAttempt,
  type Usage,
} from '#app/domain/writing/generate/generate.ts';
import { storePost } from '#app/domain/writing/generate/store-post.ts';
import { Cancelled, readyOrThrow, withTimeout } from '#app/domain/writing/generate/timeout.ts';
import { recheckMemory } from '#app/domain/writing/generate/validate.ts';
import { beginItem, endItem, noAttempts, storeAttempts } from './attempts.ts';
import { refundItem } from './call-accounting.ts';
import { type ClaimedRun, countDone, isStillClaimed, recordFailure, recordOtherSlot } from './claim.ts';
import type { ItemPlan } from './plan-slots.ts';

export type Clock = () => Date;
type Work = { clock: Clock; withinMs: number };

type ItemResult = { topic: WritingTopic; result: GenerateResult };

/**
 * Writes the post of an item and stores it as soon as it is ready. Throws WriterBusy and WriterFault when the item stays
 * open, and Cancelled when the claim is no longer valid.
 */
export async function writeItem(db: Db, run: ClaimedRun, plan: ItemPlan, work: Work): Promise<void> {
  const { item, attempts } = plan;
  const usage = noUsage();
  const deadline = performance.now() + work.withinMs;
  let ready: ItemResult | undefined;
  await beginItem(db, run.id, item.position, work.clock());
  const write = (signal: AbortSignal) =>
    writeAboutTopics(db, run, plan, {
      usage,
      clock: work.clock,
      signal,
      onReady: (result) => {
        ready = result;
      },
    });
  try {
    for (;;) {
      ready = undefined;
      const remainingMs = deadline - performance.now();
      const written = await withTimeout(remainingMs, write, () => isStillClaimed(db, run)).catch((error) =>
        readyOrThrow(ready, error),
      );
      const findings = await retryWhenAvailable(() =>
        transact(db, (trx) => endWithResult(trx, run, plan, written, work)),
      );
      if (findings.length === 0) return;
      recordAttempt(attempts, written.result.post!.draft.content, findings);
    }
  } catch (error) {
    // A text that passed the gates is no failed attempt.
    if (ready) attempts.answers = Math.max(0, attempts.answers - 1);
    await retryWhenAvailable(() => storeAttempts(db, run, item.position, attempts));
    throw error;
  }
}

type WriteOptions = {
  usage: Usage;
  clock: Clock;
  signal: AbortSignal;
  onReady: (result: ItemResult) => void;
};

/** Writes about the first topic of the plan. When the writer declines it, the topic has had its turn and the next one follows. */
async function writeAboutTopics(
  db: Db,
  run: ClaimedRun,
  plan: ItemPlan,
  { usage, clock, signal, onReady }: WriteOptions,
): Promise<ItemResult> {
  const { userId } = run;
  const { topics, attempts } = plan;
  const item = { run, position: plan.item.position };
  for (;;) {
    const [topic, next] = topics as [WritingTopic, WritingTopic?];
    const result = await generatePost({
      db,
      userId,
      item,
      context: plan.context,
      usage,
      attempts,
      signal,
      onReady: (post) => onReady({ topic, result: { post } }),
    });
    await reportWriterFault(db, result, usage, clock());
    if (result.post || result.cause !== 'subject' || !next) return { topic, result };
    await retryWhenAvailable(() => transact(db, (trx) => skipTopic(trx, run, topic, result, clock())));
    plan.skipped = skippedSentence(topic.name, result);
    Object.assign(attempts, noAttempts());
    topics.shift();
    plan.context = await loadContext(db, userId, next);
  }
}

async function skipTopic(
  trx: Trx,
  run: ClaimedRun,
  topic: WritingTopic,
  failure: GenerateFailure,
  now: Date,
): Promise<void> {
  await lockUser(trx, run.userId);
  if (!(await isStillClaimed(trx, run))) throw new Cancelled();
  await recordTopicFailure(trx, run, topic, failure, now);
}

/**
 * Ends the item with its post, or with the reason why there is none. Returns findings, and leaves the item open, when
 * another post that was stored meanwhile says the same.
 */
async function endWithResult(
  trx: Trx,
  run: ClaimedRun,
  plan: ItemPlan,
  written: ItemResult,
  { clock }: Work,
): Promise<Finding[]> {
  // The lock order is the user, then the run.
  await lockUser(trx, run.userId);
  const { post } = written.result;
  if (post) {
    const { findings, context } = await recheckMemory(trx, run.userId, plan.context, post.draft);
    plan.context = context;
    if (findings.length > 0) return findings;
  }
  const now = clock();
  if (await endItem(trx, run, plan.item.position, now)) {
    if (plan.skipped) await recordFailure(trx, run, plan.skipped, 0);
    const error = await store(trx, run, plan, written, now);
    if (error) await recordFailure(trx, run, error);
  }
  await countDone(trx, run);
  return [];
}

/** Records that a topic had its turn without a post. Several failures of a topic in one run count as one. */
const recordTopicFailure = (
  trx: Trx,
  { claimedAt, createdAt }: ClaimedRun,
  { id }: WritingTopic,
  { problem, cause }: GenerateFailure,
  now: Date,
): Promise<void> =>
  recordFailedTurn(trx, id, cause === 'writer' ? null : problem, now, claimedAt ?? createdAt);

async function store(
  trx: Trx,
  run: ClaimedRun,
  { item: { position, slot }, decidedAt }: ItemPlan,
  { topic, result }: ItemResult,
  now: Date,
): Promise<string | undefined> {
  if (!result.post) {
    await recordTopicFailure(trx, run, topic, result, now);
    if (result.cause === 'writer') await refundItem(trx, { run, position });
    return failureSentence(topic.name, result);
  }
  const post = {
    runId: run.id,
    runIndex: position,
    userId: run.userId,
    topicId: topic.id,
    generated: result.post,
    slot,
    decidedAt,
    isRequested: run.scheduledFor === null,
  };
  const stored = await storePost(trx, post, now);
  if (stored === undefined) return 'Its place was taken by another post meanwhile';
  if (stored && run.slotDate && slotKey(stored) !== slotKeyOfPost(run)) {
    await recordOtherSlot(trx, run, stored.at);
  }
}

/** Reports a fault when the responses of the writer are unusable, and clears it otherwise. */
export async function reportWriterFault(
  db: Db,
  result: GenerateResult,
  { model }: Usage,
  now: Date,
): Promise<void> {
  if (result.post || result.cause !== 'writer') {
    return retryWhenAvailable(() => clearFaults(db, 'writer'));
  }
  const cure = 'Another model, or another OPENAI_STRUCTURED, may do better.';
  const message = `${model} wrote no post: ${result.problem}. ${cure}`;
  await retryWhenAvailable(() => reportFault(db, 'writer', message, now));
}
