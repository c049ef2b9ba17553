import { type LoaderFunctionArgs, redirect } from 'react-router';
import { scrape } from '#app/http/telemetry/web-metrics.ts';
import { metricsAccess } from '#app/metrics.ts';

/** For Prometheus. Without METRICS_TOKEN this is an address like any other that is not there. */
export async function loader({ request }: LoaderFunctionArgs) {
  const asks = metricsAccess(request.headers.get('Authorization'));
  if (asks === 'unknown') return redirect('/');
  if (asks === 'allowed') return scrape();
  const headers = { 'WWW-Authenticate': 'Bearer', 'Content-Type': 'text/plain; charset=utf-8' };
  return new Response('The metrics are behind a token\n', { status: 401, headers });
}

export const action = () => redirect('/');
