import { ServerResponse } from 'node:http';
import { sendGooglePicture } from '#sandbox/images/portrait.ts';
import { refusalOf } from '#sandbox/linkedin/refusals.ts';
import { COMMON_FAILURES, isAfterWork } from '#sandbox/linkedin/troubles.ts';
import { showPages } from '#sandbox/pages/routes.ts';
import { takeFault } from '#sandbox/server/faults.ts';
import { type Exchange, pause, readForm, readText, sendJson } from '#sandbox/server/http.ts';
import { sendFailure } from '#sandbox/server/wire-troubles.ts';
import type { State } from '#sandbox/state.ts';
import { chooseAccount, googleDiscovery, showAccounts } from './google.ts';
import type { SigningKey } from './keys.ts';
import { accessTokenOf, googleRevoke, googleToken, googleTokenInfo, googleUserinfo } from './token.ts';
import { type GoogleEndpoint, googleFaultKind } from './troubles.ts';

/** Handles a call to Google, or applies an active fault of the endpoint. */
async function withGoogleFailures(
  state: State,
  call: Exchange,
  endpoint: GoogleEndpoint,
  matchText: string,
  work: (call: Exchange) => unknown,
): Promise<void> {
  const slow = takeFault(state, (kind) => kind === googleFaultKind(endpoint, 'slow'), matchText);
  if (slow) await pause(call.res, slow.delayMs ?? 5000);
  const failures = new Map(
    COMMON_FAILURES.map((failure) => [googleFaultKind(endpoint, failure) as string, failure]),
  );
  failures.delete(googleFaultKind(endpoint, 'slow'));
  const fault = takeFault(state, (kind) => failures.has(kind), matchText);
  if (!fault) return void (await work(call));
  const failure = failures.get(fault.kind)!;
  if (isAfterWork(failure)) await work({ ...call, res: new ServerResponse(call.req) });
  const refusal = refusalOf(failure, { call, endpoint: 'token' });
  if (refusal) throw refusal;
  await sendFailure(call.res, failure, { status: 200, headers: {} }, fault.delayMs);
}

const CACHE_ONE_HOUR = { 'cache-control': 'public, max-age=3600' };

async function exchangeToken(state: State, key: SigningKey, call: Exchange) {
  const raw = await readText(call.req);
  const code = new URLSearchParams(raw).get('code') ?? '';
  const matchText = `${raw} ${state.googleCodes.get(code)?.member.email ?? ''}`;
  await withGoogleFailures(state, call, 'token', matchText, (inner) => googleToken(state, key, inner, raw));
}

/** Routes everything below /google, the URL of the issuer. */
export async function googleSite(state: State, key: SigningKey, call: Exchange) {
  const path = call.rawPath.slice('/google'.length);
  const sendKeys = (list: object) =>
    withGoogleFailures(state, call, 'certs', '', ({ res }) => sendJson(res, 200, list, CACHE_ONE_HOUR));
  switch (`${call.req.method} ${path}`) {
    case 'GET /.well-known/openid-configuration':
      return withGoogleFailures(state, call, 'discovery', '', googleDiscovery);
    case 'GET /o/oauth2/v2/auth':
      return showAccounts(state, call);
    case 'POST /o/oauth2/v2/auth':
      return chooseAccount(state, call, await readForm(call.req));
    case 'POST /token':
      return exchangeToken(state, key, call);
    case 'GET /userinfo': {
      const email = state.googleTokens.get(accessTokenOf(call))?.grant.member.email ?? '';
      return withGoogleFailures(state, call, 'profile', email, (inner) => googleUserinfo(state, inner));
    }
    case 'GET /tokeninfo':
    case 'POST /tokeninfo':
      return googleTokenInfo(state, key, call, await readText(call.req));
    case 'POST /revoke':
      return googleRevoke(state, call, await readForm(call.req));
    case 'GET /certs':
      return sendKeys(key.jwks);
    case 'GET /certs/pem':
      return sendKeys(key.certs);
    default: {
      const picture = /^\/a\/(\d+)=s96-c$/.exec(path);
      return picture ? sendGooglePicture(call, picture[1]!) : showPages(state, call);
    }
  }
}
