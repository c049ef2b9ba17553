import type { Db } from '#app/db/client.ts';
import { databaseClock, offsetOf } from '#app/db/clock.ts';
import { enqueue, type Job } from '#app/domain/platform/jobs.ts';
import { CLOCK_WITHIN_MS, clockSetBackMs, isSameDatabase } from '#app/domain/publishing/predicates.ts';
import { isReadingNotAhead } from './clock-jump.ts';
import { checkClock } from './clock-skew.ts';
import { readIdentity } from './epoch.ts';

const RETRY_ELSEWHERE_AFTER_MS = 15_000;

type Readiness = { isSame: boolean; isClockRight: boolean; isSteady: boolean; now: Date };

async function checkDatabase(db: Db): Promise<Readiness> {
  const identity = await readIdentity(db);
  const before = Date.now();
  const { isSame, now, setBackMs } = await db
    .selectNoFrom(isSameDatabase(identity).as('isSame'))
    .select([databaseClock.as('now'), clockSetBackMs.as('setBackMs')])
    .executeTakeFirstOrThrow();
  const offset = offsetOf(before, now, Date.now());
  const isClockRight = Math.max(Math.abs(offset), setBackMs) <= CLOCK_WITHIN_MS;
  return { isSame, isClockRight, isSteady: isReadingNotAhead(db, now), now };
}

/**
 * Returns whether this process may send from this database. Checked before anything is done with a post: with a wrong
 * clock a permission may seem to have ended, and in a restored database a published post may seem late. The statement
 * that permits a call checks it again.
 */
export async function isReady(db: Db): Promise<boolean> {
  const { isSame, isClockRight } = await checkDatabase(db);
  return isSame && isClockRight;
}

/**
 * Returns whether the age of attempts can be judged: with a clock that is wrong or was set ahead, a call in progress may
 * seem abandoned.
 */
export async function isClockSound(db: Db): Promise<boolean> {
  const { isClockRight, isSteady } = await checkDatabase(db);
  return isClockRight && isSteady;
}

/** Like `isReady`. With a wrong clock the job is added again for another process; after a release the tick adds it. */
export async function isReadyFor<P>(db: Db, job: Job<P>, payload: P): Promise<boolean> {
  const { isSame, isClockRight, now } = await checkDatabase(db);
  if (isSame && !isClockRight) {
    await checkClock(db);
    await enqueue(db, job, payload, new Date(now.getTime() + RETRY_ELSEWHERE_AFTER_MS));
  }
  return isSame && isClockRight;
}
