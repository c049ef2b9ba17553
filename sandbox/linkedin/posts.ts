import { type Exchange, isObject, pause, sendEmpty, ThrownResponse } from '#sandbox/server/http.ts';
import { drawLatency } from '#sandbox/server/latency.ts';
import { type Success, sendFailure, statusOnWire } from '#sandbox/server/wire-troubles.ts';
import type { Attempt, Post, State } from '#sandbox/state.ts';
import { mediaOf } from './content-schema.ts';
import { delayIfSlow, takeFailure } from './doors.ts';
import { checkMedia } from './images.ts';
import { parseLittleText } from './little-text.ts';
import { mediaRefusal } from './post-faults.ts';
import { schemaErrors } from './post-schema.ts';
import { countCreate } from './quota.ts';
import { badRequest, duplicateOf, refusalOf, throttled } from './refusals.ts';
import { accessDenied, type Caller, foreignMember, gatewayError, requireCaller, restBody } from './rest.ts';
import { type Failure, isAfterWork } from './troubles.ts';

const DUPLICATE_WINDOW_MS = 10 * 60_000;
const MAX_LENGTH = 3000;

/**
 * POST /rest/posts. Every call is recorded in the ledger before its response is sent, so a test finds the attempt there
 * when its call has ended in any way.
 */
export async function createPost(state: State, call: Exchange, raw: string) {
  const { res } = call;
  const attempt = openAttempt(state, call, raw);
  const matchText = attempt.text ?? raw;
  await pause(res, drawLatency(state));
  const slow = await delayIfSlow(state, call, 'create', matchText);
  if (slow) attempt.fault = slow.kind;
  try {
    const media = attempt.imageUrn === null ? null : mediaRefusal(state, matchText);
    if (media) attempt.fault = media.kind;
    if (media) throw media.response;
    const taken = takeFailure(state, 'create', matchText);
    if (taken) attempt.fault = taken.fault.kind;
    const success = await accept(state, call, raw, attempt, taken?.failure ?? null);
    if (!taken) {
      attempt.status = success.status;
      return sendEmpty(res, success.status, success.headers);
    }
    attempt.status = statusOnWire(taken.failure, success);
    await sendFailure(res, taken.failure, success, taken.fault.delayMs);
  } catch (error) {
    if (error instanceof ThrownResponse) attempt.status = error.status;
    throw error;
  }
}

/** Stores the post unless the failure prevents it, and throws the error response of the failure. */
async function accept(
  state: State,
  call: Exchange,
  raw: string,
  attempt: Attempt,
  failure: Failure | null,
): Promise<Success> {
  const success: Success = { status: 201, headers: {} };
  if (!failure || isAfterWork(failure)) {
    const { urn } = acceptPost(state, call, raw, attempt);
    attempt.urn = urn;
    success.headers['x-restli-id'] = hasEncodedId(state) ? encodeURIComponent(urn) : urn;
  }
  const refusal =
    failure && refusalOf(failure, { call, endpoint: 'create', lastUrn: [...state.posts.keys()].at(-1) });
  if (refusal) throw refusal;
  return success;
}

/** LinkedIn sends ids with and without percent-encoding, so both kinds of urn get both forms here. */
function hasEncodedId(state: State): boolean {
  return state.postCounter % 4 >= 2;
}

function openAttempt(state: State, { req, res }: Exchange, raw: string): Attempt {
  const version = req.headers['linkedin-version'];
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
    imageUrn: mediaOf(body.content)[0]?.urn ?? null,
    uuid: String(res.getHeader('x-li-uuid')),
    requestId: String(res.getHeader('x-li-request-id')),
  };
  state.attempts.push(attempt);
  return attempt;
}

function acceptPost(state: State, call: Exchange, raw: string, attempt: Attempt): Post {
  const caller = requireCaller(state, call);
  const body = restBody(call, raw);
  checkBody(state, caller, body);
  const reshare = isObject(body.reshareContext) ? String(body.reshareContext.parent) : null;
  const media = mediaOf(body.content);
  checkText(attempt, isObject(body.content) || reshare !== null);
  checkMedia(state, caller.author, media);
  const text = attempt.text ?? '';
  checkDuplicate(state, caller, text);
  const { sub, name, headline } = caller.member;
  const at = new Date();
  const post: Post = {
    urn: nextUrn(state),
    sub,
    author: caller.author,
    name,
    headline,
    text,
    commentary: attempt.commentary ?? '',
    violation: attempt.violation,
    imageUrn: media[0]?.urn ?? null,
    altText: media[0]?.altText ?? null,
    visibility: String(body.visibility),
    parent: reshare,
    at: at.toISOString(),
    editedAt: null,
  };
  state.posts.set(post.urn, post);
  acceptedTexts(state, sub).push({ text, urn: post.urn, at: at.getTime() });
  return post;
}

/** Counts the create against the quota, then checks scope, schema and author. */
function checkBody(state: State, caller: Caller, body: Record<string, unknown>) {
  const limit = countCreate(state.quota, caller.token);
  if (limit) throw throttled(limit);
  if (!caller.token.scopes.includes('w_member_social')) {
    throw accessDenied('partnerApiPostsExternal.CREATE', caller.version);
  }
  const errors = schemaErrors(body);
  if (errors.length > 0) {
    throw new ThrownResponse(422, {
      message: errors.map((line) => `ERROR :: ${line}\n`).join(''),
      status: 422,
    });
  }
  if (body.author !== caller.author) throw foreignMember();
  if (body.lifecycleState !== 'PUBLISHED') {
    throw gatewayError(400, 'INVALID_VALUE_FOR_FIELD', 'lifecycleState DRAFT is not supported on create');
  }
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
    throw badRequest(400, message, {
      description: 'Size of array cannot be higher than the maxLength',
      input: { value: { stringValue: attempt.commentary } },
      code: 'FIELD_ARRAY_SIZE_TOO_HIGH',
      maxLength: MAX_LENGTH,
    });
  }
  if ((attempt.commentary ?? '').trim() === '' && !hasContent) {
    throw gatewayError(400, 'INVALID_VALUE_BLANK_FIELD', 'commentary :: must not be blank');
  }
}

function acceptedTexts(state: State, sub: string) {
  const texts = state.accepted.get(sub) ?? [];
  state.accepted.set(sub, texts);
  return texts;
}

function checkDuplicate(state: State, caller: Caller, text: string) {
  const since = Date.now() - DUPLICATE_WINDOW_MS;
  const first = acceptedTexts(state, caller.member.sub).find(
    (each) => each.at > since && each.text === text && text !== '',
  );
  if (first) throw duplicateOf(first.urn);
}
