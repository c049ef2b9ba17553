import type { State } from '#sandbox/state.ts';

/** How many standard deviations the 99th of 100 lies above the middle. */
const P99 = 2.326;

/** How long this call takes: a log-normal draw, or always the same when the two figures are one. */
export function drawLatency({ latency: { ms, p99Ms } }: State): number {
  if (p99Ms <= ms) return ms;
  const normal = Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
  return ms * Math.exp((Math.log(p99Ms / ms) / P99) * normal);
}
