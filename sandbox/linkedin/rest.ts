import { bearer, type Exchange, isObject, ThrownResponse } from '#sandbox/server/http.ts';
import type { Member, State } from '#sandbox/state.ts';
import { authenticate, type Token } from './tokens.ts';

/** The active versions. Each is supported for a year, and December 2025 has none. */
const LINKEDIN_VERSIONS = [
  '202601',
  '202602',
  '202603',
  '202604',
  '202605',
  '202606',
  '202607',
  '202608',
  '202609',
];

export type Caller = { token: Token; member: Member; author: string; version: string };

export function inactiveVersion(version: string): ThrownResponse {
  return new ThrownResponse(426, {
    status: 426,
    code: 'NONEXISTENT_VERSION',
    message: `Requested version ${version.length === 6 ? `${version}01` : version} is not active`,
  });
}

export function accessDenied(resource: string, version: string): ThrownResponse {
  return new ThrownResponse(403, {
    status: 403,
    serviceErrorCode: 100,
    code: 'ACCESS_DENIED',
    message: `Not enough permissions to access: ${resource}.${version === 'NO_VERSION' ? version : `${version}01`}`,
  });
}

/** The response for an author or owner that is not the token's member has an empty message. */
export function foreignMember(): ThrownResponse {
  return new ThrownResponse(403, { message: '', status: 403 }, { 'x-linkedin-error-response': 'true' });
}

export function gatewayError(status: number, code: string, message: string): ThrownResponse {
  return new ThrownResponse(status, { status, code, message });
}

/** Throws unless a call below /rest has an active token, an active version and the Rest.li protocol 2.0.0. */
export function requireCaller(state: State, { req }: Exchange): Caller {
  const { token, member } = authenticate(state, bearer(req));
  const version = String(req.headers['linkedin-version'] ?? '');
  if (version === '') {
    const message =
      'A version must be present. Please specify a version by adding the LinkedIn-Version header.';
    throw gatewayError(400, 'VERSION_MISSING', message);
  }
  if (!LINKEDIN_VERSIONS.includes(version)) throw inactiveVersion(version);
  if (req.headers['x-restli-protocol-version'] !== '2.0.0') {
    throw gatewayError(400, 'ILLEGAL_ARGUMENT', 'The header X-RestLi-Protocol-Version must be 2.0.0');
  }
  return { token, member, author: `urn:li:person:${member.sub}`, version };
}

export function restBody({ req }: Exchange, raw: string): Record<string, unknown> {
  if ((req.headers['content-type'] ?? '').startsWith('application/json')) {
    try {
      const value: unknown = JSON.parse(raw);
      if (isObject(value)) return value;
    } catch {}
  }
  throw gatewayError(400, 'ILLEGAL_ARGUMENT', 'Request body could not be converted to data map');
}

/** Every colon of a Rest.li key must be percent-encoded in the path. */
export function pathKey(segment: string): string {
  if (segment.includes(':') || !/%3a/i.test(segment)) {
    throw gatewayError(400, 'ILLEGAL_ARGUMENT', 'Syntax exception in path variables');
  }
  return decodeURIComponent(segment);
}
