import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { FAULT_KINDS } from '#sandbox/server/fault-kinds.ts';
import { AUTHORIZATION, CALLBACK, sandboxOfFile } from '#tests/harness/outside/sandbox-process.ts';

const sandbox = await sandboxOfFile();
const CLIENT = {
  client_id: 'tidepost-local',
  client_secret: 'tidepost-local-secret',
  redirect_uri: CALLBACK,
};

const PLACES = {
  google: {
    consent: 'google/o/oauth2/v2/auth',
    token: 'google/token',
    keys: 'google/certs',
    issuer: 'google',
  },
  linkedin: {
    consent: 'linkedin/oauth/v2/authorization',
    token: 'linkedin/oauth/v2/accessToken',
    keys: 'linkedin/oauth/openid/jwks',
    issuer: 'linkedin/oauth',
  },
} as const;
type Provider = keyof typeof PLACES;

/** The way back that the consent page of a provider sends a browser on. */
async function allowed(provider: Provider, change: Record<string, string> = {}) {
  const asked = { ...AUTHORIZATION, scope: 'openid profile email', decision: 'allow', ...change };
  const answer = await fetch(`${sandbox.url}/${PLACES[provider].consent}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(asked),
  });
  return new URL(answer.headers.get('location') ?? 'none:').searchParams;
}

/** What the token endpoint of a provider answers to a new sign-in. */
async function signIn(provider: Provider) {
  const code = (await allowed(provider, provider === 'google' ? { nonce: 'mine' } : {})).get('code') ?? '';
  const body = new URLSearchParams({ ...CLIENT, grant_type: 'authorization_code', code });
  const answer = await fetch(`${sandbox.url}/${PLACES[provider].token}`, { method: 'POST', body });
  assert.equal(answer.status, 200);
  return answer.json();
}

/** What a careful application says of an id token; "fine" when it finds nothing. */
async function judged(provider: Provider, idToken: string): Promise<string> {
  const keys = createRemoteJWKSet(new URL(`${sandbox.url}/${PLACES[provider].keys}`));
  const issuer = `${sandbox.url}/${PLACES[provider].issuer}`;
  const rules = { issuer, audience: CLIENT.client_id, algorithms: ['RS256'], maxTokenAge: '1h' };
  try {
    const { payload } = await jwtVerify(idToken, keys, rules);
    if (!payload.sub) return 'no subject';
    if (payload.azp !== undefined && payload.azp !== CLIENT.client_id) return 'another party';
    if (provider === 'google' && payload.nonce !== 'mine') return 'another nonce';
    return payload.email_verified === true ? 'fine' : 'no verified address';
  } catch (error) {
    return (error as Error).message;
  }
}

const FOUND: Record<string, RegExp> = {
  'wrong-issuer': /"iss"/,
  'wrong-audience': /"aud"/,
  'wrong-party': /another party/,
  'wrong-signature': /signature verification failed/,
  'unknown-key': /no applicable key/,
  'new-key': /fine/,
  'alg-none': /"alg"/,
  hs256: /"alg"/,
  expired: /"exp"/,
  old: /"iat"/,
  future: /"nbf"|"iat"/,
  'no-subject': /no subject/,
  unverified: /no verified address/,
  'no-email': /no verified address/,
  'wrong-nonce': /another nonce/,
  'no-nonce': /another nonce/,
};

for (const kind of FAULT_KINDS.filter((each) => each.includes('.id-token-'))) {
  const [provider, fault] = kind.split('.id-token-') as [Provider, string];
  if (!(fault in FOUND)) continue;
  test(`${kind} is what a careful application finds, once`, async () => {
    await sandbox.fault({ kind, times: 1, match: 'maya@' });
    assert.match(await judged(provider, (await signIn(provider)).id_token), FOUND[fault]!);
    assert.equal(await judged(provider, (await signIn(provider)).id_token), 'fine');
  });
}

for (const provider of ['google', 'linkedin'] as const) {
  test(`${provider}: an id token is issued a second time, or left out`, async () => {
    const first = await signIn(provider);
    await sandbox.fault({ kind: `${provider}.id-token-replayed`, times: 1 });
    assert.equal((await signIn(provider)).id_token, first.id_token);
    await sandbox.fault({ kind: `${provider}.id-token-missing`, times: 1 });
    assert.equal('id_token' in (await signIn(provider)), false);
  });
}

test('a shared secret is really the public key, and an unsigned token has no signature', async () => {
  await sandbox.fault({ kind: 'google.id-token-alg-none', times: 1 });
  assert.match((await signIn('google')).id_token, /\.$/);
  await sandbox.fault({ kind: 'google.id-token-hs256', times: 1 });
  assert.equal(decodeProtectedHeader((await signIn('google')).id_token).alg, 'HS256');
});

test('the way back can go wrong too', async () => {
  await sandbox.fault({ kind: 'google.oauth-error', times: 1 });
  assert.equal((await allowed('google')).get('error'), 'server_error');
  await sandbox.fault({ kind: 'google.callback-other-issuer', times: 1 });
  assert.match((await allowed('google')).get('iss') ?? '', /somebody-else/);
  await sandbox.fault({ kind: 'google.callback-other-state', times: 1 });
  assert.notEqual((await allowed('google')).get('state'), AUTHORIZATION.state);
});

test('the profile at Google can be somebody else’s or unverified', async () => {
  const { access_token, id_token } = await signIn('google');
  const headers = { authorization: `Bearer ${access_token}` };
  const profile = async () => (await fetch(`${sandbox.url}/google/userinfo`, { headers })).json();
  await sandbox.fault({ kind: 'google.profile-other-subject', times: 1 });
  assert.notEqual((await profile()).sub, decodeJwt(id_token).sub);
  await sandbox.fault({ kind: 'google.profile-unverified', times: 1 });
  assert.equal((await profile()).email_verified, false);
  assert.equal((await profile()).email_verified, true);
});

for (const [door, path] of [
  ['discovery', '.well-known/openid-configuration'],
  ['certs', 'certs'],
  ['profile', 'userinfo'],
] as const) {
  test(`google.${door} fails as any server can`, async () => {
    const { access_token } = await signIn('google');
    const read = () =>
      fetch(`${sandbox.url}/google/${path}`, { headers: { authorization: `Bearer ${access_token}` } });
    await sandbox.fault({ kind: `google.${door}-html-502`, times: 1 });
    assert.equal((await read()).status, 502);
    await sandbox.fault({ kind: `google.${door}-drop-before`, times: 1 });
    await assert.rejects(read());
    await sandbox.fault({ kind: `google.${door}-broken-json`, times: 1 });
    await assert.rejects((await read()).json());
    assert.ok((await read()).ok);
  });
}

test('google.token-drop-after spends the code unheard', async () => {
  const code = (await allowed('google')).get('code') ?? '';
  const trade = () =>
    fetch(`${sandbox.url}/google/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...CLIENT, grant_type: 'authorization_code', code }),
    });
  await sandbox.fault({ kind: 'google.token-drop-after', times: 1 });
  await assert.rejects(trade());
  assert.equal((await trade()).status, 400);
});
