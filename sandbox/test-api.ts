import { registerApp } from '#sandbox/linkedin/apps.ts';
import { LINKEDIN_SCOPES, scopesOf } from '#sandbox/linkedin/oauth.ts';
import { mintToken } from '#sandbox/linkedin/tokens.ts';
import { addFault, removeFault } from '#sandbox/server/faults.ts';
import { type Exchange, readJson, sendEmpty, sendJson, ThrownResponse } from '#sandbox/server/http.ts';
import { createState, memberOf, type State, uniqueNow } from './state.ts';

type Handler = (state: State, call: Exchange, key: string) => Promise<void> | void;

const ROUTES: Record<string, Handler> = {
  'GET ledger': (state, { res }) =>
    sendJson(res, 200, {
      attempts: state.attempts,
      posts: [...state.posts.values()],
      images: [...state.images.values()].filter((image) => image.bytes).length,
      followed: state.followed,
    }),
  'GET mails': (state, { res, url }) => {
    const to = url.searchParams.get('to')?.toLowerCase();
    const mails = state.mails.filter((mail) => !to || mail.to.some((each) => each.toLowerCase() === to));
    sendJson(res, 200, { mails });
  },
  'GET faults': (state, { res }) => sendJson(res, 200, { faults: state.faults, struck: state.struck }),
  'POST faults': async (state, { req, res }) =>
    sendJson(res, 201, { fault: addFault(state, await readJson(req)) }),
  'DELETE faults': (state, { res }, key) => {
    if (key) removeFault(state, Number(key));
    else state.faults = [];
    sendEmpty(res, 204);
  },
  'POST reset': (state, { res }) => {
    const { lastInstant, apps } = state;
    Object.assign(state, createState(), { lastInstant, apps });
    sendEmpty(res, 204);
  },
  'POST latency': async (state, { req, res }) => {
    const { ms, p99Ms = ms } = await readJson(req);
    if (typeof ms !== 'number' || ms < 0)
      throw new ThrownResponse(422, { error: 'ms must be a number from 0 up.' });
    if (typeof p99Ms !== 'number' || p99Ms < ms)
      throw new ThrownResponse(422, { error: 'p99Ms must be a number from ms up.' });
    state.latency = { ms, p99Ms };
    sendJson(res, 200, { ms, p99Ms });
  },
  'POST token': async (state, { req, res }) => {
    const { email, name, scope, clientId = 'tidepost-local', expiresInSeconds } = await readJson(req);
    if (typeof email !== 'string' || !email.includes('@'))
      throw new ThrownResponse(422, { error: 'email is missing.' });
    if (!state.apps.has(String(clientId)))
      throw new ThrownResponse(422, { error: 'The clientId is not registered.' });
    const member = memberOf(state, { email, name: typeof name === 'string' ? name : '' }, String(clientId));
    const scopes = typeof scope === 'string' ? scopesOf(scope) : LINKEDIN_SCOPES;
    const grant = { member, clientId: String(clientId), scopes: scopes.toSorted() };
    const lifeMs = typeof expiresInSeconds === 'number' ? expiresInSeconds * 1000 : undefined;
    sendJson(res, 201, { access_token: mintToken(state, grant, 'access', lifeMs), sub: member.sub });
  },
  'POST members': (state, { res, rawPath }, key) => {
    if (!rawPath.endsWith('/revoke')) throw new ThrownResponse(404, { error: 'There is no such call.' });
    const member = decodeURIComponent(key);
    state.revokedMembers.set(member.includes('@') ? member.toLowerCase() : member, uniqueNow(state));
    sendEmpty(res, 204);
  },
  'POST apps': async (state, { req, res }) => {
    const { clientId, secret, redirectUris, hasRefreshTokens } = await readJson(req);
    if (typeof clientId !== 'string' || clientId === '')
      throw new ThrownResponse(422, { error: 'clientId is missing.' });
    const isList = Array.isArray(redirectUris) && redirectUris.every((each) => typeof each === 'string');
    const app = registerApp(state.apps, {
      clientId,
      ...(typeof secret === 'string' ? { secret } : {}),
      ...(isList ? { redirectUris: redirectUris as string[] } : {}),
      ...(typeof hasRefreshTokens === 'boolean' ? { hasRefreshTokens } : {}),
    });
    sendJson(res, 201, { app });
  },
  'POST quota': async (state, { req, res }) => {
    const { member = state.quota.member, application = state.quota.application } = await readJson(req);
    if (!Number.isInteger(member) || !Number.isInteger(application)) {
      throw new ThrownResponse(422, {
        error: 'member and application must be whole numbers of posts a day.',
      });
    }
    Object.assign(state.quota, { member, application });
    sendJson(res, 200, { member, application });
  },
};

/** The JSON API below /api with which tests read the ledger and activate faults. */
export async function testApi(state: State, call: Exchange) {
  const [name = '', key = ''] = call.rawPath.slice('/api/'.length).split('/');
  const handler = ROUTES[`${call.req.method} ${name}`];
  if (!handler) throw new ThrownResponse(404, { error: 'There is no such call.' });
  await handler(state, call, key);
}
