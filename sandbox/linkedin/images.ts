import { randomBytes } from 'node:crypto';
import { pictureProblem, pictureType } from '#sandbox/images/picture-file.ts';
import type { FaultKind } from '#sandbox/server/fault-kinds.ts';
import { takeFault } from '#sandbox/server/faults.ts';
import { bearer, type Exchange, isObject, sendEmpty, sendHtml, sendJson } from '#sandbox/server/http.ts';
import type { Image, State } from '#sandbox/state.ts';
import { htmlPage } from './refusals.ts';
import { accessDenied, foreignMember, gatewayError, requireCaller, restBody } from './rest.ts';
import { readToken, tokenStatus } from './tokens.ts';

const UPLOAD_LIFE_MS = 60 * 60_000;

/** POST /rest/images?action=initializeUpload */
export function initializeUpload(state: State, call: Exchange, raw: string) {
  const caller = requireCaller(state, call);
  if (call.url.searchParams.get('action') !== 'initializeUpload') {
    throw gatewayError(400, 'ILLEGAL_ARGUMENT', 'The action must be initializeUpload');
  }
  if (!caller.token.scopes.includes('w_member_social')) {
    throw accessDenied('partnerApiImages.ACTION-initializeUpload', caller.version);
  }
  const request = restBody(call, raw).initializeUploadRequest;
  if (!isObject(request) || typeof request.owner !== 'string') {
    throw gatewayError(400, 'MISSING_FIELD', 'initializeUploadRequest.owner is missing');
  }
  if (request.owner !== caller.author) throw foreignMember();
  const id = `C4E10${randomBytes(12).toString('base64url')}`;
  const isExpired = takeFault(state, (kind) => kind === 'linkedin.initialize-expired', raw) !== null;
  const image: Image = {
    urn: `urn:li:image:${id}`,
    owner: caller.author,
    token: caller.token.raw,
    expiresAt: Date.now() + (isExpired ? -1 : UPLOAD_LIFE_MS),
    bytes: null,
    type: null,
    problem: null,
    at: new Date().toISOString(),
  };
  state.images.set(image.urn, image);
  const uploadUrl = `${call.origin}/linkedin-upload/${id}/uploaded-image/0?ca=vector_ads&cn=uploads&sync=0&v=beta`;
  sendJson(call.res, 200, { value: { uploadUrlExpiresAt: image.expiresAt, uploadUrl, image: image.urn } });
}

/** An upload must use the token that initialized it. */
function acceptsToken(state: State, image: Image, raw: string): boolean {
  const token = readToken(raw);
  return raw === image.token && token !== null && tokenStatus(state, token) === 'active';
}

/** PUT of the bytes to the upload URL. The token is optional, unless a fault requires or refuses it. */
export function receiveUpload(state: State, { req, res }: Exchange, id: string, bytes: Buffer) {
  const hasFault = (fault: FaultKind) => takeFault(state, (kind) => kind === fault, id) !== null;
  const token = bearer(req);
  if (hasFault('linkedin.upload-needs-token') && token === '') {
    return sendHtml(res, 401, htmlPage('Unauthorized'));
  }
  if (hasFault('linkedin.upload-refuses-token') && token !== '') {
    return sendHtml(res, 400, htmlPage('Bad Request'));
  }
  const image = state.images.get(`urn:li:image:${id}`);
  if (!image) return sendHtml(res, 404, htmlPage('Not Found'));
  if (token !== '' && !acceptsToken(state, image, token)) return sendHtml(res, 401, htmlPage('Unauthorized'));
  if (hasFault('linkedin.upload-expired')) image.expiresAt = Date.now();
  if (image.bytes || image.expiresAt <= Date.now()) {
    return sendHtml(res, 400, htmlPage('This upload address is used up'));
  }
  const type = pictureType(bytes);
  if (!type) return sendHtml(res, 415, htmlPage('Unsupported Media Type'));
  const failsProcessing = hasFault('linkedin.upload-processing-failed');
  image.bytes = bytes;
  image.type = type;
  image.problem = failsProcessing ? 'Processing has failed' : pictureProblem(bytes);
  sendEmpty(res, 201);
}

/** Throws when media do not exist, belong to another member, or are not uploaded and processed. */
export function checkMedia(state: State, author: string, media: { urn: string }[]) {
  for (const { urn } of media) {
    const image = state.images.get(urn);
    if (!image) throw gatewayError(400, 'INVALID_URN_ID', `No media asset ${urn}`);
    if (image.owner !== author) throw foreignMember();
    if (image.problem) {
      throw gatewayError(400, 'MEDIA_ASSET_PROCESSING_FAILED', `Media asset ${urn}: ${image.problem}`);
    }
    if (image.bytes) continue;
    if (image.expiresAt <= Date.now()) {
      throw gatewayError(400, 'EXPIRED_UPLOAD_URL', `The upload URL of ${urn} has expired`);
    }
    throw gatewayError(400, 'MEDIA_ASSET_WAITING_UPLOAD', `Media asset ${urn} is waiting for upload`);
  }
}
