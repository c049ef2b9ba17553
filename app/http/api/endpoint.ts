import { visit } from 'jsonc-parser';
import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router';
import type { z } from 'zod';
import { requestIdContext } from '#app/context.ts';
import { type Db, db, type Trx } from '#app/db/client.ts';
import {
  type FoundSession,
  findSession,
  isRecentlyAuthenticated,
  isSessionOpen,
} from '#app/domain/accounts/sign-in/sessions.ts';
import { lacksSecondStep } from '#app/domain/accounts/two-step/verify.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent, setEventUser } from '#app/domain/platform/events.ts';
import { runIdempotently, type StoredResponse } from '#app/domain/platform/idempotency-keys.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { clientNetwork } from '#app/http/client-ip.ts';
import { readBody } from '#app/http/forms/read-body.ts';
import { BODY_BYTES_MAX, IDEMPOTENCY_KEY_MAX } from '#app/http/limits.ts';
import { type AddressKind, limitAddress, limitToken } from '#app/http/rate-limit.ts';
import { METHOD_HEADER } from '#app/http/server/front-server.ts';
import { ANONYMOUS, queueCall, queueChange } from '#app/http/server/per-user-concurrency.ts';
import { failure, toResponse } from './responses.ts';
import { validationMessage } from './validation-messages.ts';

const NOT_JSON = 'The body is not valid JSON, or names a field twice';

/** Whether an object in a JSON text has a key twice. Parsers disagree on which of the two counts. */
function hasDuplicateKey(text: string): boolean {
  const objects: Set<string>[] = [];
  let hasDuplicate = false;
  visit(
    text,
    {
      onObjectBegin: () => void objects.push(new Set()),
      onObjectProperty: (key) => {
        hasDuplicate ||= objects.at(-1)!.has(key);
        objects.at(-1)!.add(key);
      },
      onObjectEnd: () => void objects.pop(),
    },
    { disallowComments: true },
  );
  return hasDuplicate;
}

function idempotencyKey({ headers }: Request): string | undefined {
  const key = headers.get('Idempotency-Key');
  if (key === null) return undefined;
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= IDEMPOTENCY_KEY_MAX) return key;
  const message = `An Idempotency-Key has 1 to ${IDEMPOTENCY_KEY_MAX} visible characters`;
  throw new Refusal(400, 'malformed', message);
}

type IdempotentCall = { request: Request; userId: string | null; method: string; body: unknown; key: string };

/**
 * Runs `handle` in a transaction and stores its response, also that of a Refusal. For a key that was used before, returns
 * the stored response instead.
 */
