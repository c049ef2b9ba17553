import { sql } from 'kysely';
import { jobs, type Lane, ticks } from '#app/domain/platform/jobs.ts';

/** A lock older than this is stale: the worker was killed, and the queue keeps locks for hours. */
const LOCK_EXPIRY_MS = 10 * 60_000;

const TASKS = [...Object.values(jobs), ...Object.values(ticks)];

export const tasksIn = (lane: Lane): string[] =>
  TASKS.filter((task) => task.lane === lane).map(({ name }) => name);

/** No attempts are left: the queue does not run the job again. */
export const isDead = sql<boolean>`(j.attempts >= j.max_attempts and j.locked_at is null)`;

export const isRunning = (now: Date) =>
  sql<boolean>`(j.locked_at > ${new Date(now.getTime() - LOCK_EXPIRY_MS)}::timestamptz)`;

export const isLater = (now: Date) =>
  sql<boolean>`(j.locked_at is null and j.attempts < j.max_attempts and j.run_at > ${now}::timestamptz)`;
