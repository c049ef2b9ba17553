import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { enqueue, jobs } from '#app/domain/jobs.ts';
import { reportFault } from '#app/domain/operator-faults.ts';
import { keyOf } from '#app/domain/queue/chosen-slot.ts';
import { passTurn, whyNoTurn } from '#app/domain/topics/turns.ts';
import { WriterBusy, WriterFault } from '#app/integrations/writer-errors.ts';
import { CeilingReached } from './ceilings.ts';
import { inTime } from './in-time.ts';
import { askToConnect } from './mails.ts';
import { rewriteOne } from './rewrite-run.ts';
import {
  type ClaimedRun,
  claimRun,
  finishRun,
  keepTries,
  passPlace,
  recordFailure,
  recordInstead,
  release,
} from './run-claim.ts';
import { openPlaces, type Place } from './run-places.ts';
import { storePost } from './store-post.ts';
import type { Tries, Usage } from './write-checked.ts';
import { type OfPlace, sentenceOf, writeForPlace } from './write-place.ts';

/**
 * How long a job waits for the writer. A process that stops has to be given more (`kill_timeout` in
 * fly.toml, with the longest job of each lane).
 */
export const WRITE_WITHIN_MS = 150_000;
/** How long a run waits for a writer that cannot answer before it says so. */
const PATIENCE_MS = { scheduled: 3 * 3_600_000, byHand: 5 * 60_000 };
const RETRY_MS = { least: 5_000, most: 10 * 60_000 };
const UNAVAILABLE = 'The writer was not available. We know about it; please try again later';
const TOO_LATE = 'Its time had passed before it could be written';
const BROKEN = 'Something went wrong on our side, so the posts could not be written. Please try again later';

/**
 * Writes the next post of a run and hands the run on to another job, or ends it after the last one. Safe to
 * run again at any point: each place of a run is dealt with once.
 */
export async function writeRun(
  db: Db,
  runId: string,
  now = new Date(),
  withinMs = WRITE_WITHIN_MS,
): Promise<void> {
  const run = await claimRun(db, runId, now);
  if (!run) return;
  const usage: Usage = { model: null, inputTokens: 0, outputTokens: 0 };
  const tries: Tries = {
    answers: run.answers,
    rejections: run.rejections,
    complaints: run.complaints,
    rejected: run.rejected,
  };
  let isOver: boolean;
  try {
    isOver = run.postId
      ? await rewriteOne(db, { ...run, postId: run.postId }, usage, tries, now, withinMs)
      : await writeNext(db, run, usage, tries, now, withinMs);
  } catch (error) {
    await keepTries(db, run, tries);
    if (error instanceof WriterBusy || error instanceof WriterFault) {
      return waitForWriter(db, run, usage, error, await databaseTime(db));
    }
    await waitAfterError(db, run, usage, now);
    throw error;
  }
  if (isOver) await askToConnect(db, run.userId);
}

/** Answers whether the run is over. */
async function writeNext(
  db: Db,
  run: ClaimedRun,
  usage: Usage,
  tries: Tries,
  now: Date,
  withinMs: number,
): Promise<boolean> {
  const {
    open: [place, ...rest],
    passed,
  } = await openPlaces(db, run, now);
  const asking = { usage, tries, now };
  const ofPlace =
    place && (await inTime(withinMs, (signal) => writeForPlace(db, run, place, { ...asking, signal })));
  if (!ofPlace) {
    const late = passed > 0 ? TOO_LATE : null;
    const error = place ? await whyNoTurn(db, run.userId) : late;
    await transact(db, (trx) => finishRun(trx, run, usage, error));
    return true;
  }
  const isLast = rest.length === 0;
  return transact(db, async (trx) => {
    // Before the run: whoever changes what belongs to a user takes this lock first.
    await lockUser(trx, run.userId);
    if (!(await passPlace(trx, run, place))) return false;
    if (passed > 0) await recordFailure(trx, run.id, TOO_LATE, passed);
    if (ofPlace.passedOver) await recordFailure(trx, run.id, ofPlace.passedOver, 0);
    const error = await storeWritten(trx, run, place, ofPlace, now);
    if (error) await recordFailure(trx, run.id, error);
    if (isLast) {
      await finishRun(trx, run, usage, null);
    } else {
      await release(trx, run, usage);
      await enqueue(trx, jobs.writeRun, { runId: run.id });
    }
    return isLast;
  });
}

/** Answers why there is no post. */
async function storeWritten(
  trx: Trx,
  run: ClaimedRun,
  { index, slot }: Place,
  { topic, written }: OfPlace,
  now: Date,
): Promise<string | undefined> {
  const { composed } = written;
  if (!composed) {
    await passTurn(trx, topic.id, written.lies === 'writer' ? null : written.problem, now);
    return sentenceOf(topic, written);
  }
  const post = {
    ...{ runId: run.id, runIndex: index, userId: run.userId, topicId: topic.id },
    ...{ composed, slot, isAskedFor: run.scheduledFor === null },
  };
  const has = await storePost(trx, post, now);
  if (has === undefined) return 'Its place was taken by another post meanwhile';
  const isElsewhere = has && run.slotDate && keyOf(has) !== `${run.slotDate} ${run.slotNumber}`;
  if (isElsewhere) await recordInstead(trx, run.id, has.at);
}

/** How old a run may get before it ends without its posts. */
const patienceFor = ({ scheduledFor }: ClaimedRun) =>
  scheduledFor ? PATIENCE_MS.scheduled : PATIENCE_MS.byHand;

/** An error of ours: the sweep tries again, less and less often, and each try may cost money. */
async function waitAfterError(db: Db, run: ClaimedRun, usage: Usage, now: Date): Promise<void> {
  const age = now.getTime() - run.createdAt.getTime();
  if (age >= patienceFor(run)) return finishRun(db, run, usage, BROKEN);
  const wait = Math.min(Math.max(RETRY_MS.least, age), RETRY_MS.most);
  await release(db, run, usage, new Date(now.getTime() + wait));
}

/** Tries again later while there is time, then ends the run with a sentence that blames nobody's topic. */
async function waitForWriter(
  db: Db,
  run: ClaimedRun,
  usage: Usage,
  error: WriterBusy | WriterFault,
  now: Date,
): Promise<void> {
  const isFault = error instanceof WriterFault;
  const age = now.getTime() - run.createdAt.getTime();
  const asked = isFault ? RETRY_MS.most : (error.retryAfterSeconds ?? 0) * 1_000;
  const isOver = age + asked >= patienceFor(run);
  const isCeiling = error instanceof CeilingReached;
  if ((isFault || isOver) && !isCeiling) await reportFault(db, 'writer', error.message, now);
  if (isOver) return finishRun(db, run, usage, isCeiling ? error.message : UNAVAILABLE);
  const wait = Math.min(Math.max(asked, RETRY_MS.least, age), Math.max(RETRY_MS.most, asked));
  if (!(await release(db, run, usage))) return;
  await enqueue(db, jobs.writeRun, { runId: run.id }, new Date(now.getTime() + wait));
}
