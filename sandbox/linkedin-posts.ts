import { strike } from './faults.ts';
import { Answer, type Exchange, isObject, pause, sendEmpty } from './http.ts';
import { answerBefore, failAfter, isAfter, isBefore } from './linkedin-post-faults.ts';
import { imagesOf, schemaErrors } from './linkedin-post-schema.ts';
import {
  accessDenied,
  type Caller,
  enterRest,
  foreignMember,
  gatewayError,
  restBody,
} from './linkedin-rest.ts';
import { parseLittleText } from './little-text.ts';
import type { Attempt, Post, State } from './state.ts';

const DUPLICATE_WINDOW_MS = 10 * 60_000;
const MAX_LENGTH = 3000;

function badRequest(status: number, message: string, inputErrors: object[]): Answer {
  return new Answer(status, {
    errorDetailType: 'com.linkedin.common.error.BadRequest',
    message: `com.linkedin.content.common.exception.BadRequestResponseException: ${message}`,
    errorDetails: { inputErrors },
    status,
  });
}

/**
 * POST /rest/posts. Every call is written to the ledger before its answer leaves, so a test that was
 * answered, or cut off, finds the attempt there.
 */
export async function createPost(state: State, call: Exchange, raw: string) {
  const { req, res } = call;
  const attempt = openAttempt(state, req.headers['linkedin-version'], raw);
  const match = attempt.text ?? raw;
  await pause(res, state.latencyMs);
  const slow = strike(state, (kind) => kind === 'linkedin.slow', match);
  if (slow) {
    attempt.fault = slow.kind;
    await pause(res, slow.delayMs ?? 5000);
  }
  const withImage = attempt.imageUrn !== null;
  const fault = strike(state, (kind) => isAfter(kind) || isBefore(kind, withImage), match);
  if (fault) attempt.fault = fault.kind;
  try {
    if (fault && isBefore(fault.kind, withImage)) return answerBefore(res, attempt, fault.kind);
    const post = acceptPost(state, call, raw, attempt);
    attempt.urn = post.urn;
    if (fault) return failAfter(res, attempt, fault.kind);
    attempt.status = 201;
    const encoded = encodedId(state);
    sendEmpty(res, 201, { 'x-restli-id': encoded ? encodeURIComponent(post.urn) : post.urn });
  } catch (error) {
    if (error instanceof Answer) attempt.status = error.status;
    throw error;
  }
}

/** Both forms of the id are seen on the wire, so both kinds of urn come in both forms. */
function encodedId(state: State): boolean {
  return state.postCounter % 4 >= 2;
}

function openAttempt(state: State, version: unknown, raw: string): Attempt {
  let body: Record<string, unknown> = {};
  try {
    const value: unknown = JSON.parse(raw);
    if (isObject(value)) body = value;
  } catch {}
  const commentary = typeof body.commentary === 'string' ? body.commentary : null;
  const parsed = commentary === null ? null : parseLittleText(commentary);
  const attempt: Attempt = {
    at: new Date().toISOString(),
    author: typeof body.author === 'string' ? body.author : null,
    text: parsed?.text ?? null,
    commentary,
    status: null,
    urn: null,
    fault: null,
    violation: parsed?.violation ?? null,
    version: typeof version === 'string' ? version : null,
    imageUrn: imagesOf(body.content)[0]?.urn ?? null,
  };
  state.attempts.push(attempt);
  return attempt;
}

function acceptPost(state: State, call: Exchange, raw: string, attempt: Attempt): Post {
  const caller = enterRest(state, call);
  const body = restBody(call, raw);
  if (!caller.token.scopes.includes('w_member_social')) {
    throw accessDenied('partnerApiPostsExternal.CREATE', caller.version);
  }
  const errors = schemaErrors(body);
  if (errors.length > 0) {
    throw new Answer(422, { message: errors.map((line) => `ERROR :: ${line}\n`).join(''), status: 422 });
  }
  if (body.author !== caller.author) throw foreignMember();
  if (body.lifecycleState !== 'PUBLISHED') {
    throw gatewayError(400, 'INVALID_VALUE_FOR_FIELD', 'lifecycleState DRAFT is not supported on create');
  }
  const images = imagesOf(body.content);
  const text = attempt.text ?? '';
  checkText(attempt, isObject(body.content));
  checkImages(state, caller, images);
  checkDuplicate(state, caller, text);
  const urn = nextUrn(state);
  const at = new Date();
  const post: Post = {
    urn,
    sub: caller.member.sub,
    author: caller.author,
    name: caller.member.name,
    headline: caller.member.headline,
    text,
    commentary: attempt.commentary ?? '',
    violation: attempt.violation,
    imageUrn: images[0]?.urn ?? null,
    altText: images[0]?.altText ?? null,
    visibility: String(body.visibility),
    at: at.toISOString(),
    editedAt: null,
  };
  state.posts.set(urn, post);
  state.accepted.push({ sub: caller.member.sub, text, urn, at: at.getTime() });
  return post;
}

function nextUrn(state: State): string {
  const type = state.postCounter % 2 === 0 ? 'share' : 'ugcPost';
  state.postCounter += 1;
  return `urn:li:${type}:${7_400_000_000_000_000_000n + BigInt(Date.now()) * 1000n + BigInt(state.postCounter)}`;
}

export function checkText(attempt: Pick<Attempt, 'commentary' | 'text'>, hasContent: boolean) {
  const length = (attempt.commentary ?? '').length;
  if (length > MAX_LENGTH) {
    const message = `ShareCommentary text length (${length} characters) exceeded the maximum allowed (3000 characters)`;
    throw badRequest(400, message, [
      {
        description: 'Size of array cannot be higher than the maxLength',
        input: { value: { stringValue: attempt.commentary } },
        code: 'FIELD_ARRAY_SIZE_TOO_HIGH',
        maxLength: MAX_LENGTH,
      },
    ]);
  }
  if ((attempt.commentary ?? '').trim() === '' && !hasContent) {
    throw gatewayError(400, 'INVALID_VALUE_BLANK_FIELD', 'commentary :: must not be blank');
  }
}

function checkImages(state: State, caller: Caller, images: { urn: string }[]) {
  for (const { urn } of images.filter((each) => each.urn.startsWith('urn:li:image:'))) {
    const image = state.images.get(urn);
    if (!image) throw gatewayError(400, 'INVALID_URN_ID', `No media asset ${urn}`);
    if (image.owner !== caller.author) throw foreignMember();
    if (image.bytes) continue;
    if (image.expiresAt <= Date.now()) {
      throw gatewayError(400, 'EXPIRED_UPLOAD_URL', `The upload URL of ${urn} has expired`);
    }
    throw gatewayError(400, 'MEDIA_ASSET_WAITING_UPLOAD', `Media asset ${urn} is waiting for upload`);
  }
}

function checkDuplicate(state: State, caller: Caller, text: string) {
  const since = Date.now() - DUPLICATE_WINDOW_MS;
  const first = state.accepted.find(
    (each) => each.sub === caller.member.sub && each.at > since && each.text === text && text !== '',
  );
  if (!first) return;
  throw badRequest(422, `Content is a duplicate of ${first.urn}`, [
    { description: 'Duplicate post is detected', input: {}, code: 'DUPLICATE_POST' },
  ]);
}
