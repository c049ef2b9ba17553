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
 * What became of a new post. `published` with a null urn is live with an unknown address. After
 * `duplicate` and `unknown` it may be live; after all others it is not.
 */
export type PostOutcome =
  | { kind: 'published'; urn: string | null; status: number; trace?: Trace }
  | { kind: 'duplicate'; urn: string | null; status: number; trace?: Trace }
  | {
      kind: 'media_waiting';
      /** The picture was never taken: it must be uploaded again. */
      isUploadEnded: boolean;
      status: number;
      trace?: Trace;
    }
  | Denied
  | NotPerformed
  | Unknown;

/** After `deleted` it is not on the network (404 counts); after `unknown` it may or may not be. */
export type DeleteOutcome =
  | { kind: 'deleted'; status: number; trace?: Trace }
  | Denied
  | NotPerformed
  | Unknown;

/** Who calls below /rest, and how. */
export type Caller = {
  accessToken: string;
  /** LinkedIn-Version, YYYYMM; configured, never computed from the clock. */
  version: string;
  /** Total, 30 s when left out. */
  timeoutMs?: number;
};
type NewPost = Caller & {
  /** urn:li:person:… */
  authorUrn: string;
  /** Escaped "little text", see little-text.ts. */
  commentary: string;
  imageUrn?: string | null;
  /** Plain text. */
  altText?: string | null;
  /** Everybody when left out. */
  visibility?: 'PUBLIC' | 'CONNECTIONS';
};

/** Headers of every call below /rest. */
export const restHeaders = ({ accessToken, version }: Caller) => ({
  Authorization: `Bearer ${accessToken}`,
  'LinkedIn-Version': version,
  'X-Restli-Protocol-Version': '2.0.0',
  'Content-Type': 'application/json',
});

/** A key inside a Rest.li path: everything but letters, digits, `-`, `_`, `.` and `~` is encoded. */
const restKey = (urn: string) =>
  encodeURIComponent(urn).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * POST /rest/posts, once: LinkedIn has no idempotency key, so this call is never repeated here. Never
 * throws for trouble with the remote. Source: LinkedIn Posts API.
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

/** DELETE /rest/posts/{urn}. Deleting twice is fine: 404 counts as deleted. */
export async function deletePost(call: Caller & { urn: string }): Promise<DeleteOutcome> {
  const { urn, timeoutMs = POST_TIMEOUT_MS } = call;
  const url = `${env().LINKEDIN_API_URL}/rest/posts/${restKey(urn)}`;
  const headers = { ...restHeaders(call), 'X-RestLi-Method': 'DELETE' };
  return attempt(() => callLinkedIn({ method: 'DELETE', url, headers, timeoutMs }), readDeleted);
}

async function attempt<T>(
  call: () => Promise<RemoteResponse>,
  read: (answer: RemoteResponse) => T,
): Promise<T | NotPerformed | Unknown> {
  try {
    return read(await call());
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof RemoteUnreachable) return { kind: 'not_sent', message };
    return { kind: 'unknown', message, status: null };
  }
}

const unknown = (answer: RemoteResponse): Unknown => ({
  kind: 'unknown',
  message: `LinkedIn answered ${answer.status}, which does not say whether it acted`,
  status: answer.status,
  ...traceOf(answer),
});

function readCreated(answer: RemoteResponse): PostOutcome {
  const known = { status: answer.status, ...traceOf(answer) };
  const { status } = known;
  if (status === 201 || status === 200) return { kind: 'published', urn: urnOf(answer), ...known };
  const refusal = readRefusal(answer);
  if (refusal?.kind !== 'refused') return refusal ?? unknown(answer);
  // A 422 that broke off may have been about a duplicate, and a duplicate may be this very post.
  if (status === 422 && !answer.isComplete) return unknown(answer);
  const duplicate = /duplicate of (urn:li:\w+:[\w-]+)/i.exec(refusal.message)?.[1];
  if (refusal.code === 'DUPLICATE_POST' || duplicate) {
    return { kind: 'duplicate', urn: duplicate ?? null, ...known };
  }
  const isUploadEnded = refusal.code === 'EXPIRED_UPLOAD_URL';
  if (isUploadEnded || refusal.code === 'MEDIA_ASSET_WAITING_UPLOAD') {
    return { kind: 'media_waiting', isUploadEnded, ...known };
  }
  return refusal;
}

function readDeleted(answer: RemoteResponse): DeleteOutcome {
  const { status } = answer;
  if (status === 200 || status === 204 || status === 404) {
    return { kind: 'deleted', status, ...traceOf(answer) };
  }
  return readRefusal(answer) ?? unknown(answer);
}

/** The id stands in a header only, with or without percent-encoding. */
function urnOf({ headers }: RemoteResponse): string | null {
  const raw = headers['x-restli-id'] ?? headers['x-linkedin-id'];
  const id = String(Array.isArray(raw) ? raw[0] : (raw ?? ''));
  const urn = /%3a/i.test(id) ? decoded(id) : id;
  return urn.startsWith('urn:li:') ? urn : null;
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
