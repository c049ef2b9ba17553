import type { Db } from '#app/db/client.ts';
import { databaseClock, offsetOf } from '#app/db/clock.ts';
import { enqueue, type Job } from '#app/domain/platform/jobs.ts';
import { CLOCK_WITHIN_MS, clockWentBack, isSameDatabase } from '#app/domain/publishing/predicates.ts';
import { wasNotSetAhead } from './clock-jump.ts';
import { checkClock } from './clock-skew.ts';
import { readIdentity } from './epoch.ts';

const ELSEWHERE_AFTER_MS = 15_000;

type Standing = { isSame: boolean; isClockRight: boolean; isSteady: boolean; now: Date };

async function look(db: Db): Promise<Standing> {
  const known = await readIdentity(db);
  const before = Date.now();
  const { isSame, now, goneBack } = await db
    .selectNoFrom(isSameDatabase(known).as('isSame'))
    .select([databaseClock.as('now'), clockWentBack.as('goneBack')])
    .executeTakeFirstOrThrow();
  const offset = offsetOf(before, now, Date.now());
  const isClockRight = Math.max(Math.abs(offset), goneBack) <= CLOCK_WITHIN_MS;
  return { isSame, isClockRight, isSteady: wasNotSetAhead(db, now), now };
}

/**
 * Whether this process may send from this database. Asked before anything is done about a post: by a wrong
 * clock a permission seems to have ended, in a restored database a post seems late that is out. The statement
 * that permits a call asks again.
 */
export async function isReady(db: Db): Promise<boolean> {
  const { isSame, isClockRight } = await look(db);
  return isSame && isClockRight;
}

/**
 * Whether what is said of delays now is true: by a clock that is wrong, or was set ahead, a call under way seems to
 * have been given up.
 */
export async function isClockSound(db: Db): Promise<boolean> {
  const { isClockRight, isSteady } = await look(db);
  return isClockRight && isSteady;
}

/** As `isReady`. By a wrong clock the job is left to another process; after a release the tick adds it again. */
export async function isReadyFor<P>(db: Db, job: Job<P>, payload: P): Promise<boolean> {
  const { isSame, isClockRight, now } = await look(db);
  if (isSame && !isClockRight) {
    await checkClock(db);
    await enqueue(db, job, payload, new Date(now.getTime() + ELSEWHERE_AFTER_MS));
  }
  return isSame && isClockRight;
}
