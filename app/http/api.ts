import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router';
import type { z } from 'zod';
import { requestIdContext } from '#app/context.ts';
import { type Db, db } from '#app/db/client.ts';
import { lacksSecondStep } from '#app/domain/accounts/second-step.ts';
import { type FoundSession, findSession, isOpen, isProved } from '#app/domain/accounts/sessions.ts';
import type { Actor } from '#app/domain/actor.ts';
import { noteUser, tellEvent } from '#app/domain/events.ts';
import { present } from '#app/domain/present.ts';
import { notFound, Refusal } from '#app/domain/refusal.ts';
import { handleOnce, idempotencyKey } from './answer-once.ts';
import { failure, toResponse } from './api-answers.ts';
import type { Says } from './api-says.ts';
import { readBody } from './body.ts';
import { METHOD_HEADER } from './front-server.ts';
import { inTurn, readInTurn, STRANGERS } from './in-turn.ts';
import { describeInvalid } from './invalid-input.ts';
import { limitAddress, limitToken } from './limit-calls.ts';
import { BODY_BYTES_MAX } from './limits.ts';
import { NO_JSON, readJsonText } from './read-json.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** `anybody`: signed in by a token, or without one. */
type Access = 'public' | 'anybody' | 'user' | 'admin';
type Asking<A extends Access, V> = A extends 'public' ? null : A extends 'anybody' ? V | null : V;
type Call<A extends Access, I> = {
  db: Db;
  /** Null only on endpoints that are not for users alone. */
  actor: Asking<A, Actor>;
  /** What the caller's token says, beside who it is. */
  session: Asking<A, FoundSession>;
  input: I;
  params: Record<string, string | undefined>;
  request: Request;
};
type Needs<A extends Access = Access, I = unknown> = {
  /** No token that may only read is for it, though it is a GET. */
  isMore?: boolean;
  /** A token that may only read may send it, though it is a POST: it looks itself at what is done. */
  isAny?: boolean;
  /** The password must have been entered just before. */
  isConfirmed?: boolean;
  /** Of its body. */
  mostBytes?: number;
  /** Who sends an Idempotency-Key gets its first answer again. */
  isOnce?: boolean;
  /** Counts the call, before it holds a connection to the database: what counts wants one of its own. */
  limit?: (call: Call<A, I>) => Promise<void>;
};
export type Endpoint = {
  access: Access;
  needs: Needs;
  input: z.ZodType | null;
  says: Says;
  handle: (call: Call<Access, unknown>) => Promise<Response>;
};

/**
 * One method of one API path. `input` is the body of POST and PUT, the query of GET and DELETE. `handle`
 * answers what goes out as JSON, as `says` has it, or a Response of its own (`accepted`).
 */
export function endpoint<A extends Access, R extends z.ZodType, S extends z.ZodType = z.ZodUnknown>(
  access: A,
  input: S | null,
  says: Says<R>,
  handle: (call: Call<A, z.output<S>>) => Promise<z.input<R> | Response>,
  needs: Needs<A, z.output<S>> = {},
): Endpoint {
  const answer = async (call: Call<Access, unknown>) => {
    const body = await handle(call as Call<A, z.output<S>>);
    return body instanceof Response ? body : Response.json(body, { status: says.status ?? 200 });
  };
  return { access, needs: needs as Needs, input, says, handle: answer };
}

export const accepted = (body: object): Response => Response.json(body, { status: 202 });

/** The bearer token of a request, or undefined. */
export function bearerToken(request: Request): string | undefined {
  return /^Bearer ([\w-]{20,200})$/i.exec(request.headers.get('Authorization') ?? '')?.[1];
}

const CONFIRM_FIRST =
  'Please confirm with your password first: POST /api/v1/account/confirm takes {"password"} with this token, or of who has none {"otp"}, as POST /api/v1/account/confirm/code mails it';

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

const unauthenticated = () => new Refusal(401, 'unauthenticated', 'Please sign in');

async function authenticate(request: Request, method: string, { access, needs }: Endpoint) {
  if (access === 'public' || (access === 'anybody' && !request.headers.has('Authorization'))) return null;
  const token = bearerToken(request);
  const now = present();
  const session = token ? await findSession(db(), token, 'api', now) : undefined;
  if (!session) {
    if (token) tellEvent('access_denied', { what: 'token' });
    throw unauthenticated();
  }
  noteUser(session.actor.userId);
  tellEvent('token_used', { tokenId: session.sessionId });
  if (session.scope === 'read' && !needs.isAny && (needs.isMore || !isRead(method))) {
    tellEvent('access_denied', { what: 'scope' });
    throw new Refusal(403, 'insufficient_scope', 'This token may only read');
  }
  if (access === 'admin' && !session.actor.isAdmin) {
    tellEvent('access_denied', { what: 'admin' });
    throw new Refusal(403, 'forbidden', 'This is for administrators');
  }
  if (access === 'admin' && (await lacksSecondStep(db(), session.actor))) {
    const message = 'Administrators sign in in two steps. Set up a second one on the page of your account.';
    throw new Refusal(403, 'second_step_missing', message);
  }
  if (needs.isConfirmed && !isProved(session, now)) {
    throw new Refusal(403, 'confirm_required', CONFIRM_FIRST);
  }
  return session;
}

