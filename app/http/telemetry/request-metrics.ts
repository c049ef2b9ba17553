import { countError, durationHistogram } from '#app/metrics.ts';

/** Methods that have a label of their own; whatever else somebody sends is one other. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const requests = durationHistogram(
  'tidepost_http_request_duration_seconds',
  'How long answers of pages and calls took, by the pattern of their route.',
  ['method', 'route', 'status'] as const,
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
);

type Answered = { method: string; route: string; status: number };

/** Counts an answer. `route` is a pattern of `routes.ts`, never an address: labels are as many as there are routes. */
export function observeRequest({ method, route, status }: Answered, ms: number): void {
  const labels = {
    method: METHODS.has(method) ? method : 'other',
    route: route.startsWith('/') ? route : `/${route}`,
  };
  requests.observe({ ...labels, status: `${Math.floor(status / 100)}xx` }, ms / 1_000);
  if (status >= 500) countError('request');
}
