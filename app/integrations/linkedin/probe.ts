import { env } from '#app/env.ts';
import { readObject } from '#app/integrations/http/call.ts';
import { blamedParty, LinkedInRefused, refreshToken } from './oauth.ts';
import { type Caller, restHeaders } from './posts.ts';
import { callLinkedIn, readProblem, readRefusal } from './responses.ts';

const TIMEOUT_MS = 15_000;

/** `open`: the answer, or that there was none, tells nothing about it. */
export type VersionProbe = 'active' | 'refused' | 'token_refused' | 'open';

/**
 * Whether LinkedIn takes a version of its API: the read of a post that is nobody's, which an ordinary app is
 * not allowed (403) and which changes nothing. Never throws for trouble with the remote.
 */
export async function probeVersion(caller: Caller): Promise<VersionProbe> {
  const url = `${env().LINKEDIN_API_URL}/rest/posts/urn%3Ali%3Ashare%3A1?viewContext=AUTHOR`;
  const call = { method: 'GET' as const, url, headers: restHeaders(caller), timeoutMs: TIMEOUT_MS };
  const answer = await callLinkedIn(call).catch(() => undefined);
  if (!answer) return 'open';
  const { status, body } = answer;
  const isKnown = status === 403 && readProblem(body).code === 'ACCESS_DENIED';
  if (isKnown || status === 200 || (status === 404 && readObject(body))) return 'active';
  const kind = readRefusal(answer)?.kind;
  if (kind === 'version') return 'refused';
  return kind === 'unauthorized' ? 'token_refused' : 'open';
}

/**
 * Whether LinkedIn knows this application by its secret: it looks at that before it refuses a renewal that can't
 * be. Answers the refusal when the client is refused by name, true when it is known, undefined when that stays
 * open.
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
