import { setTimeout as pause } from 'node:timers/promises';

/** Longer than any of this work takes, including a password hash. */
const STEP_MS = 150;

/**
 * Rounds the duration of `work` up to a whole number of steps. Storing and mailing a code takes longer than doing nothing:
 * the time would tell an attacker whether an email has an account.
 */
export async function inConstantTime<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    const elapsed = performance.now() - startedAt;
    await pause(Math.ceil(elapsed / STEP_MS) * STEP_MS - elapsed);
  }
}
