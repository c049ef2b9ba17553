import { after, beforeEach } from 'node:test';
import { startSandbox } from '#sandbox/server/server.ts';

export const LINKEDIN_HEADERS = {
  'linkedin-version': '202608',
  'x-restli-protocol-version': '2.0.0',
  'content-type': 'application/json',
};

/** A sandbox on free ports with the calls the tests make again and again. */
export async function startTestSandbox() {
  const sandbox = await startSandbox();
  const api = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${sandbox.url}/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await response.text();
    return text === '' ? null : JSON.parse(text);
  };
  return {
    ...sandbox,
    api,
    reset: () => api('POST', 'reset'),
    fault: (fault: object) => api('POST', 'faults', fault),
    ledger: () => api('GET', 'ledger'),
    member: async (email = 'maya@demo.example', scope?: string) => {
      const { access_token, sub } = await api('POST', 'token', { email, name: 'Maya Lindqvist', scope });
      const author = `urn:li:person:${sub}`;
      const headers = { ...LINKEDIN_HEADERS, authorization: `Bearer ${access_token}` };
      const send = (
        method: string,
        path: string,
        body?: unknown,
        extra: Record<string, string | null> = {},
      ) => {
        const merged: Record<string, string | null> = { ...headers, ...extra };
        const sent = Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null);
        const raw = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
        return fetch(`${sandbox.url}/linkedin-api${path}`, {
          method,
          headers: Object.fromEntries(sent),
          body: raw,
        });
      };
      const post = (commentary: string, change: object = {}) =>
        send('POST', '/rest/posts', postBody(author, commentary, change));
      return { token: access_token as string, sub: sub as string, author, send, post };
    },
  };
}

/** The sandbox of a test file, emptied before each test. */
export async function sandboxOfFile() {
  const sandbox = await startTestSandbox();
  after(() => sandbox.close());
  beforeEach(() => sandbox.reset());
  return sandbox;
}

export const CALLBACK = 'http://127.0.0.1:3000/auth/linkedin/callback';

/** What an application asks a person for at LinkedIn. */
export const AUTHORIZATION = {
  response_type: 'code',
  client_id: 'tidepost-local',
  redirect_uri: CALLBACK,
  state: 'a state',
  scope: 'openid profile email w_member_social',
};

export type TestSandbox = Awaited<ReturnType<typeof startTestSandbox>>;

export function postBody(author: string, commentary: string, change: object = {}) {
  return {
    author,
    commentary,
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
    ...change,
  };
}
