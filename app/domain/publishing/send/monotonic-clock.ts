import { uptime } from 'node:os';

/**
 * Returns a function that returns the milliseconds since the call. The monotonic clock stops while a machine is
 * suspended; the system's uptime, in whole seconds, does not.
 */
export function startStopwatch(
  monotonicMs: () => number = () => performance.now(),
  uptimeSeconds: () => number = uptime,
): () => number {
  const start = { monotonic: monotonicMs(), uptime: uptimeSeconds() };
  return () => Math.max(monotonicMs() - start.monotonic, (uptimeSeconds() - start.uptime - 1) * 1_000);
}
