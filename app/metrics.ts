import { createHash, timingSafeEqual } from 'node:crypto';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { EmittedEvent } from '#app/domain/platform/events.ts';
import { env } from './env.ts';

/** The metrics of this process, with Node's own: memory, CPU, event loop. */
export const registry = new Registry();
collectDefaultMetrics({ register: registry });

const events = new Counter({
  name: 'tidepost_events_total',
  help: 'What happened that an operator may have to look up, by the name of the event.',
  labelNames: ['event'] as const,
  registers: [registry],
});

export const countEvent = ({ event }: EmittedEvent): void => events.inc({ event });

const errors = new Counter({
  name: 'tidepost_errors_total',
  help: 'Failures that nobody expected: of a request, or of a try of a job.',
  labelNames: ['of'] as const,
  registers: [registry],
});
for (const what of ['request', 'job']) errors.inc({ of: what }, 0);

export const countError = (what: 'request' | 'job'): void => errors.inc({ of: what });

export const durationHistogram = <Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  buckets: number[],
) => new Histogram({ name, help, labelNames, buckets, registers: [registry] });

/** `timingSafeEqual` needs inputs of equal length. */
const digest = (text: string) => createHash('sha256').update(text).digest();

export type MetricsAccess = 'unknown' | 'refused' | 'allowed';

/** Whether this Authorization header may read the metrics: `unknown` (a 404) without METRICS_TOKEN. */
export function metricsAccess(
  authorization: string | null | undefined,
  token = env().METRICS_TOKEN,
): MetricsAccess {
  if (token === undefined) return 'unknown';
  const sent = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(sent), digest(token)) ? 'allowed' : 'refused';
}
