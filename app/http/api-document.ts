import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { env } from '#app/env.ts';
import type { Endpoint, Endpoints, Method } from './api.ts';
import type { Says } from './api-says.ts';
import { IDEMPOTENCY_KEY_MAX } from './limits.ts';

const Failure = z
  .object({
    message: z.string().meta({ description: 'A sentence for people' }),
    code: z.string().meta({ description: 'Stable, for programs', example: 'not_found' }),
    fields: z.record(z.string(), z.array(z.string())).optional(),
    requestId: z.string().optional(),
    verified: z.boolean().optional(),
    email: z.string().optional(),
  })
  .meta({ id: 'Failure', description: 'What every call answers that did not do what was asked' });

/** What a status means, of those that are no success. */
const STATUSES = {
  400: 'Malformed: the body is no JSON, or a value cannot be',
  401: 'No token, one that is over, or not the right password',
  402: 'This takes a plan',
  403: 'Not with this token: it may only read, its owner is no admin, or the password has to be confirmed first',
  404: 'There is no such thing, or it belongs to somebody else',
  409: 'Not in the state in which things are',
  413: 'The body is too large',
  415: 'The body is not sent as JSON',
  422: 'A value is not valid: `fields` says which',
  429: 'Too many calls: `Retry-After` says for how many seconds to wait',
  500: 'A fault of ours',
  502: 'LinkedIn, or the writer, could not do it',
  503: 'Not now: `Retry-After` says when to ask again',
} as const;
type Status = keyof typeof STATUSES;

const BODY: Status[] = [413, 415];
const hasBody = (method: Method, { says }: Endpoint) =>
  method === 'POST' || method === 'PUT' || says.body !== undefined;

function failuresOf(path: string, method: Method, call: Endpoint): Status[] {
  const isRead = method === 'GET';
  return [
    400,
    ...(call.access === 'public' && isRead ? [] : ([401, 403] as const)),
    ...(isRead ? [] : ([402, 409, 502] as const)),
    ...(path.includes(':') || !isRead ? ([404] as const) : []),
    ...(hasBody(method, call) ? BODY : []),
    ...(call.input || call.says.body || !isRead ? ([422] as const) : []),
    ...([429, 500, 503] as const),
  ];
}

const nameOf = (path: string, method: Method) =>
  `${method.toLowerCase()}${path.replaceAll(/(?:^|[/:-]+)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

const KEY = z.string().max(IDEMPOTENCY_KEY_MAX).optional().meta({
  description: 'Visible characters. For a day the same call with it is answered as the first time',
});

const VERB = z.enum(['publish', 'approve', 'retry', 'again']);

function parametersOf(path: string, method: Method, call: Endpoint) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const params = Object.fromEntries(names.map((name) => [name, name === 'verb' ? VERB : z.string()]));
  return {
    ...(names.length > 0 && { path: z.object(params) }),
    ...(call.input && !hasBody(method, call) && { query: call.input as z.ZodObject }),
    ...(call.needs.isOnce && { header: z.object({ 'Idempotency-Key': KEY }) }),
  };
}

const TOKEN: Record<string, string[]>[] = [{ token: [] }];
const SECURITY = { public: [], anybody: [{}, ...TOKEN], user: TOKEN, admin: TOKEN };

const contentOf = ({ media, answers }: Says) =>
  media ? { [media]: {} } : { 'application/json': { schema: answers } };

function operationOf(path: string, method: Method, call: Endpoint): ZodOpenApiOperationObject {
  const { says, access, needs } = call;
  const body = says.body ?? (hasBody(method, call) ? call.input : null);
  const statuses = failuresOf(path, method, call);
  const isConfirmed = needs.isConfirmed ? ' The password must have been confirmed just before.' : '';
  return {
    operationId: nameOf(path, method),
    tags: [path.split('/')[1]!],
    summary: says.does,
    description: `${access === 'admin' ? 'For administrators.' : ''}${isConfirmed}`.trim() || says.does,
    security: SECURITY[access],
    requestParams: parametersOf(path, method, call),
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: { 'application/json': { schema: body, ...(says.sends && { example: says.sends }) } },
      },
    }),
    responses: {
      [says.status ?? 200]: { description: 'Done', content: contentOf(says) },
      ...(path.endsWith(':verb') && { 202: { description: 'A worker does it', content: contentOf(says) } }),
      ...Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }])),
    },
  };
}

/**
 * The OpenAPI 3.1 document of the API, made from the schemas that check what comes in.
 *
 * @param calls The paths as routes.ts has them, below /api/v1, with their methods.
 */
export function documentOf(calls: Record<string, Endpoints>) {
  const paths: ZodOpenApiPathsObject = {};
  for (const [path, endpoints] of Object.entries(calls)) {
    const item = Object.entries(endpoints).map(([method, call]) => [
      method.toLowerCase(),
      operationOf(path, method as Method, call),
    ]);
    paths[path.replaceAll(/:(\w+)/g, '{$1}')] = Object.fromEntries(item);
  }
  const failures = Object.entries(STATUSES).map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: Failure } } },
  ]);
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Tidepost',
      version: '1',
      description: 'Topics, posts, times and plans of one account, by a token of its page.',
    },
    servers: [{ url: `${env().APP_URL}/api/v1` }],
    paths,
    components: {
      responses: Object.fromEntries(failures),
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  });
}
