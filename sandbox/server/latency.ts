import type { State } from '#sandbox/state.ts';

/** Standard deviations from the median to the 99th percentile. */
const P99 = 2.326;

/** Draws a latency in milliseconds: log-normal, or constant when both figures are equal. */
export function drawLatency({ latency: { ms, p99Ms } }: State): number {
  if (p99Ms <= ms) return ms;
  const normal = Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
  return ms * Math.exp((Math.log(p99Ms / ms) / P99) * normal);
}
