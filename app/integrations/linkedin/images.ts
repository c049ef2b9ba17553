import { env } from '#app/env.ts';
import { parseJsonObject, type RemoteResponse } from '#app/integrations/http/call.ts';
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
  ownerUrn: string;
  bytes: Uint8Array;
  /** image/jpeg, image/png or image/gif. */
  contentType: string;
  /** For each of the two calls; 60 s by default. */
  timeoutMs?: number;
};

/**
 * Uploads an image: initializeUpload, then a PUT. Starts over once if the upload URL has expired. An image is not visible
 * until a post refers to it, so an uncertain upload counts as not sent and may be repeated. Never throws for errors of the
 * remote. Source: LinkedIn Images API.
 */
export async function uploadImage(upload: Upload): Promise<UploadOutcome> {
  try {
    const first = await uploadOnce(upload);
    if (first.kind !== 'url_expired') return first;
    const second = await uploadOnce(upload);
    return second.kind === 'url_expired' ? second.otherwise : second;
  } catch (error) {
    return { kind: 'not_sent', message: (error as Error).message };
  }
}

/** `otherwise`: the outcome if there is no other attempt. */
type AttemptOutcome = UploadOutcome | { kind: 'url_expired'; otherwise: UploadOutcome };

async function uploadOnce(upload: Upload): Promise<AttemptOutcome> {
  const initialized = await initialize(upload);
  const { value } = (parseJsonObject(initialized.body) ?? {}) as {
    value?: { uploadUrl?: unknown; image?: unknown };
  };
  const { uploadUrl, image } = value ?? {};
  if (initialized.status !== 200 || typeof uploadUrl !== 'string' || typeof image !== 'string') {
    return readRefusal(initialized) ?? notSent(initialized);
  }
  const put = await putImage(upload, uploadUrl);
  if (put.status >= 200 && put.status < 300) return { kind: 'uploaded', imageUrn: image, ...traceOf(put) };
  const refusal = readRefusal(put) ?? notSent(put);
  if (refusal.kind === 'unauthorized') {
    // A 401 of the upload host says nothing about the user's token.
    const message = 'LinkedIn refused the picture';
    return { ...refusal, kind: 'refused', code: 'IMAGE_UPLOAD_REFUSED', message };
  }
  if (hasExpired(put)) return { kind: 'url_expired', otherwise: notSent(put) };
  // A 400 may be about the URL or about the image.
  return put.status === 400 ? { kind: 'url_expired', otherwise: refusal } : refusal;
}

const hasExpired = ({ status, body }: RemoteResponse) =>
  [403, 404, 410].includes(status) || readProblem(body).code === 'EXPIRED_UPLOAD_URL';

const notSent = (response: RemoteResponse): NotPerformed => ({
  kind: 'not_sent',
  message: `LinkedIn answered ${response.status} to the picture`,
  ...traceOf(response),
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

/** The documentation requires the token, but some upload hosts refuse it: after 400 or 401 it is sent again without. */
async function putImage(upload: Upload, url: string): Promise<RemoteResponse> {
  const { accessToken, bytes, contentType, timeoutMs = UPLOAD_TIMEOUT_MS } = upload;
  const withoutToken = { 'Content-Type': contentType };
  const put = (headers: Record<string, string>) =>
    callLinkedIn({ method: 'PUT', url, headers, body: bytes, timeoutMs });
  if (!mayHaveToken(url)) return put(withoutToken);
  const response = await put({ ...withoutToken, Authorization: `Bearer ${accessToken}` });
  return response.status === 400 || response.status === 401 ? put(withoutToken) : response;
}

/** Whether the access token may be sent to this URL: only to LinkedIn over https, and to the configured origins. */
export function mayHaveToken(uploadUrl: string): boolean {
  const { protocol, hostname, origin } = new URL(uploadUrl);
  const isLinkedIn = hostname === 'linkedin.com' || hostname.endsWith('.linkedin.com');
  const configured = [env().LINKEDIN_API_URL, env().LINKEDIN_AUTH_URL].map((url) => new URL(url).origin);
  return (protocol === 'https:' && isLinkedIn) || configured.includes(origin);
}
