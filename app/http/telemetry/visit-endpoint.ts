import { databaseNow } from '#app/domain/platform/clock.ts';
import type { Visit } from '#app/domain/visits/schema.ts';
import { queueVisit } from '#app/domain/visits/visit-queue.ts';
import { failure } from '#app/http/api/responses.ts';
import { clientAddresses, type WithHeaders } from '#app/http/client-ip.ts';
import { isOwnOrigin } from '#app/http/csrf.ts';

export const VISITS_PATH = '/api/v1/visits/track';

export const hasPrivacySignal = ({ headers }: WithHeaders): boolean =>
  headers.get('DNT') === '1' || headers.get('Sec-GPC') === '1';

/** Whether no page of another site sent it. Other clients than browsers send no such headers. */
function isSameSite({ headers }: WithHeaders): boolean {
  const origin = headers.get('Origin');
  const site = headers.get('Sec-Fetch-Site');
  if (origin !== null && !isOwnOrigin(origin, headers.get('Host'))) return false;
  return site === null || site === 'same-origin' || site === 'none';
}

const accepted = () => Response.json({ success: true }, { status: 201 });

/** Queues a visit, and returns the response. With a privacy signal, nothing is recorded. */
export function handleVisit(request: WithHeaders, visit: Visit): Response {
  if (!isSameSite(request)) return failure(403, 'forbidden', 'Only pages of Tidepost tell of visits');
  if (hasPrivacySignal(request)) return accepted();
  const userAgent = request.headers.get('User-Agent') ?? '';
  const { address, key: by } = clientAddresses(request);
  const retryAfter = queueVisit({ visit, at: databaseNow(), address, by, userAgent });
  if (!retryAfter) return accepted();
  const headers = { 'Retry-After': String(retryAfter) };
  return failure(429, 'rate_limited', 'Too many visits at once', {}, headers);
}
