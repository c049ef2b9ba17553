import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { startTestSandbox, type TestSandbox } from './start.ts';

let sandbox: TestSandbox;
before(async () => {
  sandbox = await startTestSandbox();
});
after(() => sandbox.close());

const VERIFIER = 'a-verifier-that-is-long-enough-to-be-taken-seriously';
const CALLBACK = 'http://127.0.0.1:3000/auth/google/callback';
const REQUEST = {
  client_id: 'tidepost-local',
  redirect_uri: CALLBACK,
  response_type: 'code',
  scope: 'openid email profile',
  state: 'a state',
  nonce: 'a nonce',
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
};

async function choose(change: Record<string, string> = {}) {
  const response = await fetch(`${sandbox.url}/google/o/oauth2/v2/auth`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...REQUEST, decision: 'allow', ...change }),
  });
  return new URL(response.headers.get('location') ?? 'none:').searchParams;
}

function exchange(code: string, change: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const form = {
    grant_type: 'authorization_code',
    code,
    client_id: 'tidepost-local',
    client_secret: 'tidepost-local-secret',
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
  };
  const body = new URLSearchParams({ ...form, ...change });
  return fetch(`${sandbox.url}/google/token`, { method: 'POST', body, headers });
}

const error = async (response: Response) => {
  const body = await response.json();
  return `${response.status} ${body.error}: ${body.error_description}`;
};

test('discovery, chooser, token, keys and userinfo fit together', async () => {
  const discovery = await (await fetch(`${sandbox.url}/google/.well-known/openid-configuration`)).json();
  assert.equal(discovery.issuer, `${sandbox.url}/google`);
  const page = await fetch(`${discovery.authorization_endpoint}?${new URLSearchParams(REQUEST)}`);
  assert.match(await page.text(), /Choose an account/);
  const params = await choose({ email: 'new@person.example', name: 'New Person' });
  assert.equal(params.get('state'), 'a state');
  assert.equal(params.get('iss'), discovery.issuer);
  const answer = await (await exchange(params.get('code') ?? '')).json();
  assert.match(answer.scope, /googleapis\.com\/auth\/userinfo\.email/);
  const { payload } = await jwtVerify(answer.id_token, createRemoteJWKSet(new URL(discovery.jwks_uri)), {
    issuer: discovery.issuer,
    audience: 'tidepost-local',
  });
  assert.equal(payload.nonce, 'a nonce');
  assert.deepEqual(
    [payload.email, payload.email_verified, payload.name],
    ['new@person.example', true, 'New Person'],
  );
  const userinfo = await fetch(discovery.userinfo_endpoint, {
    headers: { authorization: `Bearer ${answer.access_token}` },
  });
  assert.equal((await userinfo.json()).sub, payload.sub);
});

test('the verifier must fit, the address must be identical, the code works once', async () => {
  const code = async () => (await choose()).get('code') ?? '';
  assert.match(
    await error(await exchange(await code(), { code_verifier: '' })),
    /400 invalid_grant: Missing/,
  );
  assert.match(await error(await exchange(await code(), { code_verifier: 'wrong' })), /400 invalid_grant/);
  const slash = await exchange(await code(), { redirect_uri: `${CALLBACK}/` });
  assert.match(await error(slash), /400 redirect_uri_mismatch/);
  const once = await code();
  assert.equal((await exchange(once)).status, 200);
  assert.match(await error(await exchange(once)), /400 invalid_grant: Malformed/);
});

test('the secret is taken from the form or from Basic, and must be right', async () => {
  const code = async () => (await choose()).get('code') ?? '';
  assert.match(await error(await exchange(await code(), { client_secret: 'wrong' })), /401 invalid_client/);
  const authorization = `Basic ${Buffer.from('tidepost-local:tidepost-local-secret').toString('base64')}`;
  const basic = await exchange(await code(), { client_id: '', client_secret: '' }, { authorization });
  assert.equal(basic.status, 200);
});

test('cancelling comes back with access_denied, a bad request stays with Google', async () => {
  assert.equal((await choose({ decision: 'cancel' })).get('error'), 'access_denied');
  const bad = new URLSearchParams({ ...REQUEST, scope: 'openid https://mail.google.com/' });
  const response = await fetch(`${sandbox.url}/google/o/oauth2/v2/auth?${bad}`, { redirect: 'manual' });
  assert.equal(response.status, 400);
  assert.match(await response.text(), /invalid_scope/);
});

test('an unverified address is said to be unverified', async () => {
  const answer = await (await exchange((await choose({ unverified: 'on' })).get('code') ?? '')).json();
  const payload = JSON.parse(Buffer.from(answer.id_token.split('.')[1], 'base64url').toString());
  assert.equal(payload.email_verified, false);
});
