import type { FaultKind } from '#sandbox/server/fault-kinds.ts';
import { takeFault } from '#sandbox/server/faults.ts';
import { bearer, type Exchange, type ThrownResponse } from '#sandbox/server/http.ts';
import type { State } from '#sandbox/state.ts';
import { gatewayError } from './rest.ts';
import { readToken } from './tokens.ts';

const MEDIA: [kind: FaultKind, code: string, message: string][] = [
  ['linkedin.media-waiting', 'MEDIA_ASSET_WAITING_UPLOAD', 'Media asset is waiting for upload'],
  ['linkedin.media-failed', 'MEDIA_ASSET_PROCESSING_FAILED', 'Processing of the media asset has failed'],
  ['linkedin.media-expired', 'EXPIRED_UPLOAD_URL', 'The upload URL of the media asset has expired'],
];

/** The error of an active fault for posts with a picture. */
export function mediaRefusal(
  state: State,
  text: string,
): { kind: FaultKind; response: ThrownResponse } | null {
  const fault = takeFault(state, (kind) => MEDIA.some(([each]) => each === kind), text);
  const found = MEDIA.find(([kind]) => kind === fault?.kind);
  return found ? { kind: found[0], response: gatewayError(400, found[1], found[2]) } : null;
}

/** Resets the connection before the body is read. The fault is matched with the member, because the text is not known yet. */
export function isResetBeforeBody(state: State, { req, res }: Exchange): boolean {
  const isReset = (kind: FaultKind) => kind === 'linkedin.reset-before-body';
  if (!state.faults.some(({ kind }) => isReset(kind))) return false;
  const token = readToken(bearer(req));
  if (!takeFault(state, isReset, `${token?.email ?? ''} ${token?.sub ?? ''}`)) return false;
  res.socket?.resetAndDestroy();
  return true;
}
