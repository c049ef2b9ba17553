import type { Db } from '#app/db/client.ts';
import { slotsAfter } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { enqueue, jobs } from '#app/domain/jobs.ts';
import { clearFault, reportFault } from '#app/domain/operator-faults.ts';
import { findWritingTopic } from '#app/domain/topics/turns.ts';
import { WriterBusy, WriterFault } from '#app/integrations/openai.ts';
import { askToConnect } from './mails.ts';
import { chooseTopic } from './material.ts';
import { storePost, type Usage, writeChecked } from './write-post.ts';

const LEASE_MS = 6 * 60_000;
/** How long a run waits for a writer that cannot answer before it says so. */
const PATIENCE_MS = { scheduled: 3 * 3_600_000, byHand: 5 * 60_000 };
const RETRY_MS = { least: 5_000, most: 10 * 60_000 };
const UNAVAILABLE = 'The writer was not available. We know about it; please try again later';
const BROKEN = 'Something went wrong on our side, so the posts could not be written. Please try again later';

type ClaimedRun = {
  id: string;
  userId: string;
  topicId: string | null;
  scheduledFor: Date | null;
  createdAt: Date;
};

/** Takes the run for a while; a second worker, or a second job for it, gets nothing. */
async function claimRun(db: Db, runId: string, now: Date): Promise<ClaimedRun | undefined> {
  return db
    .updateTable('runs')
    .set({ status: 'running', leaseUntil: new Date(now.getTime() + LEASE_MS) })
    .where('id', '=', runId)
    .where('status', '<>', 'complete')
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', now)]))
    .returning(['id', 'userId', 'topicId', 'scheduledFor', 'createdAt'])
    .executeTakeFirst();
}

/**
 * Writes what a run still misses. Safe to run again at any point: a post belongs to one place of its run
 * and one slot of its day, and both are unique.
 */
export async function writeRun(db: Db, runId: string, now = new Date()): Promise<void> {
  const run = await claimRun(db, runId, now);
  if (!run) return;
  const usage: Usage = { model: null, inputTokens: 0, outputTokens: 0 };
  try {
    await writeMissing(db, run, usage, now);
    await clearFault(db, 'writer');
    await finishRun(db, run, usage, null);
    await askToConnect(db, run.userId);
  } catch (error) {
    if (!(error instanceof WriterBusy || error instanceof WriterFault)) {
      await waitAfterError(db, run, usage, now);
      throw error;
    }
    await waitForWriter(db, run, usage, error, new Date());
  }
}

async function writeMissing(db: Db, run: ClaimedRun, usage: Usage, now: Date): Promise<void> {
  for (const place of await missingPlaces(db, run, now)) {
    const topic = run.topicId
      ? await findWritingTopic(db, run.userId, run.topicId)
      : await chooseTopic(db, run.userId, place.slot);
    if (!topic) return recordFailure(db, run.id, 'There is no active topic to write about');
    const written = await writeChecked(db, run.userId, topic, usage);
    if (written.draft) {
      const post = { runId: run.id, userId: run.userId, topicId: topic.id, draft: written.draft };
      const isStored = await storePost(db, { ...post, runIndex: place.index, slot: place.slot }, now);
      if (!isStored) await recordFailure(db, run.id, 'Its place was taken by another post meanwhile');
    } else {
      await recordFailure(db, run.id, `A post about "${topic.name}" was not good enough: ${written.problem}`);
    }
    await renew(db, run);
  }
}

