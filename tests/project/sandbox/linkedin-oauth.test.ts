import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { AUTHORIZATION, CALLBACK, startTestSandbox } from '#tests/harness/outside/sandbox-process.ts';

const sandbox = await startTestSandbox();
before(async () => {
  const redirectUris = [CALLBACK];
  await sandbox.api('POST', 'apps', { clientId: 'somebody-else', redirectUris });
  await sandbox.api('POST', 'apps', { clientId: 'refresh-app', redirectUris, hasRefreshTokens: true });
});
after(() => sandbox.close());

function authorize(change: Record<string, string> = {}) {
  return fetch(
    `${sandbox.url}/linkedin/oauth/v2/authorization?${new URLSearchParams({ ...AUTHORIZATION, ...change })}`,
    {
      redirect: 'manual',
    },
  );
}

async function decide(change: Record<string, string> = {}) {
  const response = await fetch(`${sandbox.url}/linkedin/oauth/v2/authorization`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...AUTHORIZATION, decision: 'allow', ...change }),
  });
  return new URL(response.headers.get('location') ?? 'none:').searchParams;
}

async function code(change: Record<string, string> = {}) {
  return (await decide(change)).get('code') ?? '';
}

function exchange(code: string, change: Record<string, string> = {}) {
  const form = {
    grant_type: 'authorization_code',
    code,
    client_id: 'tidepost-local',
    client_secret: 'tidepost-local-secret',
    redirect_uri: CALLBACK,
  };
  return fetch(`${sandbox.url}/linkedin/oauth/v2/accessToken`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, ...change }),
  });
}

async function refused(response: Response, status: number, words: RegExp) {
  assert.equal(response.status, status);
  const body = await response.json();
  assert.match(`${body.error}: ${body.error_description}`, words);
}

test('consent leads back with a code and the state, and the code gives a token with an alphabetical comma scope', async () => {
  const page = await authorize();
  assert.match(await page.text(), /Tidepost would like to/);
  const params = await decide();
  assert.deepEqual([...params.keys()].toSorted(), ['code', 'state']);
  assert.equal(params.get('state'), 'a state');
  const response = await exchange(params.get('code') ?? '');
  const answer = await response.json();
  assert.equal(response.status, 200);
  assert.equal(answer.scope, 'email,openid,profile,w_member_social');
  assert.equal(answer.expires_in, 5_183_999);
  assert.equal(answer.refresh_token, undefined);
  const keys = createRemoteJWKSet(new URL(`${sandbox.url}/linkedin/oauth/openid/jwks`));
  const { payload, protectedHeader } = await jwtVerify(answer.id_token, keys, {
    issuer: `${sandbox.url}/linkedin/oauth`,
    audience: 'tidepost-local',
  });
  assert.equal(protectedHeader.zip, 'RS256');
  assert.equal(payload.nonce, undefined);
});

test('the subject of a typed person depends on the e-mail address alone', async () => {
  const subject = async (name: string) => {
    const { access_token } = await (await exchange(await code({ email: 'New@Person.example', name }))).json();
    const response = await fetch(`${sandbox.url}/linkedin-api/v2/userinfo`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    const profile = await response.json();
    assert.equal(profile.name, name);
    assert.equal(profile.email, 'new@person.example');
    return profile.sub;
  };
  assert.equal(await subject('New Person'), await subject('Other Name'));
});

test('a code works once', async () => {
  const once = await code();
  assert.equal((await exchange(once)).status, 200);
  await refused(await exchange(once), 401, /authorization code not found/);
});

test('PKCE is refused at both ends', async () => {
  const page = await authorize({ code_challenge: 'x', code_challenge_method: 'S256' });
  assert.equal(page.status, 400);
  await refused(await exchange(await code(), { code_verifier: 'x' }), 400, /code verifier does not match/);
});

test('a redirect address that differs by a slash is refused', async () => {
  await refused(await exchange(await code(), { redirect_uri: `${CALLBACK}/` }), 400, /redirect uri/);
});

test('a JSON body is not read', async () => {
  const response = await fetch(`${sandbox.url}/linkedin/oauth/v2/accessToken`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'authorization_code', code: await code() }),
  });
  await refused(response, 400, /"grant_type" is missing/);
});

test('a wrong secret and a secret in the URL are refused', async () => {
  await refused(await exchange(await code(), { client_secret: 'wrong' }), 401, /invalid_client/);
  const url = `${sandbox.url}/linkedin/oauth/v2/accessToken?client_secret=tidepost-local-secret`;
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ grant_type: 'x' }) });
  await refused(response, 400, /must not stand in the URL/);
});

test('cancelling, a foreign scope and a server error come back without a code', async () => {
  assert.equal((await decide({ decision: 'cancel' })).get('error'), 'user_cancelled_authorize');
  const response = await authorize({ scope: 'openid r_emailaddress' });
  const params = new URL(response.headers.get('location') ?? '').searchParams;
  assert.equal(params.get('error'), 'unauthorized_scope_error');
  await sandbox.fault({ kind: 'linkedin.oauth-error', times: 1 });
  const failed = await decide();
  assert.equal(failed.get('error'), 'server_error');
  assert.equal(failed.get('code'), null);
  assert.ok((await decide()).get('code'));
});

test('a missing state or a broken redirect address ends on a page of LinkedIn', async () => {
  assert.equal((await authorize({ state: '' })).status, 401);
  assert.equal((await authorize({ redirect_uri: 'javascript:alert(1)' })).status, 401);
});

test('asking for another scope set kills the earlier token, the same set does not', async () => {
  const email = 'scopes@person.example';
  const token = async (scope: string) =>
    (await (await exchange(await code({ email, scope }))).json()).access_token;
  const status = async (raw: string) =>
    (await fetch(`${sandbox.url}/linkedin-api/v2/userinfo`, { headers: { authorization: `Bearer ${raw}` } }))
      .status;
  const full = await token(AUTHORIZATION.scope);
  await token(AUTHORIZATION.scope);
  assert.equal(await status(full), 200);
  await token('openid profile email');
  assert.equal(await status(full), 401);
});

test('introspection tells active, revoked and foreign tokens apart', async () => {
  const { access_token } = await (await exchange(await code())).json();
  const call = async (path: string, client: string) => {
    const form = { token: access_token, client_id: client, client_secret: `${client}-secret` };
    return fetch(`${sandbox.url}/linkedin/oauth/v2/${path}`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
  };
  const introspect = async (client: string) => (await call('introspectToken', client)).json();
  assert.equal((await introspect('tidepost-local')).status, 'active');
  assert.deepEqual(await introspect('somebody-else'), { active: false });
  assert.equal((await call('revoke', 'tidepost-local')).status, 200);
  assert.equal((await introspect('tidepost-local')).status, 'revoked');
});

test('only an approved application gets a refresh token, which outlives no year and works', async () => {
  const client = { client_id: 'refresh-app', client_secret: 'refresh-app-secret' };
  const first = await (await exchange(await code({ client_id: 'refresh-app' }), client)).json();
  assert.equal(first.refresh_token_expires_in, 31_535_999);
  const refresh = (refresh_token: string) =>
    fetch(`${sandbox.url}/linkedin/oauth/v2/accessToken`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token, ...client }),
    });
  const second = await (await refresh(first.refresh_token)).json();
  assert.notEqual(second.access_token, first.access_token);
  await refused(await refresh('nonsense'), 400, /invalid, expired or revoked/);
});
