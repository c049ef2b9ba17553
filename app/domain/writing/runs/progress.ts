import type { Db } from '#app/db/client.ts';
import { findProgress } from './attempts.ts';
import { SIDE_BY_SIDE } from './run-slots.ts';
import type { Run } from './start.ts';

const LEAST_MS = 1_000;

/** What takes so much longer than usual waits for something that nobody can tell. */
const MUCH_LONGER = 2;

/** About how many seconds a run that is not over still takes, from how long the latest posts took; null when nobody knows. */
export async function secondsLeft(
  db: Db,
  { id, status, requested, done, failed }: Run,
  now: Date,
): Promise<number | null> {
  if (status === 'complete') return null;
  const { usualMs, begunSince } = await findProgress(db, id);
  if (usualMs === null) return null;
  const spent = begunSince ? now.getTime() - begunSince.getTime() : 0;
  if (spent > MUCH_LONGER * Math.max(usualMs, LEAST_MS)) return null;
  const atWork = Math.max(LEAST_MS, usualMs - spent);
  const later = Math.max(0, Math.ceil((requested - done - failed) / SIDE_BY_SIDE) - 1);
  return Math.ceil((atWork + later * usualMs) / 1_000);
}

/** "Writing 2 of 3, about 8 s left"; nobody knows the last part of a writer that was never timed. */
export function wordsOfWriting({ requested, done, failed }: Run, left: number | null): string {
  const at = Math.min(done + failed + 1, requested);
  const what = requested === 1 ? 'Writing 1 post' : `Writing ${at} of ${requested}`;
  return left === null ? what : `${what}, about ${left} s left`;
}
