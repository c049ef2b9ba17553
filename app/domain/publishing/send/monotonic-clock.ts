import { uptime } from 'node:os';

/**
 * Milliseconds since the call. The steady clock stands still while a machine is suspended; the time since it
 * was started does not, and is known to the second.
 */
export function startWatch(
  steady: () => number = () => performance.now(),
  upSeconds: () => number = uptime,
): () => number {
  const from = { steady: steady(), up: upSeconds() };
  return () => Math.max(steady() - from.steady, (upSeconds() - from.up - 1) * 1_000);
}
