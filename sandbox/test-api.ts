import { addFault, removeFault } from './faults.ts';
import { Answer, type Exchange, readJson, sendEmpty, sendJson } from './http.ts';
import { LINKEDIN_SCOPES } from './linkedin-oauth.ts';
import { mintToken } from './linkedin-tokens.ts';
import { createState, instant, memberOf, type State } from './state.ts';

type Handler = (state: State, call: Exchange, key: string) => Promise<void> | void;

const ROUTES: Record<string, Handler> = {
  'GET ledger': (state, { res }) =>
    sendJson(res, 200, {
      attempts: state.attempts,
      posts: [...state.posts.values()],
      images: [...state.images.values()].filter((image) => image.bytes).length,
    }),
  'GET mails': (state, { res, url }) => {
    const to = url.searchParams.get('to')?.toLowerCase();
    const mails = state.mails.filter((mail) => !to || mail.to.some((each) => each.toLowerCase() === to));
    sendJson(res, 200, { mails });
  },
  'GET faults': (state, { res }) => sendJson(res, 200, { faults: state.faults }),
  'POST faults': async (state, { req, res }) =>
    sendJson(res, 201, { fault: addFault(state, await readJson(req)) }),
  'DELETE faults': (state, { res }, key) => {
    if (key) removeFault(state, Number(key));
    else state.faults = [];
    sendEmpty(res, 204);
  },
  'POST reset': (state, { res }) => {
    Object.assign(state, createState(), { lastInstant: state.lastInstant });
    sendEmpty(res, 204);
  },
  'POST latency': async (state, { req, res }) => {
    const { ms } = await readJson(req);
    if (typeof ms !== 'number' || ms < 0) throw new Answer(422, { error: 'ms must be a number from 0 up.' });
    state.latencyMs = ms;
    sendJson(res, 200, { ms });
  },
  'POST token': async (state, { req, res }) => {
    const { email, name, scope } = await readJson(req);
    if (typeof email !== 'string' || !email.includes('@'))
      throw new Answer(422, { error: 'email is missing.' });
    const member = memberOf(state, { email, name: typeof name === 'string' ? name : '' });
    const asked = typeof scope === 'string' ? scope.split(/[ ,]+/).filter(Boolean) : LINKEDIN_SCOPES;
    const grant = { member, clientId: 'tidepost-local', scopes: asked.toSorted() };
    sendJson(res, 201, { access_token: mintToken(state, grant), sub: member.sub });
  },
  'POST members': (state, { res, rawPath }, key) => {
    if (!rawPath.endsWith('/revoke')) throw new Answer(404, { error: 'There is no such call.' });
    const who = decodeURIComponent(key);
    const { sub } = who.includes('@') ? memberOf(state, { email: who, name: '' }) : { sub: who };
    state.revokedMembers.set(sub, instant(state));
    sendEmpty(res, 204);
  },
};

/** The JSON calls below /api by which tests see what arrived and switch failures on. */
export async function testApi(state: State, call: Exchange) {
  const [name = '', key = ''] = call.rawPath.slice('/api/'.length).split('/');
  const handler = ROUTES[`${call.req.method} ${name}`];
  if (!handler) throw new Answer(404, { error: 'There is no such call.' });
  await handler(state, call, key);
}
