import type { FaultKind } from '#sandbox/server/fault-kinds.ts';
import { strike } from '#sandbox/server/faults.ts';
import { type Answer, bearer, type Exchange } from '#sandbox/server/http.ts';
import type { State } from '#sandbox/state.ts';
import { gatewayError } from './rest.ts';
import { readToken } from './tokens.ts';

const MEDIA: [kind: FaultKind, code: string, message: string][] = [
  ['linkedin.media-waiting', 'MEDIA_ASSET_WAITING_UPLOAD', 'Media asset is waiting for upload'],
  ['linkedin.media-failed', 'MEDIA_ASSET_PROCESSING_FAILED', 'Processing of the media asset has failed'],
  ['linkedin.media-expired', 'EXPIRED_UPLOAD_URL', 'The upload URL of the media asset has expired'],
];

/** The refusal of a post because of its picture, when such a fault strikes. */
export function mediaRefusal(state: State, text: string): { kind: FaultKind; answer: Answer } | null {
  const fault = strike(state, (kind) => MEDIA.some(([each]) => each === kind), text);
  const found = MEDIA.find(([kind]) => kind === fault?.kind);
  return found ? { kind: found[0], answer: gatewayError(400, found[1], found[2]) } : null;
}

/** Resets the connection before the body is read; its text is not known yet, so the caller is matched. */
export function isResetBeforeBody(state: State, { req, res }: Exchange): boolean {
  const isIt = (kind: FaultKind) => kind === 'linkedin.reset-before-body';
  if (!state.faults.some(({ kind }) => isIt(kind))) return false;
  const token = readToken(bearer(req));
  if (!strike(state, isIt, `${token?.email ?? ''} ${token?.sub ?? ''}`)) return false;
  res.socket?.resetAndDestroy();
  return true;
}
