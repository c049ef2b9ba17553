import { isDatabaseUnavailable } from '#app/db/client.ts';
import { WriterBusy } from '#app/integrations/openai/errors.ts';

/** The user has stopped the run, or another worker has claimed it. */
export class Cancelled extends Error {}

/** Returns the text that passed the gates when only the second pass failed; otherwise throws the error. */
export function readyOrThrow<T>(ready: T | undefined, error: unknown): T {
  if (ready && (error instanceof WriterBusy || isDatabaseUnavailable(error))) return ready;
  throw error;
}

const POLL_MS = 2_000;

/**
 * Runs `write` with a signal. Throws WriterBusy after `withinMs`, and Cancelled when `isWanted` returns false, which is
 * polled; both abort the signal.
 */
export async function withTimeout<T>(
  withinMs: number,
  write: (signal: AbortSignal) => Promise<T>,
  isWanted: () => Promise<boolean> = async () => true,
): Promise<T> {
  const failure = Promise.withResolvers<never>();
  const controller = new AbortController();
  const stop = (error: Error) => {
    failure.reject(error);
    controller.abort();
  };
  const timer = setTimeout(() => stop(new WriterBusy('The writer took too long', null)), withinMs);
  const poll = () =>
    isWanted().then(
      (is) => is || stop(new Cancelled()),
      // An unavailable database is no reason to stop.
      () => {},
    );
  const polling = setInterval(poll, POLL_MS);
  try {
    return await Promise.race([write(controller.signal), failure.promise]);
  } finally {
    clearTimeout(timer);
    clearInterval(polling);
  }
}
