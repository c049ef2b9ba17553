import type { Db } from '#app/db/client.ts';
import { findProgress } from './attempts.ts';
import { CONCURRENT_POSTS } from './run-slots.ts';
import type { Run } from './start.ts';

const MIN_MS = 1_000;

/** A post that takes this many times the usual duration may take any time, so there is no estimate. */
const MUCH_LONGER = 2;

/** Estimates the remaining seconds of an unfinished run from the durations of the latest posts; null when unknown. */
export async function secondsLeft(
  db: Db,
  { id, status, requested, done, failed }: Run,
  now: Date,
): Promise<number | null> {
  if (status === 'complete') return null;
  const { usualMs, begunSince } = await findProgress(db, id);
  if (usualMs === null) return null;
  const spentMs = begunSince ? now.getTime() - begunSince.getTime() : 0;
  if (spentMs > MUCH_LONGER * Math.max(usualMs, MIN_MS)) return null;
  const currentMs = Math.max(MIN_MS, usualMs - spentMs);
  const laterBatches = Math.max(0, Math.ceil((requested - done - failed) / CONCURRENT_POSTS) - 1);
  return Math.ceil((currentMs + laterBatches * usualMs) / 1_000);
}

/** Returns for example "Writing 2 of 3, about 8 s left". */
export function progressText({ requested, done, failed }: Run, seconds: number | null): string {
  const nth = Math.min(done + failed + 1, requested);
  const what = requested === 1 ? 'Writing 1 post' : `Writing ${nth} of ${requested}`;
  return seconds === null ? what : `${what}, about ${seconds} s left`;
}
