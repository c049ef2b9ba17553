import { type LoaderFunctionArgs, redirect } from 'react-router';
import { scrape } from '#app/http/telemetry/web-metrics.ts';
import { metricsAccess } from '#app/metrics.ts';

/** For Prometheus. Without METRICS_TOKEN this path redirects as an unknown one does. */
export async function loader({ request }: LoaderFunctionArgs) {
  const access = metricsAccess(request.headers.get('Authorization'));
  if (access === 'unknown') return redirect('/');
  if (access === 'allowed') return scrape();
  const headers = { 'WWW-Authenticate': 'Bearer', 'Content-Type': 'text/plain; charset=utf-8' };
  return new Response('The metrics are behind a token\n', { status: 401, headers });
}

export const action = () => redirect('/');
