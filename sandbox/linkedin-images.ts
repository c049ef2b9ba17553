import { randomBytes } from 'node:crypto';
import { strike } from './faults.ts';
import { bearer, type Exchange, isObject, readBytes, sendEmpty, sendHtml, sendJson } from './http.ts';
import { accessDenied, enterRest, foreignMember, gatewayError, restBody } from './linkedin-rest.ts';
import { readToken } from './linkedin-tokens.ts';
import type { State } from './state.ts';

const UPLOAD_LIFE_MS = 60 * 60_000;
const page = (title: string) =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;

/** POST /rest/images?action=initializeUpload */
export function initializeUpload(state: State, call: Exchange, raw: string) {
  const caller = enterRest(state, call);
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
  const expiresAt = Date.now() + UPLOAD_LIFE_MS;
  const image = {
    urn: `urn:li:image:${id}`,
    owner: caller.author,
    expiresAt,
    bytes: null,
    type: null,
    at: new Date().toISOString(),
  };
  state.images.set(image.urn, image);
  const uploadUrl = `${call.origin}/linkedin-upload/${id}/uploaded-image/0?ca=vector_ads&cn=uploads&sync=0&v=beta`;
  sendJson(call.res, 200, { value: { uploadUrlExpiresAt: expiresAt, uploadUrl, image: image.urn } });
}

/** The type by content: a JPEG, PNG or GIF signature, or null. */
export function imageType(bytes: Buffer): string | null {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])))
    return 'image/png';
  const start = bytes.subarray(0, 6).toString('latin1');
  return start === 'GIF87a' || start === 'GIF89a' ? 'image/gif' : null;
}

/** PUT of the bytes to the upload address. With or without the token, unless a fault insists on one way. */
export async function receiveUpload(state: State, { req, res }: Exchange, id: string) {
  const bytes = await readBytes(req);
  const token = bearer(req);
  const mustHave = strike(state, (kind) => kind === 'linkedin.upload-needs-token', id);
  if (mustHave && token === '') return sendHtml(res, 401, page('Unauthorized'));
  const mustNot = strike(state, (kind) => kind === 'linkedin.upload-refuses-token', id);
  if (mustNot && token !== '') return sendHtml(res, 400, page('Bad Request'));
  if (token !== '' && !readToken(token)) return sendHtml(res, 401, page('Unauthorized'));
  const image = state.images.get(`urn:li:image:${id}`);
  if (!image) return sendHtml(res, 404, page('Not Found'));
  if (image.bytes || image.expiresAt <= Date.now())
    return sendHtml(res, 400, page('This upload address is used up'));
  const type = imageType(bytes);
  if (!type) return sendHtml(res, 415, page('Unsupported Media Type'));
  image.bytes = bytes;
  image.type = type;
  sendEmpty(res, 201);
}
