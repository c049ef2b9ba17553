import { readBody } from '#app/http/forms/read-body.ts';
import { limitReports } from '#app/http/rate-limit.ts';
import { logReports, REPORT_BYTES_MAX, readReports } from '#app/http/telemetry/csp-reports.ts';
import type { Route } from './+types/csp-report.ts';

const answer = (status: number, headers: HeadersInit = {}) => new Response(null, { status, headers });

export const loader = () => answer(405, { Allow: 'POST' });

/**
 * Takes what browsers report of pages' policies. It lies outside of the pages, so it takes what comes from no page of ours:
 * it changes nothing, and a form of another site cannot send its types.
 */
export async function action({ request }: Route.ActionArgs): Promise<Response> {
  if (request.method !== 'POST') return answer(405, { Allow: 'POST' });
  const retryAfter = await limitReports(request);
  if (retryAfter) return answer(429, { 'Retry-After': String(retryAfter) });
  const body = await readBody(request, REPORT_BYTES_MAX);
  if (!body) return answer(413);
  const reports = readReports(request.headers.get('Content-Type'), body.toString('utf8'));
  if (!reports) return answer(415);
  logReports(reports);
  return answer(204);
}
