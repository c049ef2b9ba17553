import { databaseNow } from '#app/domain/platform/clock.ts';
import type { Visit } from '#app/domain/visits/schema.ts';
import { queueVisit } from '#app/domain/visits/visit-queue.ts';
import { failure } from '#app/http/api/responses.ts';
import { clientAddresses, type WithHeaders } from '#app/http/client-ip.ts';
import { isOwnOrigin } from '#app/http/csrf.ts';

export const VISITS_PATH = '/api/v1/visits/track';

/** Who asks not to be followed, in either of two ways, is not. */
export const hasPrivacySignal = ({ headers }: WithHeaders): boolean =>
  headers.get('DNT') === '1' || headers.get('Sec-GPC') === '1';

/** Whether no page of another site sends it. What is no browser says nothing of where it comes from. */
function isFromHere({ headers }: WithHeaders): boolean {
  const origin = headers.get('Origin');
  const site = headers.get('Sec-Fetch-Site');
  if (origin !== null && !isOwnOrigin(origin, headers.get('Host'))) return false;
  return site === null || site === 'same-origin' || site === 'none';
}

const TAKEN = () => Response.json({ success: true }, { status: 201 });

/**
 * Answers the call that records a visit. A visitor who asks for privacy gets the same response, and nothing is
 * recorded.
 */
export function handleVisit(asked: WithHeaders, visit: Visit): Response {
  if (!isFromHere(asked)) return failure(403, 'forbidden', 'Only pages of Tidepost tell of visits');
  if (hasPrivacySignal(asked)) return TAKEN();
  const userAgent = asked.headers.get('User-Agent') ?? '';
  const { whole: address, counted: by } = clientAddresses(asked);
  const retryAfter = queueVisit({ visit, at: databaseNow(), address, by, userAgent });
  if (!retryAfter) return TAKEN();
  const headers = { 'Retry-After': String(retryAfter) };
  return failure(429, 'rate_limited', 'Too many visits at once', {}, headers);
}
