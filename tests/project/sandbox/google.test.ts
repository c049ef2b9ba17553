import assert from 'node:assert/strict';
import { createHash, verify, X509Certificate } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { startTestSandbox, type TestSandbox } from '#tests/harness/outside/sandbox-process.ts';

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
  assert.equal(await error(await exchange(once)), '400 invalid_grant: Bad Request');
  assert.equal(await error(await exchange('4/0Anever')), '400 invalid_grant: Malformed auth code.');
});

test('PKCE may be left out, and then no verifier is wanted', async () => {
  const without = { code_challenge: '', code_challenge_method: '' };
  const code = async () => (await choose(without)).get('code') ?? '';
  assert.equal((await exchange(await code(), { code_verifier: '' })).status, 200);
  assert.match(await error(await exchange(await code())), /400 invalid_grant: code_verifier .* not needed/);
});

test('a refresh token comes with the first offline consent only, and dies with its grant', async () => {
  const trade = async (change: Record<string, string>) =>
    (await exchange((await choose({ email: 'offline@person.example', ...change })).get('code') ?? '')).json();
  assert.equal((await trade({})).refresh_token, undefined);
  const offline = { access_type: 'offline', email: 'later@person.example' };
  const { refresh_token, access_token } = await trade(offline);
  assert.equal((await trade(offline)).refresh_token, undefined);
  assert.ok((await trade({ ...offline, prompt: 'consent' })).refresh_token);
  const refresh = { grant_type: 'refresh_token', refresh_token };
  const again = await (await exchange('', refresh)).json();
  assert.ok(again.access_token !== access_token && again.id_token && !again.refresh_token);
  const revoked = await fetch(`${sandbox.url}/google/revoke?token=${access_token}`, { method: 'POST' });
  assert.equal(revoked.status, 200);
  assert.equal(
    await error(await exchange('', refresh)),
    '400 invalid_grant: Token has been expired or revoked.',
  );
});

test('tokeninfo reads either token, and the certificates are of the keys', async () => {
  const answer = await (await exchange((await choose({ organisation: 'on' })).get('code') ?? '')).json();
  const info = async (query: Record<string, string>) =>
    (await fetch(`${sandbox.url}/google/tokeninfo?${new URLSearchParams(query)}`)).json();
  const ofId = await info({ id_token: answer.id_token });
  assert.deepEqual(
    [ofId.aud, ofId.email_verified, ofId.alg, ofId.hd],
    ['tidepost-local', 'true', 'RS256', 'demo.example'],
  );
  assert.equal((await info({ access_token: answer.access_token })).sub, ofId.sub);
  assert.equal((await info({ id_token: `${answer.id_token}x` })).error, 'invalid_token');
  assert.equal((await fetch(ofId.picture)).headers.get('content-type'), 'image/png');
  const [head, body, signature] = answer.id_token.split('.');
  const certs = await (await fetch(`${sandbox.url}/google/certs/pem`)).json();
  const { publicKey } = new X509Certificate(certs[ofId.kid]);
  const isSigned = verify('sha256', `${head}.${body}`, publicKey, Buffer.from(signature, 'base64url'));
  assert.ok(isSigned);
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
  const stays = async (change: Record<string, string>, status: number, code: RegExp) => {
    const bad = new URLSearchParams({ ...REQUEST, ...change });
    const response = await fetch(`${sandbox.url}/google/o/oauth2/v2/auth?${bad}`, { redirect: 'manual' });
    assert.equal(response.status, status);
    assert.match(await response.text(), code);
  };
  await stays({ scope: 'openid https://mail.google.com/' }, 400, /invalid_scope/);
  await stays({ client_id: 'nobody' }, 401, /invalid_client/);
  for (const redirect_uri of [`${CALLBACK}/`, `${CALLBACK}?x=1`, CALLBACK.replace('http:', 'https:')]) {
    await stays({ redirect_uri }, 400, /redirect_uri_mismatch/);
  }
});

test('an unverified address is said to be unverified', async () => {
  const answer = await (await exchange((await choose({ unverified: 'on' })).get('code') ?? '')).json();
  const payload = JSON.parse(Buffer.from(answer.id_token.split('.')[1], 'base64url').toString());
  assert.equal(payload.email_verified, false);
});
