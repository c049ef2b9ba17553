import { env } from '#app/env.ts';
import { parseJsonObject } from '#app/integrations/http/call.ts';
import { blamedParty, LinkedInRefused, refreshToken } from './oauth.ts';
import { type Caller, restHeaders } from './posts.ts';
import { callLinkedIn, readProblem, readRefusal } from './responses.ts';

const TIMEOUT_MS = 15_000;

/** `open`: the response, or its absence, is inconclusive. */
export type VersionProbe = 'active' | 'refused' | 'token_refused' | 'open';

/**
 * Checks whether LinkedIn accepts a version of its API, by reading a post that does not exist. Ordinary apps may not read
 * posts (403). Never throws for errors of the remote.
 */
export async function probeVersion(caller: Caller): Promise<VersionProbe> {
  const url = `${env().LINKEDIN_API_URL}/rest/posts/urn%3Ali%3Ashare%3A1?viewContext=AUTHOR`;
  const call = { method: 'GET' as const, url, headers: restHeaders(caller), timeoutMs: TIMEOUT_MS };
  const response = await callLinkedIn(call).catch(() => undefined);
  if (!response) return 'open';
  const { status, body } = response;
  const isKnown = status === 403 && readProblem(body).code === 'ACCESS_DENIED';
  if (isKnown || status === 200 || (status === 404 && parseJsonObject(body))) return 'active';
  const kind = readRefusal(response)?.kind;
  if (kind === 'version') return 'refused';
  return kind === 'unauthorized' ? 'token_refused' : 'open';
}

/**
 * Checks our client id and secret with an invalid refresh token: LinkedIn checks the client first. Returns true if they are
 * valid, LinkedIn's refusal if not, and undefined if the response is inconclusive.
 */
export async function probeClient(): Promise<true | LinkedInRefused | undefined> {
  try {
    await refreshToken('tidepost-probe');
    return true;
  } catch (error) {
    if (!(error instanceof LinkedInRefused)) return undefined;
    if (/^invalid_client(?:_id)?$/.test(error.code)) return error;
    return blamedParty(error) === 'member' ? true : undefined;
  }
}
