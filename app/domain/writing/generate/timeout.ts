import { isDatabaseUnavailable } from '#app/db/client.ts';
import { WriterBusy } from '#app/integrations/openai/errors.ts';

/** Whoever asked for it has stopped it. */
export class Cancelled extends Error {}

/** A text that passed every gate stands where only the second reading did not come to its end; else the error does. */
export function standsFor<T>(ready: T | undefined, error: unknown): T {
  if (ready && (error instanceof WriterBusy || isDatabaseUnavailable(error))) return ready;
  throw error;
}

const LOOK_MS = 2_000;

/**
 * The answer, or WriterBusy when it does not come in time, or Cancelled as soon as it is wanted no more, which is
 * looked at while it takes long; then nothing more is asked.
 */
export async function inTime<T>(
  withinMs: number,
  ask: (signal: AbortSignal) => Promise<T>,
  isWanted: () => Promise<boolean> = async () => true,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const givenUp = new AbortController();
  const giveUp = (error: Error) => {
    late.reject(error);
    givenUp.abort();
  };
  const timer = setTimeout(() => giveUp(new WriterBusy('The writer took too long', null)), withinMs);
  const look = () =>
    isWanted().then(
      (is) => is || giveUp(new Cancelled()),
      // A database that is away says nothing of that.
      () => {},
    );
  const looking = setInterval(look, LOOK_MS);
  try {
    return await Promise.race([ask(givenUp.signal), late.promise]);
  } finally {
    clearTimeout(timer);
    clearInterval(looking);
  }
}
