import { type Exchange, ThrownResponse } from '#sandbox/server/http.ts';
import { accessDenied, foreignMember, gatewayError, inactiveVersion } from './rest.ts';
import { REFUSED_TOKEN } from './tokens.ts';
import type { Endpoint, Failure } from './troubles.ts';

/** Resource and method in LinkedIn's error for a missing permission. */
const RESOURCES: Record<Endpoint, string> = {
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

/** Only the message of LinkedIn's 429 tells how long the limit lasts. */
export function throttled(limit: string, headers: Record<string, string> = {}): ThrownResponse {
  const message = `Resource level throttle ${limit} limit for calls to this resource is reached.`;
  const body = { status: 429, serviceErrorCode: 101, code: 'TOO_MANY_REQUESTS', message };
  return new ThrownResponse(429, body, headers);
}

export function badRequest(status: number, message: string, inputError: object): ThrownResponse {
  return new ThrownResponse(status, {
    errorDetailType: 'com.linkedin.common.error.BadRequest',
    message: `com.linkedin.content.common.exception.BadRequestResponseException: ${message}`,
    errorDetails: { inputErrors: [inputError] },
    status,
  });
}

export function duplicateOf(urn: string): ThrownResponse {
  const error = { description: 'Duplicate post is detected', input: {}, code: 'DUPLICATE_POST' };
  return badRequest(422, `Content is a duplicate of ${urn}`, error);
}

const oauth = (status: number, error: string, error_description: string) =>
  new ThrownResponse(status, { error, error_description });

type FailureContext = { call: Exchange; endpoint: Endpoint; lastUrn?: string | undefined };

const RESPONSES: Partial<Record<Failure, (context: FailureContext, version: string) => ThrownResponse>> = {
  '302': ({ call }) => {
    const location = `http://localhost:${call.req.socket.localPort}/linkedin-followed`;
    return new ThrownResponse(302, undefined, { location });
  },
  '400-client-id': () => oauth(400, 'invalid_client_id', 'The passed in client_id is invalid'),
  '400-grant': () =>
    oauth(
      400,
      'invalid_request',
      'The provided authorization grant or refresh token is invalid, expired or revoked',
    ),
  '401-client': () => oauth(401, 'invalid_client', 'Client authentication failed'),
  '401-invalid': () => new ThrownResponse(401, REFUSED_TOKEN.invalid),
  '401-revoked': () => new ThrownResponse(401, REFUSED_TOKEN.revoked),
  '401-expired': () => new ThrownResponse(401, REFUSED_TOKEN.expired),
  '403-empty': () => foreignMember(),
  '403-scope': ({ endpoint }, version) =>
    accessDenied(RESOURCES[endpoint], endpoint === 'userinfo' ? 'NO_VERSION' : version),
  '404': () => gatewayError(404, 'NOT_FOUND', 'Not found'),
  '409': () => gatewayError(409, 'CONFLICT', 'Concurrent modification'),
  '422': () =>
    new ThrownResponse(422, {
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
  '500-before': () => new ThrownResponse(500, { message: 'Internal Server Error', status: 500 }),
  '500-after': () => new ThrownResponse(500, { message: 'Internal Server Error', status: 500 }),
  '503': () => new ThrownResponse(503, { message: 'Service Unavailable', status: 503 }),
  'html-502': () => new ThrownResponse(502, htmlPage('Bad Gateway')),
};

/** The error response of a failure; undefined for failures of the connection or the body. */
export function refusalOf(failure: Failure, context: FailureContext): ThrownResponse | undefined {
  if (context.endpoint === 'upload' && /^\d{3}$/.test(failure) && failure !== '302') {
    return new ThrownResponse(Number(failure), htmlPage(`Error ${failure}`));
  }
  const version = String(context.call.req.headers['linkedin-version'] ?? '');
  const respond = RESPONSES[failure];
  if (respond) return respond(context, version);
  return /^4\d\d$/.test(failure) ? gatewayError(Number(failure), 'ACCESS_DENIED', 'Refused') : undefined;
}
