import { type Db, type Trx, transact } from '#app/db/client.ts';
import { retryWhenAvailable } from '#app/db/retry-when-available.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { slotKey, slotKeyOfPost } from '#app/domain/automation/slots.ts';
import { clearFaults, reportFault } from '#app/domain/platform/operator-alerts.ts';
import { recordFailedTurn, type WritingTopic } from '#app/domain/topics/turns.ts';
import type { Finding } from '#app/domain/writing/gates/run.ts';
import { passedOver, sentenceOf } from '#app/domain/writing/generate/bad-outputs.ts';
import { gatherMaterial } from '#app/domain/writing/generate/context.ts';
import {
  noUsage,
  recordAttempt,
  type Usage,
  type Written,
  writeChecked,
} from '#app/domain/writing/generate/generate.ts';
import { storePost } from '#app/domain/writing/generate/store-post.ts';
import { Cancelled, inTime, standsFor } from '#app/domain/writing/generate/timeout.ts';
import { lookAgain } from '#app/domain/writing/generate/validate.ts';
import { beginPlace, endPlace, noTries, storeAttempts } from './attempts.ts';
import { freePlace } from './call-accounting.ts';
import { type ClaimedRun, countDone, isStillClaimed, recordFailure, recordInstead } from './claim.ts';
import type { Plan } from './plan-slots.ts';

/** The present of a run, which goes on while it is written. */
export type Clock = () => Date;
type Work = { clock: Clock; withinMs: number };

/** The last topic that was asked for, and what came of it. */
type OfPlace = { topic: WritingTopic; written: Written };

/**
 * Writes the post of a place and stores it as soon as it is ready. Throws WriterBusy and WriterFault when the place is
 * open still, and Cancelled when nobody wants it any more.
 */
export async function writePlace(db: Db, run: ClaimedRun, plan: Plan, work: Work): Promise<void> {
  const { place, tries } = plan;
  const usage = noUsage();
  const until = performance.now() + work.withinMs;
  let ready: OfPlace | undefined;
  await beginPlace(db, run.id, place.index, work.clock());
  const write = (signal: AbortSignal) =>
    writeForPlace(db, run, plan, {
      usage,
      clock: work.clock,
      signal,
      onReady: (passed) => {
        ready = passed;
      },
    });
  try {
    for (;;) {
      ready = undefined;
      const left = until - performance.now();
      const ofPlace = await inTime(left, write, () => isStillClaimed(db, run)).catch((error) =>
        standsFor(ready, error),
      );
      const near = await retryWhenAvailable(() => transact(db, (trx) => end(trx, run, plan, ofPlace, work)));
      if (near.length === 0) return;
      recordAttempt(tries, ofPlace.written.composed!.draft.content, near);
    }
  } catch (error) {
    // A text that passed is no try that failed.
    if (ready) tries.answers = Math.max(0, tries.answers - 1);
    await retryWhenAvailable(() => storeAttempts(db, run, place.index, tries));
    throw error;
  }
}

type SlotInput = Omit<Work, 'withinMs'> & {
  usage: Usage;
  signal: AbortSignal;
  onReady: (passed: OfPlace) => void;
};

/** A subject that the writer does not write about has had its turn, and the next topic has its own. */
async function writeForPlace(
  db: Db,
  run: ClaimedRun,
  plan: Plan,
  { usage, clock, signal, onReady }: SlotInput,
): Promise<OfPlace> {
  const { userId } = run;
  const { topics, tries } = plan;
  const place = { run, index: plan.place.index };
  for (;;) {
    const [topic, next] = topics as [WritingTopic, WritingTopic?];
    const written = await writeChecked({
      db,
      userId,
      place,
      material: plan.material,
      usage,
      tries,
      signal,
      onReady: (composed) => onReady({ topic, written: { composed } }),
    });
    await reportWriterFault(db, written, usage, clock());
    if (written.composed || written.lies !== 'subject' || !next) return { topic, written };
    await retryWhenAvailable(() => transact(db, (trx) => passOver(trx, run, topic, written, clock())));
    plan.passedOver = passedOver(topic.name, written);
    Object.assign(tries, noTries());
    topics.shift();
    plan.material = await gatherMaterial(db, userId, next);
  }
}

/** Throws Cancelled when somebody else has the run by now, or its user has stopped it. */
async function passOver(
  trx: Trx,
  run: ClaimedRun,
  ...failed: [topic: WritingTopic, why: { problem: string; lies: string }, now: Date]
): Promise<void> {
  await lockUser(trx, run.userId);
  if (!(await isStillClaimed(trx, run))) throw new Cancelled();
  await fail(trx, run, ...failed);
}

/** Ends the place with its post, or with why there is none. Answers why not: another post was ready before and says the same. */
async function end(
  trx: Trx,
  run: ClaimedRun,
  plan: Plan,
  ofPlace: OfPlace,
  { clock }: Work,
): Promise<Finding[]> {
  // Before the run: whoever changes what belongs to a user takes this lock first.
  await lockUser(trx, run.userId);
  const { composed } = ofPlace.written;
  if (composed) {
    const { findings, material } = await lookAgain(trx, run.userId, plan.material, composed.draft);
    plan.material = material;
    if (findings.length > 0) return findings;
  }
  const now = clock();
  if (await endPlace(trx, run, plan.place.index, now)) {
    if (plan.passedOver) await recordFailure(trx, run, plan.passedOver, 0);
    const error = await store(trx, run, plan, ofPlace, now);
    if (error) await recordFailure(trx, run, error);
  }
  await countDone(trx, run);
  return [];
}

/** The topic has had its turn. Its failure counts once in a run: one bad hour is one, however many posts it costs. */
const fail = (
  trx: Trx,
  { claimedAt, createdAt }: ClaimedRun,
  { id }: WritingTopic,
  { problem, lies }: { problem: string; lies: string },
  now: Date,
): Promise<void> =>
  recordFailedTurn(trx, id, lies === 'writer' ? null : problem, now, claimedAt ?? createdAt);

/** Answers why there is no post. */
async function store(
  trx: Trx,
  run: ClaimedRun,
  { place: { index, slot }, decidedAt }: Plan,
  { topic, written }: OfPlace,
  now: Date,
): Promise<string | undefined> {
  const { composed } = written;
  if (!composed) {
    await fail(trx, run, topic, written, now);
    if (written.lies === 'writer') await freePlace(trx, { run, index });
    return sentenceOf(topic.name, written);
  }
  const post = {
    runId: run.id,
    runIndex: index,
    userId: run.userId,
    topicId: topic.id,
    composed,
    slot,
    decidedAt,
    isAskedFor: run.scheduledFor === null,
  };
  const has = await storePost(trx, post, now);
  if (has === undefined) return 'Its place was taken by another post meanwhile';
  const isElsewhere = has && run.slotDate && slotKey(has) !== slotKeyOfPost(run);
  if (isElsewhere) await recordInstead(trx, run, has.at);
}

/** A writer that answers is mended, unless its answers are no good to anybody. What it wrote was paid for, and waits for it. */
export async function reportWriterFault(
  db: Db,
  written: Written,
  { model }: Usage,
  now: Date,
): Promise<void> {
  if (written.composed || written.lies !== 'writer')
    return retryWhenAvailable(() => clearFaults(db, 'writer'));
  const cure = 'Another model, or another OPENAI_STRUCTURED, may do better.';
  const message = `${model} wrote no post: ${written.problem}. ${cure}`;
  await retryWhenAvailable(() => reportFault(db, 'writer', message, now));
}
