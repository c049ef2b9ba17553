import { createHash } from 'node:crypto';
import { CodeChallengeMethod, generateCodeVerifier, OAuth2Tokens } from 'arctic';
import { OAuth2Strategy } from 'remix-auth-oauth2';
import { db } from '#app/db/client.ts';
import type { VerifiedIdentity } from '#app/domain/accounts/oauth/identities.ts';
import { fetchMember, linkedInRedirectUri, type Member } from '#app/domain/linkedin/connect/connect.ts';
import { env } from '#app/env.ts';
import {
  discoverGoogle,
  exchangeGoogleCode,
  GOOGLE_SCOPES,
  type GoogleProvider,
  GoogleRefused,
  issuersOf,
  readIdToken,
} from '#app/integrations/google.ts';
import { authorizeUrl, LINKEDIN_SCOPES } from '#app/integrations/linkedin/oauth.ts';

const A_JOURNEY_SECONDS = 600;

/** What a provider has proved, and for LinkedIn what we may do with it. */
export type ProviderProfile = VerifiedIdentity & { member?: Member };

/** The state with which a browser leaves, and what ends it when the browser is back, before the provider is asked. */
export type Passage = { state: string; end(): Promise<void> };

/** The cookie that holds state and verifier; with https only this very host can have set it. */
export const stateCookieName = () => `${env().APP_URL.startsWith('https:') ? '__Host-' : ''}tidepost-oauth`;

class Exchanged extends OAuth2Tokens {
  readonly told: ProviderProfile;

  constructor(told: ProviderProfile) {
    super({});
    this.told = told;
  }
}

type Client = { id: string; secret: string; redirectUri: string; scopes: readonly string[] };
type Left = { state: string; codeVerifier: string; url: URL };

/** remix-auth's flow, with a state that is good once and ends before any token is asked for. */
abstract class JourneyStrategy extends OAuth2Strategy<ProviderProfile> {
  readonly #passage: Passage;

  constructor(passage: Passage, { id, secret, redirectUri, scopes }: Client) {
    const secure = env().APP_URL.startsWith('https:') ? { secure: true as const } : {};
    const cookie = { name: stateCookieName(), maxAge: A_JOURNEY_SECONDS, ...secure };
    super(
      {
        cookie,
        clientId: id,
        clientSecret: secret,
        redirectURI: redirectUri,
        scopes: [...scopes],
        // Each provider says by itself where it is, and both addresses are asked by integrations alone.
        authorizationEndpoint: redirectUri,
        tokenEndpoint: redirectUri,
      },
      async ({ tokens }) => (tokens as Exchanged).told,
    );
    this.#passage = passage;
  }

  /** Where the browser goes. `codeVerifier` stays with it, in a cookie. */
  protected abstract leave(state: string, codeVerifier: string): URL;
  /** Asks the provider whose code it is. */
  protected abstract ask(code: string, codeVerifier: string): Promise<ProviderProfile>;

  protected override createAuthorizationURL(): Left {
    const codeVerifier = generateCodeVerifier();
    const { state } = this.#passage;
    return { state, codeVerifier, url: this.leave(state, codeVerifier) };
  }

  protected override async validateAuthorizationCode(code: string, codeVerifier: string): Promise<Exchanged> {
    await this.#passage.end();
    return new Exchanged(await this.ask(code, codeVerifier));
  }
}

const nonceOf = (codeVerifier: string) =>
  createHash('sha256').update(`nonce ${codeVerifier}`).digest('base64url');

/** OpenID Connect: PKCE, and a nonce that only the browser with the verifier can have asked for. */
export class GoogleStrategy extends JourneyStrategy {
  override name = 'google';
  readonly #redirectUri: string;
  #google: GoogleProvider | undefined;

  constructor(passage: Passage) {
    const { APP_URL, GOOGLE_CLIENT_ID: id = '', GOOGLE_CLIENT_SECRET: secret = '' } = env();
    const redirectUri = `${APP_URL}/auth/google/callback`;
    super(passage, { id, secret, redirectUri, scopes: GOOGLE_SCOPES });
    this.#redirectUri = redirectUri;
  }

  override async authenticate(request: Request): Promise<ProviderProfile> {
    this.#google = await discoverGoogle();
    const issuer = new URL(request.url).searchParams.get('iss');
    if (issuer !== null && !issuersOf(this.#google.issuer).includes(issuer)) {
      throw new GoogleRefused('iss', 'The answer is of another issuer');
    }
    return super.authenticate(request);
  }

  protected override leave(state: string, codeVerifier: string): URL {
    const { authorizeAt } = this.#google!;
    const method = CodeChallengeMethod.S256;
    const url = this.client.createAuthorizationURLWithPKCE(
      authorizeAt,
      state,
      method,
      codeVerifier,
      GOOGLE_SCOPES,
    );
    url.searchParams.set('nonce', nonceOf(codeVerifier));
    url.searchParams.set('prompt', 'select_account');
    return url;
  }

  protected override async ask(code: string, codeVerifier: string): Promise<ProviderProfile> {
    const google = this.#google!;
    const idToken = await exchangeGoogleCode(google, { code, codeVerifier, redirectUri: this.#redirectUri });
    const { sub: subject, ...claims } = await readIdToken(google, idToken, nonceOf(codeVerifier));
    return { provider: 'google', subject, ...claims };
  }
}

/** No PKCE, which LinkedIn refuses, and no nonce, which it never gives back: the verifier only binds the browser. */
export class LinkedInStrategy extends JourneyStrategy {
  override name = 'linkedin';

  constructor(passage: Passage) {
    const { LINKEDIN_CLIENT_ID: id, LINKEDIN_CLIENT_SECRET: secret } = env();
    super(passage, { id, secret, redirectUri: linkedInRedirectUri(), scopes: LINKEDIN_SCOPES });
  }

  protected override leave(state: string): URL {
    return new URL(authorizeUrl({ state, redirectUri: linkedInRedirectUri() }));
  }

  protected override async ask(code: string): Promise<ProviderProfile> {
    const member = await fetchMember(db(), code);
    const { sub: subject, name, email, isEmailVerified } = member.profile;
    return { provider: 'linkedin', subject, name, email, isEmailVerified, member };
  }
}
