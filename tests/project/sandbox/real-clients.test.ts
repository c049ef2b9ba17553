import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import * as arctic from 'arctic';
import { OAuth2Client } from 'google-auth-library';
import * as openid from 'openid-client';
import passport from 'passport';
import { Strategy as GoogleStrategy } from 'passport-google-oauth20';
import { Strategy as LinkedInStrategy } from 'passport-linkedin-oauth2';
import { CALLBACK, sandboxOfFile } from '#tests/harness/outside/sandbox-process.ts';

const sandbox = await sandboxOfFile();
const GOOGLE = `${sandbox.url}/google`;
const LINKEDIN = `${sandbox.url}/linkedin`;
const ID = 'tidepost-local';
const SECRET = 'tidepost-local-secret';
const BACK = CALLBACK.replace('linkedin', 'google');

/** What a person does in the browser: opens the page of the provider and agrees. Answers where it sends them. */
async function agree(address: URL | string, choice: Record<string, string> = {}): Promise<URL> {
  const page = new URL(address);
  assert.equal((await fetch(page)).status, 200);
  const body = new URLSearchParams([...page.searchParams, ...Object.entries(choice), ['decision', 'allow']]);
  const sent = await fetch(page.origin + page.pathname, { method: 'POST', body, redirect: 'manual' });
  return new URL(sent.headers.get('location') ?? 'none:');
}

const plainHttp = { execute: [openid.allowInsecureRequests] };

test('openid-client signs in at Google with discovery, PKCE, nonce and a checked id token', async () => {
  const config = await openid.discovery(new URL(GOOGLE), ID, SECRET, undefined, plainHttp);
  openid.enableNonRepudiationChecks(config);
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: BACK,
    scope: 'openid email profile',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
  });
  const tokens = await openid.authorizationCodeGrant(config, await agree(address), {
    pkceCodeVerifier,
    expectedState,
    expectedNonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  assert.equal(claims.email, 'maya@demo.example');
  const profile = await openid.fetchUserInfo(config, tokens.access_token, claims.sub);
  assert.equal(profile.name, 'Maya Lindqvist');
  await openid.tokenRevocation(config, tokens.access_token);
  await assert.rejects(openid.fetchUserInfo(config, tokens.access_token, claims.sub));
});

for (const fault of [
  'wrong-issuer',
  'wrong-audience',
  'wrong-signature',
  'wrong-nonce',
  'alg-none',
  'expired',
]) {
  test(`openid-client refuses an id token with the fault ${fault}`, async () => {
    const config = await openid.discovery(new URL(GOOGLE), ID, SECRET, undefined, plainHttp);
    openid.enableNonRepudiationChecks(config);
    const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
    const asked = { redirect_uri: BACK, scope: 'openid email', state: expectedState, nonce: expectedNonce };
    const back = await agree(openid.buildAuthorizationUrl(config, asked));
    await sandbox.fault({ kind: `google.id-token-${fault}` });
    await assert.rejects(openid.authorizationCodeGrant(config, back, { expectedState, expectedNonce }));
  });
}

test('openid-client signs in at LinkedIn without PKCE and nonce', async () => {
  const issuer = new URL(`${LINKEDIN}/oauth`);
  const config = await openid.discovery(issuer, ID, SECRET, openid.ClientSecretPost(SECRET), plainHttp);
  openid.enableNonRepudiationChecks(config);
  const expectedState = openid.randomState();
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid profile email w_member_social',
    state: expectedState,
  });
  const tokens = await openid.authorizationCodeGrant(config, await agree(address), { expectedState });
  const { sub } = tokens.claims()!;
  const profile = await openid.fetchUserInfo(config, tokens.access_token, sub);
  assert.equal(profile.email, 'maya@demo.example');
});

test('google-auth-library signs in without PKCE, checks by certificate, refreshes and revokes', async () => {
  const client = new OAuth2Client({
    clientId: ID,
    clientSecret: SECRET,
    redirectUri: BACK,
    issuers: [GOOGLE],
    endpoints: {
      oauth2AuthBaseUrl: `${GOOGLE}/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${GOOGLE}/token`,
      oauth2RevokeUrl: `${GOOGLE}/revoke`,
      tokenInfoUrl: `${GOOGLE}/tokeninfo`,
      oauth2FederatedSignonPemCertsUrl: `${GOOGLE}/certs/pem`,
    },
  });
  const scope = ['openid', 'email', 'profile'];
  const back = await agree(client.generateAuthUrl({ access_type: 'offline', scope, state: 's' }));
  const { tokens } = await client.getToken(back.searchParams.get('code') ?? '');
  const ticket = await client.verifyIdToken({ idToken: tokens.id_token!, audience: ID });
  assert.equal(ticket.getPayload()?.email, 'maya@demo.example');
  const info = await client.getTokenInfo(tokens.access_token!);
  assert.deepEqual([info.aud, info.sub], [ID, ticket.getUserId()]);
  client.setCredentials(tokens);
  const { credentials } = await client.refreshAccessToken();
  assert.notEqual(credentials.access_token, tokens.access_token);
  await client.revokeToken(credentials.access_token!);
  await assert.rejects(client.refreshAccessToken(), /invalid_grant/);
});