/** The places of the run that have no post yet; those of a scheduled run are slots that nobody holds. */
async function missingPlaces(db: Db, run: ClaimedRun, now: Date) {
  const { requested, failed } = await db
    .selectFrom('runs')
    .select(['requested', 'failed'])
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow();
  const posts = await db.selectFrom('posts').select('runIndex').where('runId', '=', run.id).execute();
  const written = new Set(posts.map(({ runIndex }) => runIndex));
  if (!run.scheduledFor) {
    const open = Array.from({ length: requested }, (_, index) => index).filter(
      (index) => !written.has(index),
    );
    return open.slice(failed).map((index) => ({ index, slot: null }));
  }
  const timetable = await readTimetable(db, run.userId, now);
  const slots = slotsAfter(run.scheduledFor, timetable).take(timetable.publishTimes.length).toArray();
  const taken = await db
    .selectFrom('posts')
    .select(['slotDate', 'slotNumber'])
    .where('userId', '=', run.userId)
    .where('slotDate', 'in', [...new Set(slots.map(({ date }) => date))])
    .where('deletedAt', 'is', null)
    .execute();
  const held = new Set(taken.map((row) => `${row.slotDate} ${row.slotNumber}`));
  const missing = slots
    .map((slot, index) => ({ index, slot }))
    .filter(
      ({ slot, index }) => slot.at > now && !held.has(`${slot.date} ${slot.number}`) && !written.has(index),
    );
  const total = missing.length + written.size;
  await db.updateTable('runs').set({ requested: total }).where('id', '=', run.id).execute();
  return missing;
}

async function recordFailure(db: Db, runId: string, error: string): Promise<void> {
  await db
    .updateTable('runs')
    .set((eb) => ({ error, failed: eb('failed', '+', 1) }))
    .where('id', '=', runId)
    .execute();
}

const countWritten = (db: Db, runId: string) =>
  db
    .selectFrom('posts')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('runId', '=', runId);

/** Shows how far the run is, and keeps it. */
async function renew(db: Db, run: ClaimedRun): Promise<void> {
  await db
    .updateTable('runs')
    .set((eb) => ({
      done: eb.cast<number>(countWritten(db, run.id), 'integer'),
      leaseUntil: new Date(Date.now() + LEASE_MS),
    }))
    .where('id', '=', run.id)
    .execute();
}

/** Gives the run back, at once or later, with what its answers cost. */
async function release(db: Db, run: ClaimedRun, usage: Usage, leaseUntil: Date | null = null): Promise<void> {
  await db
    .updateTable('runs')
    .set((eb) => ({
      done: eb.cast<number>(countWritten(db, run.id), 'integer'),
      model: usage.model ?? eb.ref('model'),
      inputTokens: eb('inputTokens', '+', usage.inputTokens),
      outputTokens: eb('outputTokens', '+', usage.outputTokens),
      leaseUntil,
    }))
    .where('id', '=', run.id)
    .execute();
}

async function finishRun(db: Db, run: ClaimedRun, usage: Usage, error: string | null): Promise<void> {
  await release(db, run, usage);
  await db
    .updateTable('runs')
    .set((eb) => ({
      status: 'complete',
      finishedAt: new Date(),
      failed: eb('requested', '-', eb.ref('done')),
      error: error ?? eb.ref('error'),
    }))
    .where('id', '=', run.id)
    .execute();
}

/** How old a run may get before it ends without its posts. */
const patienceFor = ({ scheduledFor }: ClaimedRun) =>
  scheduledFor ? PATIENCE_MS.scheduled : PATIENCE_MS.byHand;

/** An error of ours: the sweep tries again, less and less often, and each try may cost money. */
async function waitAfterError(db: Db, run: ClaimedRun, usage: Usage, now: Date): Promise<void> {
  const age = now.getTime() - run.createdAt.getTime();
  if (age >= patienceFor(run)) return finishRun(db, run, usage, BROKEN);
  const wait = Math.min(Math.max(RETRY_MS.least, age), RETRY_MS.most);
  return release(db, run, usage, new Date(now.getTime() + wait));
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
  if (isFault) await reportFault(db, 'writer', error.message, now);
  const age = now.getTime() - run.createdAt.getTime();
  const asked = isFault ? RETRY_MS.most : (error.retryAfterSeconds ?? 0) * 1_000;
  if (age + asked >= patienceFor(run)) return finishRun(db, run, usage, UNAVAILABLE);
  const wait = Math.min(Math.max(asked, RETRY_MS.least, age), Math.max(RETRY_MS.most, asked));
  await release(db, run, usage);
  await enqueue(db, jobs.writeRun, { runId: run.id }, new Date(now.getTime() + wait));
}
