import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { env } from '#app/env.ts';
import { authorizeUrl, exchangeCode, fetchProfile, refreshToken } from '#app/integrations/linkedin/oauth.ts';
import { serve, startOutside } from '#tests/harness/outside/sandbox.ts';
import { withEnv } from '#tests/harness/with-env.ts';

const outside = await startOutside();
const redirectUri = 'http://127.0.0.1:3000/auth/linkedin/callback';
type Seen = { method: string; url: string; headers: IncomingMessage['headers']; form: URLSearchParams };

/** LinkedIn's website answers like this; what it was asked comes back with the outcome. */
async function answered(status: number, body: object | string, act: () => Promise<unknown>) {
  const seen: Seen[] = [];
  const origin = await serve(async (req, res) => {
    const { method = '', url = '', headers } = req;
    seen.push({ method, url, headers, form: new URLSearchParams(await text(req)) });
    res.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const outcome = await withEnv({ LINKEDIN_AUTH_URL: `${origin}/some/prefix` }, act).then(
    (value) => ({ value }),
    (error: Error) => ({ error }),
  );
  return { outcome, seen };
}
const exchange = () => exchangeCode({ code: 'the-code', redirectUri });
const TOKEN = { access_token: 'AQVtoken', expires_in: 5_183_999 };

test('the authorize address asks for the four scopes, with state and without PKCE', () => {
  const url = new URL(authorizeUrl({ state: 's+t', redirectUri }));
  assert.equal(url.origin + url.pathname, `${outside.url}/linkedin/oauth/v2/authorization`);
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    response_type: 'code',
    client_id: env().LINKEDIN_CLIENT_ID,
    redirect_uri: redirectUri,
    state: 's+t',
    scope: 'openid profile email w_member_social',
  });
  assert.ok(url.search.includes('scope=openid%20profile%20email%20w_member_social'));
});

test('a code is exchanged by a form with the secret in its body', async () => {
  const { seen } = await answered(200, TOKEN, exchange);
  const { method, url, headers, form } = seen[0]!;
  assert.deepEqual([method, url], ['POST', '/some/prefix/oauth/v2/accessToken']);
  assert.equal(headers['content-type'], 'application/x-www-form-urlencoded');
  assert.equal(headers.authorization, undefined);
  assert.deepEqual(Object.fromEntries(form), {
    grant_type: 'authorization_code',
    code: 'the-code',
    redirect_uri: redirectUri,
    client_id: env().LINKEDIN_CLIENT_ID,
    client_secret: env().LINKEDIN_CLIENT_SECRET,
  });
});

test('the scopes are read with commas and with spaces, and may be left out', async () => {
  for (const [scope, scopes] of [
    ['email,openid,w_member_social', ['email', 'openid', 'w_member_social']],
    ['email openid  w_member_social', ['email', 'openid', 'w_member_social']],
    ['email, openid', ['email', 'openid']],
    [undefined, undefined],
  ] as const) {
    const { outcome } = await answered(200, { ...TOKEN, scope }, exchange);
    assert.ok('value' in outcome);
    assert.deepEqual((outcome.value as { scopes: unknown }).scopes, scopes);
  }
});

test('the lifetime is that of the answer, and a refresh token is kept when there is one', async () => {
  const begun = Date.now();
  const { outcome, seen } = await answered(200, { ...TOKEN, expires_in: 3600, refresh_token: 'AQR' }, () =>
    refreshToken('AQRold'),
  );
  const { expiresAt, ...tokens } = (outcome as { value: Awaited<ReturnType<typeof exchange>> }).value;
  const read = { accessToken: 'AQVtoken', refreshToken: 'AQR', scopes: undefined };
  assert.deepEqual(tokens, { ...read, refreshExpiresAt: null });
  assert.ok(Math.abs(expiresAt.getTime() - begun - 3_600_000) < 5_000);
  assert.equal(seen[0]!.form.get('grant_type'), 'refresh_token');
  assert.equal(seen[0]!.form.get('refresh_token'), 'AQRold');
});

test('the end of a refresh token is read where LinkedIn names one that makes sense', async () => {
  const endOf = async (seconds: unknown) => {
    const answer = { ...TOKEN, refresh_token: 'AQR', refresh_token_expires_in: seconds };
    const { outcome } = await answered(200, answer, exchange);
    return (outcome as { value: Awaited<ReturnType<typeof exchange>> }).value.refreshExpiresAt;
  };
  const end = (await endOf(7200))!.getTime();
  assert.ok(Math.abs(end - Date.now() - 7_200_000) < 5_000);
  for (const odd of ['soon', -1, undefined]) assert.equal(await endOf(odd), null);
});

test('a no is told apart from an answer that can’t be read', async () => {
  const no = { error: 'invalid_request', error_description: 'authorization code not found' };
  const refused = (await answered(401, no, exchange)).outcome as { error: object };
  const { name, status, code, message } = refused.error as Record<string, unknown>;
  assert.deepEqual(
    { name, status, code, message },
    {
      name: 'LinkedInRefused',
      status: 401,
      code: 'invalid_request',
      message: 'authorization code not found',
    },
  );
  const html = (await answered(400, '<html>', exchange)).outcome as { error: Error };
  assert.equal(html.error.name, 'LinkedInRefused');
  for (const [status, body] of [
    [200, '<html>fine</html>'],
    [200, { access_token: '' }],
    [200, '[]'],
    [302, ''],
    [500, no],
    [500, TOKEN],
  ] as const) {
    const { outcome } = await answered(status, body, exchange);
    assert.equal((outcome as { error: Error }).error.name, 'RemoteUncertain', String(status));
  }
});

test('a profile without openid and a dead token are refused', async () => {
  const whole = await outside.token('ada@members.example');
  const profile = await fetchProfile(whole.access_token);
  assert.deepEqual(profile, {
    sub: whole.sub,
    name: profile.name,
    email: 'ada@members.example',
    isEmailVerified: true,
    picture: profile.picture,
  });
  assert.ok(profile.picture!.startsWith(`${outside.url}/linkedin-media/people/${whole.sub}/`));
  await outside.fault('linkedin.userinfo-bare');
  const plain = await fetchProfile(whole.access_token);
  assert.deepEqual([plain.sub, plain.email, plain.picture], [whole.sub, null, null]);
  assert.equal(plain.isEmailVerified, false);
  const bare = await outside.token('ada@members.example', 'w_member_social');
  await assert.rejects(fetchProfile(bare.access_token), { name: 'LinkedInRefused', status: 403 });
  await outside.revoke(whole.sub);
  await assert.rejects(fetchProfile(whole.access_token), { code: 'REVOKED_ACCESS_TOKEN' });
});
