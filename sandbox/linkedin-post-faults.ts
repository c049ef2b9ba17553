import type { ServerResponse } from 'node:http';
import type { FaultKind } from './fault-kinds.ts';
import { Answer, sendEmpty, sendHtml, sendJson } from './http.ts';
import { accessDenied, foreignMember, gatewayError, inactiveVersion } from './linkedin-rest.ts';
import { REFUSED_TOKEN } from './linkedin-tokens.ts';
import type { Attempt } from './state.ts';

const AFTER = new Set<FaultKind>([
  'linkedin.500-after',
  'linkedin.drop-after',
  'linkedin.hang-after',
  'linkedin.201-no-id',
]);
const NOT_AT_CREATE = new Set<FaultKind>([
  'linkedin.slow',
  'linkedin.oauth-error',
  'linkedin.upload-needs-token',
  'linkedin.upload-refuses-token',
]);
const BAD_GATEWAY =
  '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>';

export function isAfter(kind: FaultKind): boolean {
  return AFTER.has(kind);
}

export function isBefore(kind: FaultKind, withImage: boolean): boolean {
  if (!kind.startsWith('linkedin.') || AFTER.has(kind) || NOT_AT_CREATE.has(kind)) return false;
  return kind !== 'linkedin.media-waiting' || withImage;
}

function throttled(limit: string): Answer {
  return new Answer(429, {
    status: 429,
    serviceErrorCode: 101,
    code: 'TOO_MANY_REQUESTS',
    message: `Resource level throttle ${limit} limit for calls to this resource is reached.`,
  });
}

function refusal(kind: FaultKind, version: string): Answer {
  switch (kind) {
    case 'linkedin.429':
      return throttled('APPLICATION_AND_MEMBER MINUTE');
    case 'linkedin.429-day':
      return throttled('APPLICATION_AND_MEMBER DAY');
    case 'linkedin.429-app-day':
      return throttled('APPLICATION DAY');
    case 'linkedin.401-revoked':
      return new Answer(401, REFUSED_TOKEN.revoked);
    case 'linkedin.401-expired':
      return new Answer(401, REFUSED_TOKEN.expired);
    case 'linkedin.403-empty':
      return foreignMember();
    case 'linkedin.403-scope':
      return accessDenied('partnerApiPostsExternal.CREATE', version);
    case 'linkedin.422':
      return new Answer(422, {
        message: 'ERROR :: /visibility :: field is required but not found and has no default value\n',
        status: 422,
      });
    case 'linkedin.426':
      return inactiveVersion(version);
    case 'linkedin.media-waiting':
      return gatewayError(400, 'MEDIA_ASSET_WAITING_UPLOAD', 'Media asset is waiting for upload');
    default:
      return new Answer(500, { message: 'Internal Server Error', status: 500 });
  }
}

/** A failure that keeps the post off the network. */
export function answerBefore(res: ServerResponse, attempt: Attempt, kind: FaultKind) {
  if (kind === 'linkedin.drop-before') return void res.destroy();
  if (kind === 'linkedin.hang-before') return;
  if (kind === 'linkedin.html-502') {
    attempt.status = 502;
    return sendHtml(res, 502, BAD_GATEWAY);
  }
  throw refusal(kind, attempt.version ?? '');
}

/** A failure after the post has gone live: the caller cannot know what became of it. */
export function failAfter(res: ServerResponse, attempt: Attempt, kind: FaultKind) {
  if (kind === 'linkedin.drop-after') return void res.destroy();
  if (kind === 'linkedin.hang-after') return;
  attempt.status = kind === 'linkedin.201-no-id' ? 201 : 500;
  if (attempt.status === 201) return sendEmpty(res, 201);
  sendJson(res, 500, { message: 'Internal Server Error', status: 500 });
}
