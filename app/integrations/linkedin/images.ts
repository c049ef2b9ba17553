import { env } from '#app/env.ts';
import { type RemoteResponse, readObject } from '#app/integrations/http/call.ts';
import { restHeaders } from './posts.ts';
import {
  callLinkedIn,
  type Denied,
  type NotPerformed,
  readProblem,
  readRefusal,
  type Trace,
  traceOf,
} from './responses.ts';

const UPLOAD_TIMEOUT_MS = 60_000;

export type UploadOutcome = { kind: 'uploaded'; imageUrn: string; trace?: Trace } | Denied | NotPerformed;

type Upload = {
  accessToken: string;
  version: string;
  /** urn:li:person:…, the author of the post the picture is for. */
  ownerUrn: string;
  bytes: Uint8Array;
  /** image/jpeg, image/png or image/gif. */
  contentType: string;
  /** Total for each of the two calls, 60 s when left out. */
  timeoutMs?: number;
};

/**
 * Hands a picture to LinkedIn: initializeUpload, then one PUT; from the start again once when the address of
 * the upload no longer holds. Nobody sees a picture before a post names it, so whatever stays open here counts
 * as not sent and may be done again. Never throws for trouble with the remote. Source: LinkedIn Images API.
 */
export async function uploadImage(upload: Upload): Promise<UploadOutcome> {
  try {
    const first = await uploadOnce(upload);
    if (first.kind !== 'address_ended') return first;
    const second = await uploadOnce(upload);
    return second.kind === 'address_ended' ? second.otherwise : second;
  } catch (error) {
    return { kind: 'not_sent', message: (error as Error).message };
  }
}

/** `otherwise` is what it means when it is the last word. */
type Once = UploadOutcome | { kind: 'address_ended'; otherwise: UploadOutcome };

async function uploadOnce(upload: Upload): Promise<Once> {
  const begun = await initialize(upload);
  const { value } = (readObject(begun.body) ?? {}) as { value?: { uploadUrl?: unknown; image?: unknown } };
  const { uploadUrl, image } = value ?? {};
  if (begun.status !== 200 || typeof uploadUrl !== 'string' || typeof image !== 'string') {
    return readRefusal(begun) ?? notSent(begun);
  }
  const put = await putBothWays(upload, uploadUrl);
  if (put.status >= 200 && put.status < 300) return { kind: 'uploaded', imageUrn: image, ...traceOf(put) };
  const refusal = readRefusal(put) ?? notSent(put);
  if (refusal.kind === 'unauthorized') {
    // The upload host asks for a token or forbids it; its 401 says nothing about the connection.
    const message = 'LinkedIn refused the picture';
    return { ...refusal, kind: 'refused', code: 'IMAGE_UPLOAD_REFUSED', message };
  }
  if (hasEnded(put)) return { kind: 'address_ended', otherwise: notSent(put) };
  // A 400 can be about the address as well as about the picture.
  return put.status === 400 ? { kind: 'address_ended', otherwise: refusal } : refusal;
}

const hasEnded = ({ status, body }: RemoteResponse) =>
  [403, 404, 410].includes(status) || readProblem(body).code === 'EXPIRED_UPLOAD_URL';

const notSent = (answer: RemoteResponse): NotPerformed => ({
  kind: 'not_sent',
  message: `LinkedIn answered ${answer.status} to the picture`,
  ...traceOf(answer),
});

function initialize(upload: Upload) {
  return callLinkedIn({
    method: 'POST',
    url: `${env().LINKEDIN_API_URL}/rest/images?action=initializeUpload`,
    headers: restHeaders(upload),
    body: JSON.stringify({ initializeUploadRequest: { owner: upload.ownerUrn } }),
    timeoutMs: upload.timeoutMs ?? UPLOAD_TIMEOUT_MS,
  });
}

/** The documentation asks for the token, some upload hosts refuse it: on 400 and 401 the other way, once. */
async function putBothWays(upload: Upload, url: string): Promise<RemoteResponse> {
  const { accessToken, bytes, contentType, timeoutMs = UPLOAD_TIMEOUT_MS } = upload;
  const bare = { 'Content-Type': contentType };
  const put = (headers: Record<string, string>) =>
    callLinkedIn({ method: 'PUT', url, headers, body: bytes, timeoutMs });
  if (!mayHaveToken(url)) return put(bare);
  const answer = await put({ ...bare, Authorization: `Bearer ${accessToken}` });
  return answer.status === 400 || answer.status === 401 ? put(bare) : answer;
}

/** The token goes to LinkedIn over https and to the origins this server is configured with, nowhere else. */
export function mayHaveToken(uploadUrl: string): boolean {
  const { protocol, hostname, origin } = new URL(uploadUrl);
  const isLinkedIn = hostname === 'linkedin.com' || hostname.endsWith('.linkedin.com');
  const configured = [env().LINKEDIN_API_URL, env().LINKEDIN_AUTH_URL].map((url) => new URL(url).origin);
  return (protocol === 'https:' && isLinkedIn) || configured.includes(origin);
}