async function handleIdempotently(
  { request, userId, method, body, key }: IdempotentCall,
  requestId: string,
  handle: (trx: Trx) => Promise<Response>,
): Promise<Response> {
  let first: Response | undefined;
  const run = async (trx: Trx): Promise<StoredResponse> => {
    first = await handle(trx).catch((error) => {
      if (error instanceof Refusal) return toResponse(error, requestId, request);
      throw error;
    });
    return { status: first.status, text: await first.clone().text() };
  };
  const call = `${method} ${new URL(request.url).pathname}`;
  const keyed = { userId, network: clientNetwork(request), call, key, body };
  const { status, text, isReplayed } = await runIdempotently(db(), keyed, databaseNow(), run);
  if (!isReplayed && first) return first;
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Replayed': 'true' };
  return new Response(text, { status, headers });
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** `public` ignores tokens, `anybody` accepts one, `user` and `admin` require one. */
type Access = 'public' | 'anybody' | 'user' | 'admin';
type IfSignedIn<A extends Access, V> = A extends 'public' ? null : A extends 'anybody' ? V | null : V;
type Call<A extends Access, I> = {
  db: Db;
  /** Null for `public`, and for `anybody` when the request has no token. */
  actor: IfSignedIn<A, Actor>;
  /** The session of the token. */
  session: IfSignedIn<A, FoundSession>;
  input: I;
  params: Record<string, string | undefined>;
  request: Request;
};

/** One method of one path: what the OpenAPI document says about it, what it requires, and what it does. */
type Definition<A extends Access, I extends z.ZodType, R extends z.ZodType> = {
  /** A sentence for the OpenAPI document. */
  summary: string;
  access: A;
  /** Validates the body of POST and PUT, or the query of GET and DELETE. */
  input?: I;
  /** For a DELETE: the input is in the body. It holds a secret, and query strings end up in logs. */
  hasBody?: boolean;
  /** An example of a body for the OpenAPI document. */
  example?: object;
  /** The scope that the token needs: by default `read` for GET and `write` for the others. */
  scope?: 'read' | 'write';
  /** The user must have confirmed their password, or an emailed code, a few minutes before. */
  requiresRecentAuth?: boolean;
  /** Accepts an `Idempotency-Key`: a repeated request gets the first response again. */
  isIdempotent?: boolean;
  maxBodyBytes?: number;
  /** Counts the call against another rate limit. Runs before `handle`, outside its transaction. */
  limit?: (call: Call<A, z.output<I>>) => Promise<void>;
  /** The limit for the client's address: by default `read` or `write`, by method. */
  addressLimit?: AddressKind;
  /** The status of success: 200 by default. */
  status?: 201 | 202;
  /** The schema of the body of success. */
  response: R;
  /** The media type of success when it is a file, such as `image/*`. Then `response` is not documented. */
  mediaType?: string;
  /** Returns the body of success, or a whole Response, such as `accepted`. */
  handle: (call: Call<A, z.output<I>>) => Promise<z.input<R> | Response>;
};
export type Endpoint = Definition<Access, z.ZodType, z.ZodType>;
type Endpoints = Partial<Record<Method, Endpoint>>;
/** API calls by their path as in routes.ts, but without `/api/v1`. */
export type Calls = Record<`/${string}`, Endpoints>;

/** Declares a call. The types of `handle` and `limit` follow from its access, input and response. */
export function endpoint<A extends Access, R extends z.ZodType, I extends z.ZodType = z.ZodUnknown>(
  definition: Definition<A, I, R>,
): Endpoint {
  return definition as unknown as Endpoint;
}

/** Whether the input is the body rather than the query. */
export const takesBody = (method: string, { hasBody }: Endpoint) =>
  method === 'POST' || method === 'PUT' || hasBody === true;

/** A 202 response: the call has been accepted, and a worker does the rest. */
export const accepted = (body: object): Response => Response.json(body, { status: 202 });

async function respond(endpoint: Endpoint, call: Call<Access, unknown>): Promise<Response> {
  const body = await endpoint.handle(call);
  return body instanceof Response ? body : Response.json(body, { status: endpoint.status ?? 200 });
}

export function bearerToken(request: Request): string | undefined {
  return /^Bearer ([\w-]{20,200})$/i.exec(request.headers.get('Authorization') ?? '')?.[1];
}

const CONFIRM_REQUIRED =
  'Please confirm with your password first: POST /api/v1/account/confirm takes {"password"} with this token, or of who has none {"otp"}, as POST /api/v1/account/confirm/code mails it';

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

const unauthenticated = () => new Refusal(401, 'unauthenticated', 'Please sign in');

async function authenticate(request: Request, method: string, endpoint: Endpoint) {
  const { access, requiresRecentAuth, scope = isRead(method) ? 'read' : 'write' } = endpoint;
  if (access === 'public' || (access === 'anybody' && !request.headers.has('Authorization'))) return null;
  const token = bearerToken(request);
  const now = databaseNow();
  const session = token ? await findSession(db(), token, 'api', now) : undefined;
  if (!session) {
    if (token) emitEvent('access_denied', { what: 'token' });
    throw unauthenticated();
  }
  setEventUser(session.actor.userId);
  emitEvent('token_used', { tokenId: session.sessionId });
  if (session.scope === 'read' && scope === 'write') {
    emitEvent('access_denied', { what: 'scope' });
    throw new Refusal(403, 'insufficient_scope', 'This token may only read');
  }
  if (access === 'admin' && !session.actor.isAdmin) {
    emitEvent('access_denied', { what: 'admin' });
    throw new Refusal(403, 'forbidden', 'This is for administrators');
  }
  if (access === 'admin' && (await lacksSecondStep(db(), session.actor))) {
    const message = 'Administrators sign in in two steps. Set up a second one on the page of your account.';
    throw new Refusal(403, 'second_step_missing', message);
  }
  if (requiresRecentAuth && !isRecentlyAuthenticated(session, now)) {
    throw new Refusal(403, 'confirm_required', CONFIRM_REQUIRED);
  }
  return session;
}

async function readJson(request: Request, maxBytes = BODY_BYTES_MAX): Promise<unknown> {
  const text = (await readBody(request, maxBytes))?.toString('utf8');
  if (text === undefined) throw failure(413, 'too_large', `The body is over ${maxBytes / 1024} KiB`);
  if (text === '') return {};
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw failure(415, 'unsupported_media_type', 'Send JSON');
  try {
    const value: unknown = JSON.parse(text);
    if (!hasDuplicateKey(text)) return value;
  } catch {
    // A SyntaxError, or a RangeError when the nesting is too deep.
  }
  throw failure(400, 'malformed', NOT_JSON);
}

function parse(schema: z.ZodType | undefined, raw: unknown): unknown {
  if (!schema) return raw;
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const { message, fields } = validationMessage(result.error);
  throw new Refusal(422, 'invalid', message, { extra: { fields } });
}

function allowHeader(endpoints: Endpoints) {
  const methods = Object.keys(endpoints).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return { Allow: methods.join(', ') };
}

/** Postgres text cannot contain U+0000, so no row has such an id. */
function refuseNul(params: Record<string, string | undefined>): void {
  if (Object.values(params).some((value) => value?.includes('\0'))) throw notFound('This');
}

/**
 * Returns the `loader` and `action` of a route module that serves API calls. Callers are authenticated by the bearer
 * header, never by the cookie. Failures are `{message, code, fields?}`. An unknown path is 404, and an unknown method
 * is 405 with Allow.
 */
export function apiHandler(calls: Calls) {
  return async ({ pattern, ...request }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> => {
    const endpoints = calls[pattern.replace(/^\/?(?:api\/v1\/)?/, '/') as keyof Calls];
    return endpoints ? dispatch(endpoints, request) : failure(404, 'not_found', 'There is no such call');
  };
}

type RouteArgs = Pick<LoaderFunctionArgs | ActionFunctionArgs, 'request' | 'params' | 'context'>;

async function dispatch(endpoints: Endpoints, { request, params, context }: RouteArgs): Promise<Response> {
  const method = request.headers.get(METHOD_HEADER) ?? request.method;
  const requestId = context.get(requestIdContext);
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: allowHeader(endpoints) });
  const endpoint = endpoints[(method === 'HEAD' ? 'GET' : method) as Method];
  if (!endpoint) {
    const message = `Use ${Object.keys(endpoints).join(', ')}`;
    return failure(405, 'method_not_allowed', message, {}, allowHeader(endpoints));
  }
  try {
    const kind = isRead(method) ? 'read' : 'write';
    await limitAddress(request, endpoint.addressLimit ?? kind);
    const session = await authenticate(request, method, endpoint);
    if (session) await limitToken(session.sessionId, kind);
    const actor = session?.actor ?? null;
    refuseNul(params);
    const raw = takesBody(method, endpoint)
      ? await readJson(request, endpoint.maxBodyBytes)
      : Object.fromEntries(new URL(request.url).searchParams);
    const call = { db: db(), actor, session, input: parse(endpoint.input, raw), params, request };
    const key = endpoint.isIdempotent ? idempotencyKey(request) : undefined;
    const handle = async () => {
      await endpoint.limit?.(call);
      if (!key) return respond(endpoint, call);
      const idempotent = { request, userId: actor?.userId ?? null, method, body: call.input, key };
      const run = () =>
        handleIdempotently(idempotent, requestId, (trx) => respond(endpoint, { ...call, db: trx }));
      // It holds a database connection until it ends, also while it hashes a password.
      return session ? run() : queueChange(ANONYMOUS, request.signal, run);
    };
    if (!session) return await handle();
    if (isRead(method)) return await queueCall(session.actor.userId, request.signal, handle);
    return await queueChange(session.actor.userId, request.signal, async () => {
      // The session may have ended since: the client decides how long its body takes to arrive.
      if (!(await isSessionOpen(db(), session.sessionId))) throw unauthenticated();
      return handle();
    });
  } catch (error) {
    return toResponse(error, requestId, request);
  }
}
