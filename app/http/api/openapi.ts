import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { env } from '#app/env.ts';
import { IDEMPOTENCY_KEY_MAX } from '#app/http/limits.ts';
import { type Calls, type Endpoint, type Method, takesBody } from './endpoint.ts';

const Failure = z
  .object({
    message: z.string().meta({ description: 'A sentence for people' }),
    code: z.string().meta({ description: 'Stable, for programs', example: 'not_found' }),
    fields: z.record(z.string(), z.array(z.string())).optional(),
    requestId: z.string().optional(),
    verified: z.boolean().optional(),
    email: z.string().optional(),
  })
  .meta({ id: 'Failure', description: 'The body of every response that is not a success' });

const STATUSES = {
  400: 'Malformed: the body is not JSON, or a value is not possible',
  401: 'No token, an expired token, or a wrong password',
  402: 'This needs a plan',
  403: 'Not with this token: it may only read, its user is not an admin, or the password has to be confirmed first',
  404: 'Not found, or it belongs to another user',
  409: 'Not possible in the current state',
  413: 'The body is too large',
  415: 'The body is not sent as JSON',
  422: 'A value is not valid: `fields` says which',
  429: 'Too many requests: `Retry-After` says how many seconds to wait',
  500: 'An error on our side',
  502: 'LinkedIn or the writer failed',
  503: 'Unavailable: `Retry-After` says when to try again',
} as const;
type Status = keyof typeof STATUSES;

const BODY_STATUSES: Status[] = [413, 415];
function failuresOf(path: string, method: Method, call: Endpoint): Status[] {
  const isRead = method === 'GET';
  return [
    400,
    ...(call.access === 'public' && isRead ? [] : ([401, 403] as const)),
    ...(isRead ? [] : ([402, 409, 502] as const)),
    ...(path.includes(':') || !isRead ? ([404] as const) : []),
    ...(takesBody(method, call) ? BODY_STATUSES : []),
    ...(call.input || !isRead ? ([422] as const) : []),
    429,
    500,
    503,
  ];
}

const operationIdOf = (path: string, method: Method) =>
  `${method.toLowerCase()}${path.replaceAll(/(?:^|[/:-]+)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

const IDEMPOTENCY_KEY = z.string().max(IDEMPOTENCY_KEY_MAX).optional().meta({
  description: 'Visible characters. For a day, the same call with the same key gets the first response again',
});

const VERB = z.enum(['publish', 'approve', 'retry', 'again']);

function parametersOf(path: string, method: Method, call: Endpoint) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const params = Object.fromEntries(names.map((name) => [name, name === 'verb' ? VERB : z.string()]));
  return {
    ...(names.length > 0 && { path: z.object(params) }),
    ...(call.input && !takesBody(method, call) && { query: call.input as z.ZodObject }),
    ...(call.isIdempotent && { header: z.object({ 'Idempotency-Key': IDEMPOTENCY_KEY }) }),
  };
}

const TOKEN: Record<string, string[]>[] = [{ token: [] }];
const SECURITY = { public: [], anybody: [{}, ...TOKEN], user: TOKEN, admin: TOKEN };

const contentOf = ({ mediaType, response }: Endpoint) =>
  mediaType ? { [mediaType]: {} } : { 'application/json': { schema: response } };

function operationOf(path: string, method: Method, call: Endpoint): ZodOpenApiOperationObject {
  const { summary, access, example, requiresRecentAuth } = call;
  const body = takesBody(method, call) ? call.input : undefined;
  const statuses = failuresOf(path, method, call);
  const confirmation = requiresRecentAuth ? ' The password must be confirmed first.' : '';
  return {
    operationId: operationIdOf(path, method),
    tags: [path.split('/')[1]!],
    summary,
    description: `${access === 'admin' ? 'For administrators.' : ''}${confirmation}`.trim() || summary,
    security: SECURITY[access],
    requestParams: parametersOf(path, method, call),
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: { 'application/json': { schema: body, ...(example && { example }) } },
      },
    }),
    responses: {
      [call.status ?? 200]: { description: 'Done', content: contentOf(call) },
      ...(path.endsWith(':verb') && {
        202: { description: 'Accepted: a worker does it', content: contentOf(call) },
      }),
      ...Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }])),
    },
  };
}

/** Returns the OpenAPI 3.1 document of these calls. */
export function documentOf(calls: Calls) {
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
      description:
        'The topics, posts, schedule and plan of one account. Tokens are created on its account page.',
    },
    servers: [{ url: `${env().APP_URL}/api/v1` }],
    paths,
    components: {
      responses: Object.fromEntries(failures),
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  });
}
