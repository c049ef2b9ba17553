import { setTimeout as wait } from 'node:timers/promises';
import { isDatabaseUnavailable } from './client.ts';

const AGAIN_MS = { least: 250, most: 2_000 };
const WITHIN_MS = 30_000;

/**
 * What `act` answers. While the database is away it is done again, for half a minute: it has to be safe to do twice,
 * since a connection can break after all was written.
 */
export async function retryWhenAvailable<T>(act: () => Promise<T>, withinMs = WITHIN_MS): Promise<T> {
  const latest = performance.now() + withinMs;
  for (let pause = AGAIN_MS.least; ; pause = Math.min(2 * pause, AGAIN_MS.most)) {
    try {
      return await act();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() + pause > latest) throw error;
      await wait(pause);
    }
  }
}
