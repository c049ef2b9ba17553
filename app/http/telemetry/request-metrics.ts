import { countError, durationHistogram } from '#app/metrics.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const requests = durationHistogram(
  'tidepost_http_request_duration_seconds',
  'How long answers of pages and calls took, by the pattern of their route.',
  ['method', 'route', 'status'] as const,
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
);

type Handled = { method: string; route: string; status: number };

/** Counts a response. `route` is a pattern in routes.ts, not a URL, which keeps the number of labels small. */
export function observeRequest({ method, route, status }: Handled, ms: number): void {
  const labels = {
    method: METHODS.has(method) ? method : 'other',
    route: route.startsWith('/') ? route : `/${route}`,
  };
  requests.observe({ ...labels, status: `${Math.floor(status / 100)}xx` }, ms / 1_000);
  if (status >= 500) countError('request');
}
