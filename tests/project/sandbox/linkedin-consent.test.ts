import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import { AUTHORIZATION, CALLBACK, sandboxOfFile } from '#tests/harness/outside/sandbox-process.ts';

const sandbox = await sandboxOfFile();

/** A browser at LinkedIn: it keeps the cookie of whoever signs in. */
function browser() {
  let cookie = '';
  const call = async (path: string, form?: Record<string, string>) => {
    const answer = await fetch(`${sandbox.url}/linkedin${path}`, {
      redirect: 'manual',
      headers: { cookie },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return answer;
  };
  const back = (answer: Response) => new URL(answer.headers.get('location') ?? 'none:').searchParams;
  return {
    authorize: (change: Record<string, string> = {}) =>
      call(`/oauth/v2/authorization?${new URLSearchParams({ ...AUTHORIZATION, ...change })}`),
    decide: async (change: Record<string, string> = {}) =>
      back(await call('/oauth/v2/authorization', { ...AUTHORIZATION, decision: 'allow', ...change })),
    back,
    call,
  };
}

async function trade(code: string, change: Record<string, string> = {}) {
  const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
  const client = { client_id: 'tidepost-local', client_secret: 'tidepost-local-secret' };
  const body = new URLSearchParams({ ...form, ...client, ...change });
  const answer = await fetch(`${sandbox.url}/linkedin/oauth/v2/accessToken`, { method: 'POST', body });
  return { status: answer.status, body: await answer.json() };
}

const userinfo = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${sandbox.url}/linkedin-api/v2/userinfo`, { headers });
  return { status: answer.status, body: await answer.json() };
};

test('only a registered application with a registered callback is let in, and is not sent back', async () => {
  const { authorize } = browser();
  const changes: Record<string, string>[] = [
    { client_id: 'a stranger' },
    { redirect_uri: 'http://127.0.0.1:3001/auth/linkedin/callback' },
    { redirect_uri: `${CALLBACK}/` },
    { redirect_uri: 'http://localhost:3000/auth/linkedin/callback' },
  ];
  for (const change of changes) {
    const answer = await authorize(change);
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get('location'), null);
  }
  assert.equal((await authorize({ redirect_uri: `${CALLBACK}?from=mail` })).status, 200);
  const wrong = await trade('code', { client_id: 'a stranger', client_secret: 'a stranger-secret' });
  assert.deepEqual([wrong.status, wrong.body.error], [400, 'invalid_client_id']);
});

test('an application can be registered with a secret and callbacks of its own', async () => {
  const app = { clientId: 'other', secret: 'hush', redirectUris: ['https://other.example/back'] };
  await sandbox.api('POST', 'apps', app);
  const own = { client_id: 'other', redirect_uri: 'https://other.example/back' };
  const code = (await browser().decide(own)).get('code') ?? '';
  assert.equal((await trade(code, { ...own, client_secret: 'other-secret' })).status, 401);
  assert.equal((await trade(code, { ...own, client_secret: 'hush' })).status, 200);
});

test('scopes are asked for with spaces or commas and answered with commas', async () => {
  for (const scope of ['openid profile w_member_social', 'openid,profile,w_member_social']) {
    const { authorize, decide } = browser();
    assert.match(await (await authorize({ scope })).text(), /\(w_member_social\)/);
    const { body } = await trade((await decide({ scope })).get('code') ?? '');
    assert.equal(body.scope, 'openid,profile,w_member_social');
  }
});

test('the subject of a member differs for each application', async () => {
  await sandbox.api('POST', 'apps', { clientId: 'second', redirectUris: [CALLBACK] });
  const subject = async (client: string) => {
    const change = { client_id: client };
    const code = (await browser().decide(change)).get('code') ?? '';
    const { body } = await trade(code, { ...change, client_secret: `${client}-secret` });
    return (await userinfo(body.access_token)).body.sub;
  };
  const own = await subject('tidepost-local');
  const other = await subject('second');
  assert.ok(own && other && own !== other);
  assert.equal(await subject('tidepost-local'), own);
});

test('the picture comes with the profile and the id token, and can be loaded until it expires', async () => {
  const { body } = await trade((await browser().decide()).get('code') ?? '');
  const { picture } = (await userinfo(body.access_token)).body;
  assert.equal(new URL(decodeJwt(body.id_token).picture as string).pathname, new URL(picture).pathname);
  const shown = await fetch(picture);
  assert.equal(shown.headers.get('content-type'), 'image/png');
  const bytes = Buffer.from(await shown.arrayBuffer());
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [100, 100]);
  assert.equal((await fetch(picture.replace(/e=\d+/, 'e=1000'))).status, 403);
  await sandbox.fault({ kind: 'linkedin.userinfo-bare', times: 1 });
  const bare = (await userinfo(body.access_token)).body;
  assert.deepEqual([bare.picture, bare.email, typeof bare.sub], [undefined, undefined, 'string']);
});

test('consent is asked for once for each set of scopes, until it is taken back', async () => {
  const { authorize, decide, back, call } = browser();
  assert.equal((await authorize()).status, 200);
  await decide({ email: 'kept@person.example' });
  const again = await authorize({ state: 'another' });
  const params = back(again);
  assert.equal(params.get('state'), 'another');
  const { body } = await trade(params.get('code') ?? '');
  assert.equal((await userinfo(body.access_token)).body.email, 'kept@person.example');

  assert.equal((await authorize({ scope: 'openid profile' })).status, 200);
  assert.equal((await browser().authorize()).status, 200);
  await sandbox.api('POST', 'members/kept@person.example/revoke');
  assert.equal((await userinfo(body.access_token)).status, 401);
  assert.equal((await authorize()).status, 200);
  await decide({ email: 'kept@person.example' });
  assert.ok(back(await authorize()).get('code'));
  assert.match(await (await call('/logout')).text(), /signed out of LinkedIn/);
  assert.equal((await authorize()).status, 200);
});

test('an application that gives its token back has to ask again', async () => {
  const { authorize, decide, back } = browser();
  const { body } = await trade((await decide()).get('code') ?? '');
  assert.ok(back(await authorize()).get('code'));
  const client = { client_id: 'tidepost-local', client_secret: 'tidepost-local-secret' };
  const form = new URLSearchParams({ token: body.access_token, ...client });
  await fetch(`${sandbox.url}/linkedin/oauth/v2/revoke`, { method: 'POST', body: form });
  assert.equal((await authorize()).status, 200);
});

test('not signing in and not agreeing are told apart', async () => {
  const { authorize, decide } = browser();
  assert.match(await (await authorize()).text(), /value="cancel-login"/);
  assert.equal((await decide({ decision: 'cancel-login' })).get('error'), 'user_cancelled_login');
  const cancelled = await decide({ decision: 'cancel' });
  assert.equal(cancelled.get('error'), 'user_cancelled_authorize');
  assert.equal(cancelled.get('code'), null);
});

test('a token can be dead when it is given', async () => {
  await sandbox.fault({ kind: 'linkedin.token-expired', times: 1 });
  const { body } = await trade((await browser().decide()).get('code') ?? '');
  assert.equal(body.expires_in, 5_183_999);
  const { status, body: refused } = await userinfo(body.access_token);
  assert.deepEqual([status, refused.serviceErrorCode], [401, 65602]);
  const minted = await sandbox.api('POST', 'token', { email: 'a@b.example', expiresInSeconds: -1 });
  assert.equal((await userinfo(minted.access_token)).body.serviceErrorCode, 65602);
});
