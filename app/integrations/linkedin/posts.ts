import { env } from '#app/env.ts';
import { type RemoteResponse, RemoteUnreachable } from '#app/integrations/http/call.ts';
import {
  callLinkedIn,
  type Denied,
  type NotPerformed,
  readRefusal,
  type Trace,
  traceOf,
} from './responses.ts';

export const POST_TIMEOUT_MS = 30_000;

type Unknown = { kind: 'unknown'; message: string; status: number | null; trace?: Trace };

/**
 * The outcome of creating a post. `published` with a null urn is live at an unknown URL. After `duplicate` and `unknown` the
 * post may be live; after all others it is not.
 */
export type PostOutcome =
  | { kind: 'published'; urn: string | null; status: number; trace?: Trace }
  | { kind: 'duplicate'; urn: string | null; status: number; trace?: Trace }
  | {
      kind: 'media_waiting';
      /** The image must be uploaded again. */
      isUploadEnded: boolean;
      status: number;
      trace?: Trace;
    }
  | Denied
  | NotPerformed
  | Unknown;

/** After `deleted` (also for 404) the post is not live; after `unknown` it may be. */
export type DeleteOutcome =
  | { kind: 'deleted'; status: number; trace?: Trace }
  | Denied
  | NotPerformed
  | Unknown;

export type Caller = {
  accessToken: string;
  /** LinkedIn-Version, YYYYMM. Configured, never computed from the clock. */
  version: string;
  timeoutMs?: number;
};
type NewPost = Caller & {
  /** urn:li:person:… */
  authorUrn: string;
  /** From `commentaryOf`. */
  commentary: string;
  imageUrn?: string | null;
  /** Plain text. */
  altText?: string | null;
  visibility?: 'PUBLIC' | 'CONNECTIONS';
};

export const restHeaders = ({ accessToken, version }: Caller) => ({
  Authorization: `Bearer ${accessToken}`,
  'LinkedIn-Version': version,
  'X-Restli-Protocol-Version': '2.0.0',
  'Content-Type': 'application/json',
});

/** Encodes a key in a Rest.li path: everything but letters, digits, `-`, `_`, `.` and `~`. */
const restKey = (urn: string) =>
  encodeURIComponent(urn).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * POST /rest/posts. Never repeats the call, because LinkedIn has no idempotency keys. Never throws for errors of the remote.
 * Source: LinkedIn Posts API.
 */
export async function createPost(post: NewPost): Promise<PostOutcome> {
  const { authorUrn, commentary, imageUrn, altText, timeoutMs = POST_TIMEOUT_MS } = post;
  const media = { id: imageUrn, ...(altText ? { altText } : {}) };
  const body = JSON.stringify({
    author: authorUrn,
    commentary,
    visibility: post.visibility ?? 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    ...(imageUrn ? { content: { media } } : {}),
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  });
  const url = `${env().LINKEDIN_API_URL}/rest/posts`;
  return attempt(
    () => callLinkedIn({ method: 'POST', url, headers: restHeaders(post), body, timeoutMs }),
    readCreated,
  );
}

/** DELETE /rest/posts/{urn}. May be repeated. Never throws for errors of the remote. */
export async function deletePost(call: Caller & { urn: string }): Promise<DeleteOutcome> {
  const { urn, timeoutMs = POST_TIMEOUT_MS } = call;
  const url = `${env().LINKEDIN_API_URL}/rest/posts/${restKey(urn)}`;
  const headers = { ...restHeaders(call), 'X-RestLi-Method': 'DELETE' };
  return attempt(() => callLinkedIn({ method: 'DELETE', url, headers, timeoutMs }), readDeleted);
}

async function attempt<T>(
  call: () => Promise<RemoteResponse>,
  read: (response: RemoteResponse) => T,
): Promise<T | NotPerformed | Unknown> {
  try {
    return read(await call());
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof RemoteUnreachable) return { kind: 'not_sent', message };
    return { kind: 'unknown', message, status: null };
  }
}

const unknown = (response: RemoteResponse): Unknown => ({
  kind: 'unknown',
  message: `LinkedIn answered ${response.status}, which does not say whether it acted`,
  status: response.status,
  ...traceOf(response),
});

function readCreated(response: RemoteResponse): PostOutcome {
  const { status } = response;
  const common = { status, ...traceOf(response) };
  if (status === 201 || status === 200) return { kind: 'published', urn: urnOf(response), ...common };
  const refusal = readRefusal(response);
  if (refusal?.kind !== 'refused') return refusal ?? unknown(response);
  // A 422 that broke off may report a duplicate, which may be this very post.
  if (status === 422 && !response.isComplete) return unknown(response);
  const duplicate = /duplicate of (urn:li:\w+:[\w-]+)/i.exec(refusal.message)?.[1];
  if (refusal.code === 'DUPLICATE_POST' || duplicate) {
    return { kind: 'duplicate', urn: duplicate ?? null, ...common };
  }
  const isUploadEnded = refusal.code === 'EXPIRED_UPLOAD_URL';
  if (isUploadEnded || refusal.code === 'MEDIA_ASSET_WAITING_UPLOAD') {
    return { kind: 'media_waiting', isUploadEnded, ...common };
  }
  return refusal;
}

function readDeleted(response: RemoteResponse): DeleteOutcome {
  const { status } = response;
  if (status === 200 || status === 204 || status === 404) {
    return { kind: 'deleted', status, ...traceOf(response) };
  }
  return readRefusal(response) ?? unknown(response);
}

/** Only a header has the id, with or without percent-encoding. */
function urnOf({ headers }: RemoteResponse): string | null {
  const raw = headers['x-restli-id'] ?? headers['x-linkedin-id'];
  const id = String(Array.isArray(raw) ? raw[0] : (raw ?? ''));
  const urn = /%3a/i.test(id) ? decode(id) : id;
  return urn.startsWith('urn:li:') ? urn : null;
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
