import { Answer, type Exchange } from '#sandbox/server/http.ts';
import { accessDenied, foreignMember, gatewayError, inactiveVersion } from './rest.ts';
import { REFUSED_TOKEN } from './tokens.ts';
import type { Door, Trouble } from './troubles.ts';

/** The resource and method LinkedIn names when a permission is missing. */
const RESOURCES: Record<Door, string> = {
  create: 'partnerApiPostsExternal.CREATE',
  initialize: 'partnerApiImages.ACTION-initializeUpload',
  upload: '',
  delete: 'partnerApiPostsExternal.DELETE',
  edit: 'partnerApiPostsExternal.PARTIAL_UPDATE',
  userinfo: 'userinfo.GET',
  token: '',
};

export function htmlPage(title: string): string {
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
}

/** The 429 of a limit: nothing but its words says how long it lasts. */
export function throttled(limit: string, headers: Record<string, string> = {}): Answer {
  const message = `Resource level throttle ${limit} limit for calls to this resource is reached.`;
  const body = { status: 429, serviceErrorCode: 101, code: 'TOO_MANY_REQUESTS', message };
  return new Answer(429, body, headers);
}

export function badRequest(status: number, message: string, inputError: object): Answer {
  return new Answer(status, {
    errorDetailType: 'com.linkedin.common.error.BadRequest',
    message: `com.linkedin.content.common.exception.BadRequestResponseException: ${message}`,
    errorDetails: { inputErrors: [inputError] },
    status,
  });
}

export function duplicateOf(urn: string): Answer {
  const error = { description: 'Duplicate post is detected', input: {}, code: 'DUPLICATE_POST' };
  return badRequest(422, `Content is a duplicate of ${urn}`, error);
}

const oauth = (status: number, error: string, error_description: string) =>
  new Answer(status, { error, error_description });

type Scene = { call: Exchange; door: Door; lastUrn?: string | undefined };

/** Answers every door gives, by trouble. */
const ANSWERS: Partial<Record<Trouble, (scene: Scene, version: string) => Answer>> = {
  '302': ({ call }) => {
    const location = `http://localhost:${call.req.socket.localPort}/linkedin-followed`;
    return new Answer(302, undefined, { location });
  },
  '400-client-id': () => oauth(400, 'invalid_client_id', 'The passed in client_id is invalid'),
  '400-grant': () =>
    oauth(
      400,
      'invalid_request',
      'The provided authorization grant or refresh token is invalid, expired or revoked',
    ),
  '401-client': () => oauth(401, 'invalid_client', 'Client authentication failed'),
  '401-invalid': () => new Answer(401, REFUSED_TOKEN.invalid),
  '401-revoked': () => new Answer(401, REFUSED_TOKEN.revoked),
  '401-expired': () => new Answer(401, REFUSED_TOKEN.expired),
  '403-empty': () => foreignMember(),
  '403-scope': ({ door }, version) =>
    accessDenied(RESOURCES[door], door === 'userinfo' ? 'NO_VERSION' : version),
  '404': () => gatewayError(404, 'NOT_FOUND', 'Not found'),
  '409': () => gatewayError(409, 'CONFLICT', 'Concurrent modification'),
  '422': () =>
    new Answer(422, {
      message: 'ERROR :: /visibility :: field is required but not found and has no default value\n',
      status: 422,
    }),
  '422-duplicate': ({ lastUrn }) => duplicateOf(lastUrn ?? 'urn:li:share:7000000000000000000'),
  '426': (_, version) => inactiveVersion(version),
  '429': () => throttled('APPLICATION_AND_MEMBER MINUTE'),
  '429-retry-1': () => throttled('APPLICATION_AND_MEMBER MINUTE', { 'retry-after': '1' }),
  '429-retry-60': () => throttled('APPLICATION_AND_MEMBER MINUTE', { 'retry-after': '60' }),
  '429-day': () => throttled('APPLICATION_AND_MEMBER DAY'),
  '429-app-day': () => throttled('APPLICATION DAY'),
  '500-before': () => new Answer(500, { message: 'Internal Server Error', status: 500 }),
  '500-after': () => new Answer(500, { message: 'Internal Server Error', status: 500 }),
  '503': () => new Answer(503, { message: 'Service Unavailable', status: 503 }),
  'html-502': () => new Answer(502, htmlPage('Bad Gateway')),
};

/** What LinkedIn says in a trouble, or undefined when it lies in how the answer comes, or in none coming. */
export function refusalOf(trouble: Trouble, scene: Scene): Answer | undefined {
  if (scene.door === 'upload' && /^\d{3}$/.test(trouble) && trouble !== '302') {
    return new Answer(Number(trouble), htmlPage(`Error ${trouble}`));
  }
  const version = String(scene.call.req.headers['linkedin-version'] ?? '');
  const make = ANSWERS[trouble];
  if (make) return make(scene, version);
  return /^4\d\d$/.test(trouble) ? gatewayError(Number(trouble), 'ACCESS_DENIED', 'Refused') : undefined;
}
