import { readBody } from '#app/http/forms/read-body.ts';
import { limitReports } from '#app/http/rate-limit.ts';
import { logReports, REPORT_BYTES_MAX, readReports } from '#app/http/telemetry/csp-reports.ts';
import type { Route } from './+types/csp-report.ts';

const respond = (status: number, headers: HeadersInit = {}) => new Response(null, { status, headers });

export const loader = () => respond(405, { Allow: 'POST' });

/**
 * Logs the CSP violations that browsers report. Reports carry no Origin that could be checked; none is needed, because
 * a report changes nothing and a form of another site cannot send these content types.
 */
export async function action({ request }: Route.ActionArgs): Promise<Response> {
  if (request.method !== 'POST') return respond(405, { Allow: 'POST' });
  const retryAfter = await limitReports(request);
  if (retryAfter) return respond(429, { 'Retry-After': String(retryAfter) });
  const body = await readBody(request, REPORT_BYTES_MAX);
  if (!body) return respond(413);
  const reports = readReports(request.headers.get('Content-Type'), body.toString('utf8'));
  if (!reports) return respond(415);
  logReports(reports);
  return respond(204);
}