async function readJson(request: Request, mostBytes = BODY_BYTES_MAX): Promise<unknown> {
  const text = (await readBody(request, mostBytes))?.toString('utf8');
  if (text === undefined) throw failure(413, 'too_large', `The body is over ${mostBytes / 1024} KiB`);
  if (text === '') return {};
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw failure(415, 'unsupported_media_type', 'Send JSON');
  try {
    return readJsonText(text);
  } catch {
    throw failure(400, 'malformed', NO_JSON);
  }
}

function parse(schema: z.ZodType | null, raw: unknown): unknown {
  if (!schema) return raw;
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const { message, fields } = describeInvalid(result.error);
  throw new Refusal(422, 'invalid', message, { extra: { fields } });
}

/** The body of a call that takes secrets with a method whose input is the query. */
export async function bodyOf<S extends z.ZodType>(request: Request, schema: S): Promise<z.output<S>> {
  return parse(schema, await readJson(request)) as z.output<S>;
}

/** The methods of a path, HEAD beside GET. */
function allowedOf(endpoints: Endpoints) {
  const methods = Object.keys(endpoints).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return { Allow: methods.join(', ') };
}

/** Postgres text can't hold U+0000, so nothing has such an id. */
function refuseNul(params: Record<string, string | undefined>): void {
  if (Object.values(params).some((value) => value?.includes('\0'))) throw notFound('This');
}

export type Endpoints = Partial<Record<Method, Endpoint>>;

/**
 * The handler of the API paths of a feature, exported as both `loader` and `action`. The keys are the paths as
 * routes.ts has them, below /api/v1. Accepts only the bearer header, never the cookie. Failures are
 * `{message, code, fields?}`; an unknown method is 405 with Allow.
 */
export function apiRoutes(paths: Record<`/${string}`, Endpoints>) {
  const handler = ({ pattern, ...call }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> => {
    const endpoints = paths[pattern.replace(/^\/?(?:api\/v1\/)?/, '/') as keyof typeof paths];
    if (!endpoints) throw new Error(`routes.ts has ${pattern}, but its file has no such call`);
    return answer(endpoints, call);
  };
  return Object.assign(handler, { paths });
}

type Asked = Pick<LoaderFunctionArgs | ActionFunctionArgs, 'request' | 'params' | 'context'>;

async function answer(endpoints: Endpoints, { request, params, context }: Asked): Promise<Response> {
  const method = request.headers.get(METHOD_HEADER) ?? request.method;
  const requestId = context.get(requestIdContext);
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: allowedOf(endpoints) });
  const found = endpoints[(method === 'HEAD' ? 'GET' : method) as Method];
  if (!found) {
    const message = `Use ${Object.keys(endpoints).join(', ')}`;
    return failure(405, 'method_not_allowed', message, {}, allowedOf(endpoints));
  }
  try {
    const kind = isRead(method) ? 'read' : 'write';
    await limitAddress(request, kind);
    const session = await authenticate(request, method, found);
    if (session) await limitToken(session.sessionId, kind);
    const actor = session?.actor ?? null;
    refuseNul(params);
    const isBody = method === 'POST' || method === 'PUT';
    const raw = isBody
      ? await readJson(request, found.needs.mostBytes)
      : Object.fromEntries(new URL(request.url).searchParams);
    const call = { db: db(), actor, session, input: parse(found.input, raw), params, request };
    const key = found.needs.isOnce ? idempotencyKey(request) : undefined;
    const asked = { request, userId: actor?.userId ?? null, method, body: call.input };
    const handle = async () => {
      await found.needs.limit?.(call);
      if (!key) return found.handle(call);
      const once = () =>
        handleOnce({ ...asked, key }, requestId, (trx) => found.handle({ ...call, db: trx }));
      // It holds a connection for as long as all of it takes, the hash of a password as well.
      return session ? once() : inTurn(STRANGERS, request.signal, once);
    };
    if (!session) return await handle();
    if (isRead(method)) return await readInTurn(session.actor.userId, request.signal, handle);
    return await inTurn(session.actor.userId, request.signal, async () => {
      // Who sends the body decides how long that takes.
      if (!(await isOpen(db(), session.sessionId))) throw unauthenticated();
      return handle();
    });
  } catch (error) {
    return toResponse(error, requestId, request);
  }
}
