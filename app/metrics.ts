import { createHash, timingSafeEqual } from 'node:crypto';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { EmittedEvent } from '#app/domain/platform/events.ts';
import { env } from '#app/env.ts';

/** What this process counts of itself, with what Node tells of it: memory, processor, event loop. */
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

/** How long something took, in seconds: a histogram with the buckets that are asked for. */
export const durationHistogram = <Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  buckets: number[],
) => new Histogram({ name, help, labelNames, buckets, registers: [registry] });

/** Of texts of different lengths, too, nothing is learned by the time that this takes. */
const digest = (text: string) => createHash('sha256').update(text).digest();

export type MetricsAccess = 'unknown' | 'refused' | 'allowed';

/** Whether who sends this Authorization may read the metrics. Without METRICS_TOKEN nobody knows that there are any. */
export function metricsAccess(
  authorization: string | null | undefined,
  token = env().METRICS_TOKEN,
): MetricsAccess {
  if (token === undefined) return 'unknown';
  const sent = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(sent), digest(token)) ? 'allowed' : 'refused';
}
