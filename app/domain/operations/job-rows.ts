import { sql } from 'kysely';
import { jobs, type Lane, ticks } from '#app/domain/platform/jobs.ts';

/** A job that was taken so long ago is no longer run: its process was killed, and the queue keeps the lock for hours. */
const LOST_AFTER_MS = 10 * 60_000;

const ALL = [...Object.values(jobs), ...Object.values(ticks)];

/** The tasks of a lane, jobs and ticks. */
export const tasksIn = (lane: Lane): string[] =>
  ALL.filter((task) => task.lane === lane).map(({ name }) => name);

/** Of a row of the queue: all its tries failed. Nothing looks at it again by itself. */
export const isDead = sql<boolean>`(j.attempts >= j.max_attempts and j.locked_at is null)`;

/** A worker has it. */
export const isRunning = (now: Date) =>
  sql<boolean>`(j.locked_at > ${new Date(now.getTime() - LOST_AFTER_MS)}::timestamptz)`;

/** It waits for an instant: its next try, or the one that it was put to. */
export const isLater = (now: Date) =>
  sql<boolean>`(j.locked_at is null and j.attempts < j.max_attempts and j.run_at > ${now}::timestamptz)`;