test('arctic signs in at Google with PKCE and Basic', async () => {
  const client = new arctic.OAuth2Client(ID, SECRET, BACK);
  const verifier = arctic.generateCodeVerifier();
  const method = arctic.CodeChallengeMethod.S256;
  const scopes = ['openid', 'email', 'profile'];
  const page = `${GOOGLE}/o/oauth2/v2/auth`;
  const address = client.createAuthorizationURLWithPKCE(
    page,
    arctic.generateState(),
    method,
    verifier,
    scopes,
  );
  const code = (await agree(address)).searchParams.get('code') ?? '';
  const tokens = await client.validateAuthorizationCode(`${GOOGLE}/token`, code, verifier);
  const claims = arctic.decodeIdToken(tokens.idToken()) as { email?: string };
  assert.equal(claims.email, 'maya@demo.example');
});

test('arctic is refused at LinkedIn with Basic, as it is there', async () => {
  const client = new arctic.OAuth2Client(ID, SECRET, CALLBACK);
  const page = `${LINKEDIN}/oauth/v2/authorization`;
  const address = client.createAuthorizationURL(page, arctic.generateState(), ['openid', 'profile', 'email']);
  const code = (await agree(address)).searchParams.get('code') ?? '';
  const traded = client.validateAuthorizationCode(`${LINKEDIN}/oauth/v2/accessToken`, code, null);
  await assert.rejects(
    traded,
    (error) => error instanceof arctic.OAuth2RequestError && /client_id/.test(error.description ?? ''),
  );
});

type Signed = { provider: string; id: string; email: string | undefined };

/** A small application that signs in by passport: its address, once it listens. */
async function passportApp(strategyAt: (origin: string) => passport.Strategy): Promise<string> {
  const server: Server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await sandbox.api('POST', 'apps', { clientId: ID, redirectUris: [`${origin}/callback`] });
  const strategy = strategyAt(origin);
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    const answer = (status: number, body: unknown) => {
      res.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
      res.end(JSON.stringify(body));
    };
    const query = Object.fromEntries(new URL(req.url ?? '/', origin).searchParams);
    const request = Object.assign(req, { query });
    const step = passport.authenticate(strategy, (error: Error | null, user: Signed | false | null) =>
      error || !user ? answer(401, { error: error?.message }) : answer(200, user),
    ) as (req: IncomingMessage, res: ServerResponse, next: (error?: Error) => void) => void;
    step(request, res, (error) => answer(500, { error: error?.message }));
  });
  return origin;
}

/** Keeps the one state it has given out, as a session would. */
function stateStore() {
  let kept = '';
  return {
    store(_req: unknown, ...rest: unknown[]) {
      kept = openid.randomState();
      (rest.at(-1) as (error: null, state: string) => void)(null, kept);
    },
    verify(_req: unknown, given: string, ...rest: unknown[]) {
      (rest.at(-1) as (error: null, fits: boolean) => void)(null, given === kept);
    },
  };
}

async function signInWithPassport(origin: string): Promise<{ status: number; body: Signed }> {
  const begun = await fetch(`${origin}/begin`, { redirect: 'manual' });
  const answer = await fetch(await agree(begun.headers.get('location') ?? ''));
  return { status: answer.status, body: (await answer.json()) as Signed };
}

test('passport-google-oauth20 signs in without PKCE and reads the profile', async () => {
  const origin = await passportApp(
    (own) =>
      new GoogleStrategy(
        {
          clientID: ID,
          clientSecret: SECRET,
          callbackURL: `${own}/callback`,
          authorizationURL: `${GOOGLE}/o/oauth2/v2/auth`,
          tokenURL: `${GOOGLE}/token`,
          userProfileURL: `${GOOGLE}/userinfo`,
          scope: ['openid', 'email', 'profile'],
          store: stateStore(),
        },
        (_access, _refresh, profile, done) =>
          done(null, { provider: profile.provider, id: profile.id, email: profile.emails?.[0]?.value }),
      ),
  );
  const { status, body } = await signInWithPassport(origin);
  assert.deepEqual([status, body.provider, body.email], [200, 'google', 'maya@demo.example']);
});

/** The strategy knows the profile call that LinkedIn no longer gives to new applications. */
const linkedinOptions = (own: string) => ({
  clientID: ID,
  clientSecret: SECRET,
  callbackURL: `${own}/callback`,
  authorizationURL: `${LINKEDIN}/oauth/v2/authorization`,
  tokenURL: `${LINKEDIN}/oauth/v2/accessToken`,
  scope: ['openid', 'profile', 'email'],
  store: stateStore(),
});

test('passport-linkedin-oauth2 signs in, and the profile is read with its token', async () => {
  const origin = await passportApp((own) => {
    const options = { ...linkedinOptions(own), skipUserProfile: true };
    return new LinkedInStrategy(options, (accessToken, _refresh, _profile, done) => {
      const headers = { authorization: `Bearer ${accessToken}` };
      void fetch(`${sandbox.url}/linkedin-api/v2/userinfo`, { headers })
        .then((answer) => answer.json())
        .then(({ sub, email }) => done(null, { provider: 'linkedin', id: sub, email }));
    });
  });
  const { status, body } = await signInWithPassport(origin);
  assert.deepEqual([status, body.provider, body.email], [200, 'linkedin', 'maya@demo.example']);
});

test('passport-linkedin-oauth2 is refused the retired profile call', async () => {
  const origin = await passportApp((own) => {
    const strategy = new LinkedInStrategy(linkedinOptions(own), (_access, _refresh, _profile, done) =>
      done(null),
    );
    return Object.assign(strategy, { profileUrl: `${sandbox.url}/linkedin-api/v2/me` });
  });
  const begun = await fetch(`${origin}/begin`, { redirect: 'manual' });
  const answer = await fetch(await agree(begun.headers.get('location') ?? ''));
  assert.equal(answer.status, 401);
  assert.match((await answer.json()).error, /failed to fetch user profile/);
});
