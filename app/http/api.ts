import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router';
import { z } from 'zod';
import { requestIdContext } from '#app/context.ts';
import { type Db, db, isDatabaseAway } from '#app/db/client.ts';
import { findSession } from '#app/domain/accounts/sessions.ts';
import type { Actor } from '#app/domain/actor.ts';
import { notFound, Refusal } from '#app/domain/refusal.ts';
import { logger } from '#app/log.ts';
import { ASKED_METHOD } from './asked-method.ts';
import { readBody } from './body.ts';
import { inTurn } from './in-turn.ts';
import { AWAY_SECONDS, BODY_BYTES_MAX, IDEMPOTENCY_KEY_MAX } from './limits.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Access = 'public' | 'user' | 'admin';
type Call<A extends Access, I> = {
  db: Db;
  /** Null only on public endpoints. */
  actor: A extends 'public' ? null : Actor;
  input: I;
  params: Record<string, string | undefined>;
  request: Request;
};
type Endpoint = {
  access: Access;
  input: z.ZodType;
  handle: (call: Call<Access, unknown>) => Promise<Response>;
};

/**
 * One method of one API path. `input` is the body of POST and PUT, the query of GET and DELETE. `handle`
 * answers what goes out as JSON, or a Response of its own (`created`).
 */
export function endpoint<A extends Access, S extends z.ZodType = z.ZodUnknown>(
  access: A,
  input: S | null,
  handle: (call: Call<A, z.output<S>>) => Promise<object>,
): Endpoint {
  const answer = async (call: Call<Access, unknown>) => {
    const body = await handle(call as Call<A, z.output<S>>);
    return body instanceof Response ? body : Response.json(body);
  };
  return { access, input: input ?? z.unknown(), handle: answer };
}

export const created = (body: object) => Response.json(body, { status: 201 });
export const accepted = (body: object) => Response.json(body, { status: 202 });

/** The bearer token of a request, or undefined. */
export function bearerToken(request: Request): string | undefined {
  return /^Bearer ([\w-]{20,200})$/i.exec(request.headers.get('Authorization') ?? '')?.[1];
}

/** What a caller calls a request that it may send again; undefined when it does not say. */
export function idempotencyKey({ headers }: Request): string | undefined {
  const key = headers.get('Idempotency-Key');
  if (key === null) return undefined;
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= IDEMPOTENCY_KEY_MAX) return key;
  const message = `An Idempotency-Key has 1 to ${IDEMPOTENCY_KEY_MAX} visible characters`;
  throw new Refusal(400, 'malformed', message);
}

async function authenticate(request: Request, access: Access): Promise<Actor | null> {
  if (access === 'public') return null;
  const token = bearerToken(request);
  const session = token ? await findSession(db(), token, 'api') : undefined;
  if (!session) throw new Refusal(401, 'unauthenticated', 'Please sign in');
  if (access === 'admin' && !session.actor.isAdmin) {
    throw new Refusal(403, 'forbidden', 'This is for administrators');
  }
  return session.actor;
}

async function readJson(request: Request): Promise<unknown> {
  const text = (await readBody(request, BODY_BYTES_MAX))?.toString('utf8');
  if (text === undefined) throw failure(413, 'too_large', 'The body is over 64 KiB');
  if (text === '') return {};
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw failure(415, 'unsupported_media_type', 'Send JSON');
  try {
    return JSON.parse(text);
  } catch {
    throw failure(400, 'malformed', 'The body is not valid JSON');
  }
}

function parse(schema: z.ZodType, raw: unknown): unknown {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const { fieldErrors, formErrors } = z.flattenError(result.error) as z.core.$ZodFlattenedError<
    Record<string, unknown>
  >;
  const first = Object.values(fieldErrors).flat()[0] ?? formErrors[0] ?? 'The input is not valid';
  const fields = Object.entries(fieldErrors).map(([name, said]) => [name, [...new Set(said)]]);
  throw new Refusal(422, 'invalid', first, { extra: { fields: Object.fromEntries(fields) } });
}

function failure(
  status: number,
  code: string,
  message: string,
  extra: object = {},
  headers: HeadersInit = {},
) {
  return Response.json({ message, code, ...extra }, { status, headers });
}

function toResponse(error: unknown, requestId: string, { signal }: Request): Response {
  if (error instanceof Response) return error;
  if (error instanceof Refusal) {
    const fields = error.field ? { fields: { [error.field]: [error.message] } } : {};
    const headers: HeadersInit = error.retryAfter ? { 'Retry-After': String(error.retryAfter) } : {};
    return failure(error.status, error.code, error.message, { ...fields, ...error.extra }, headers);
  }
  // Who has gone away hears no answer, and it is no failure of ours.
  if (!signal.aborted) logger().error({ err: error, requestId }, 'api request failed');
  const sentence = 'Something went wrong on our side';
  if (!isDatabaseAway(error)) return failure(500, 'internal', sentence, { requestId });
  return failure(503, 'unavailable', sentence, { requestId }, { 'Retry-After': String(AWAY_SECONDS) });
}

/** The methods of a path, HEAD beside GET. */
const allowedOf = (endpoints: Endpoints) =>
  Object.keys(endpoints).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));

/** Postgres text can't hold U+0000, so nothing has such an id. */
function refuseNul(params: Record<string, string | undefined>): void {
  if (Object.values(params).some((value) => value?.includes('\0'))) throw notFound('This');
}

type Endpoints = Partial<Record<Method, Endpoint>>;

/**
 * The handler of the API paths of a feature, exported as both `loader` and `action`. The keys are the paths as
 * routes.ts has them, below /api/v1. Accepts only the bearer header, never the cookie. Failures are
 * `{message, code, fields?}`; an unknown method is 405 with Allow.
 */
export function apiRoutes(paths: Record<`/${string}`, Endpoints>) {
  return ({ pattern, ...call }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> => {
    const endpoints = paths[pattern.replace(/^\/?api\/v1/, '') as keyof typeof paths];
    if (!endpoints) throw new Error(`routes.ts has ${pattern}, but its file has no such call`);
    return answer(endpoints, call);
  };
}

type Asked = Pick<LoaderFunctionArgs | ActionFunctionArgs, 'request' | 'params' | 'context'>;

async function answer(endpoints: Endpoints, { request, params, context }: Asked): Promise<Response> {
  const Allow = allowedOf(endpoints).join(', ');
  const method = request.headers.get(ASKED_METHOD) ?? request.method;
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow } });
  const found = endpoints[(method === 'HEAD' ? 'GET' : method) as Method];
  if (!found) {
    const message = `Use ${Object.keys(endpoints).join(', ')}`;
    return failure(405, 'method_not_allowed', message, {}, { Allow });
  }
  try {
    const actor = await authenticate(request, found.access);
    refuseNul(params);
    const isBody = method === 'POST' || method === 'PUT';
    const raw = isBody ? await readJson(request) : Object.fromEntries(new URL(request.url).searchParams);
    const call = { db: db(), actor, input: parse(found.input, raw), params, request };
    const isChange = actor !== null && method !== 'GET' && method !== 'HEAD';
    return await (isChange
      ? inTurn(actor.userId, request.signal, () => found.handle(call))
      : found.handle(call));
  } catch (error) {
    return toResponse(error, context.get(requestIdContext), request);
  }
}
