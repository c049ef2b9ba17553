import { setTimeout as wait } from 'node:timers/promises';
import { isDatabaseUnavailable } from './client.ts';

const DELAY_MS = { min: 250, max: 2_000 };
const WITHIN_MS = 30_000;

/**
 * Runs `fn`, and retries it for half a minute while the database is unavailable. `fn` must be safe to run twice, because a
 * connection can break after everything was written.
 */
export async function retryWhenAvailable<T>(fn: () => Promise<T>, withinMs = WITHIN_MS): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (let delay = DELAY_MS.min; ; delay = Math.min(2 * delay, DELAY_MS.max)) {
    try {
      return await fn();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() + delay > deadline) throw error;
      await wait(delay);
    }
  }
}
