import { ServerResponse } from 'node:http';
import { sendGooglePicture } from '#sandbox/images/portrait.ts';
import { refusalOf } from '#sandbox/linkedin/refusals.ts';
import { isAfter, WIRE } from '#sandbox/linkedin/troubles.ts';
import { showPages } from '#sandbox/pages/routes.ts';
import { strike } from '#sandbox/server/faults.ts';
import { type Exchange, pause, readForm, readText, sendJson } from '#sandbox/server/http.ts';
import { misbehave } from '#sandbox/server/wire-troubles.ts';
import type { State } from '#sandbox/state.ts';
import { chooseAccount, googleDiscovery, showAccounts } from './google.ts';
import type { SigningKey } from './keys.ts';
import { accessTokenOf, googleRevoke, googleToken, googleTokenInfo, googleUserinfo } from './token.ts';
import { type GoogleDoor, googleKindAt } from './troubles.ts';

/** Does the work of a call to Google, or what a fault of the wire makes of it. */
async function throughGoogle(
  state: State,
  call: Exchange,
  door: GoogleDoor,
  seen: string,
  work: (call: Exchange) => unknown,
): Promise<void> {
  const slow = strike(state, (kind) => kind === googleKindAt(door, 'slow'), seen);
  if (slow) await pause(call.res, slow.delayMs ?? 5000);
  const troubles = new Map(WIRE.map((trouble) => [googleKindAt(door, trouble) as string, trouble]));
  troubles.delete(googleKindAt(door, 'slow'));
  const fault = strike(state, (kind) => troubles.has(kind), seen);
  if (!fault) return void (await work(call));
  const trouble = troubles.get(fault.kind)!;
  if (isAfter(trouble)) await work({ ...call, res: new ServerResponse(call.req) });
  const refusal = refusalOf(trouble, { call, door: 'token' });
  if (refusal) throw refusal;
  await misbehave(call.res, trouble, { status: 200, headers: {} }, fault.delayMs);
}

const FOR_AN_HOUR = { 'cache-control': 'public, max-age=3600' };

async function tradeToken(state: State, key: SigningKey, call: Exchange) {
  const raw = await readText(call.req);
  const code = new URLSearchParams(raw).get('code') ?? '';
  const seen = `${raw} ${state.googleCodes.get(code)?.member.email ?? ''}`;
  await throughGoogle(state, call, 'token', seen, (through) => googleToken(state, key, through, raw));
}

/** Everything below /google, which is the issuer's address. */
export async function googleSite(state: State, key: SigningKey, call: Exchange) {
  const path = call.rawPath.slice('/google'.length);
  const keys = (list: object) =>
    throughGoogle(state, call, 'certs', '', ({ res }) => sendJson(res, 200, list, FOR_AN_HOUR));
  switch (`${call.req.method} ${path}`) {
    case 'GET /.well-known/openid-configuration':
      return throughGoogle(state, call, 'discovery', '', googleDiscovery);
    case 'GET /o/oauth2/v2/auth':
      return showAccounts(state, call);
    case 'POST /o/oauth2/v2/auth':
      return chooseAccount(state, call, await readForm(call.req));
    case 'POST /token':
      return tradeToken(state, key, call);
    case 'GET /userinfo': {
      const email = state.googleTokens.get(accessTokenOf(call))?.grant.member.email ?? '';
      return throughGoogle(state, call, 'profile', email, (through) => googleUserinfo(state, through));
    }
    case 'GET /tokeninfo':
    case 'POST /tokeninfo':
      return googleTokenInfo(state, key, call, await readText(call.req));
    case 'POST /revoke':
      return googleRevoke(state, call, await readForm(call.req));
    case 'GET /certs':
      return keys(key.jwks);
    case 'GET /certs/pem':
      return keys(key.certs);
    default: {
      const picture = /^\/a\/(\d+)=s96-c$/.exec(path);
      return picture ? sendGooglePicture(call, picture[1]!) : showPages(state, call);
    }
  }
}
