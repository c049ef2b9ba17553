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

const COOKIE_SECONDS = 600;

/** The identity that a provider proved. `member`: the tokens, for LinkedIn. */
export type ProviderProfile = VerifiedIdentity & { member?: Member };

/** The state parameter. `end` uses it up at the callback, before any request to the provider. */
export type JourneyState = { state: string; end(): Promise<void> };

/** The prefix of the cookies with state and verifier. With https, `__Host-` keeps other hosts from setting them. */
export const stateCookieName = () => `${env().APP_URL.startsWith('https:') ? '__Host-' : ''}tidepost-oauth`;

class ProfileTokens extends OAuth2Tokens {
  readonly profile: ProviderProfile;

  constructor(profile: ProviderProfile) {
    super({});
    this.profile = profile;
  }
}

type Client = { id: string; secret: string; redirectUri: string; scopes: readonly string[] };
type Authorization = { state: string; codeVerifier: string; url: URL };

/** remix-auth's flow, with a state that can be used once, and is used up before any token request. */
abstract class JourneyStrategy extends OAuth2Strategy<ProviderProfile> {
  readonly #journeyState: JourneyState;

  constructor(journeyState: JourneyState, { id, secret, redirectUri, scopes }: Client) {
    const secure = env().APP_URL.startsWith('https:') ? { secure: true as const } : {};
    const cookie = { name: stateCookieName(), maxAge: COOKIE_SECONDS, ...secure };
    super(
      {
        cookie,
        clientId: id,
        clientSecret: secret,
        redirectURI: redirectUri,
        scopes: [...scopes],
        // Not used: our integrations know the endpoints.
        authorizationEndpoint: redirectUri,
        tokenEndpoint: redirectUri,
      },
      async ({ tokens }) => (tokens as ProfileTokens).profile,
    );
    this.#journeyState = journeyState;
  }

  /** `codeVerifier` stays in a cookie of the browser. */
  protected abstract authorizationUrl(state: string, codeVerifier: string): URL;
  protected abstract fetchProviderProfile(code: string, codeVerifier: string): Promise<ProviderProfile>;

  protected override createAuthorizationURL(): Authorization {
    const codeVerifier = generateCodeVerifier();
    const { state } = this.#journeyState;
    return { state, codeVerifier, url: this.authorizationUrl(state, codeVerifier) };
  }

  protected override async validateAuthorizationCode(
    code: string,
    codeVerifier: string,
  ): Promise<ProfileTokens> {
    await this.#journeyState.end();
    return new ProfileTokens(await this.fetchProviderProfile(code, codeVerifier));
  }
}

const nonceOf = (codeVerifier: string) =>
  createHash('sha256').update(`nonce ${codeVerifier}`).digest('base64url');

/** OpenID Connect with PKCE. The nonce is derived from the verifier, which binds the id token to this browser. */
export class GoogleStrategy extends JourneyStrategy {
  override name = 'google';
  readonly #redirectUri: string;
  #google: GoogleProvider | undefined;

  constructor(journeyState: JourneyState) {
    const { APP_URL, GOOGLE_CLIENT_ID: id = '', GOOGLE_CLIENT_SECRET: secret = '' } = env();
    const redirectUri = `${APP_URL}/auth/google/callback`;
    super(journeyState, { id, secret, redirectUri, scopes: GOOGLE_SCOPES });
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

  protected override authorizationUrl(state: string, codeVerifier: string): URL {
    const url = this.client.createAuthorizationURLWithPKCE(
      this.#google!.authorizeAt,
      state,
      CodeChallengeMethod.S256,
      codeVerifier,
      GOOGLE_SCOPES,
    );
    url.searchParams.set('nonce', nonceOf(codeVerifier));
    url.searchParams.set('prompt', 'select_account');
    return url;
  }

  protected override async fetchProviderProfile(
    code: string,
    codeVerifier: string,
  ): Promise<ProviderProfile> {
    const google = this.#google!;
    const idToken = await exchangeGoogleCode(google, { code, codeVerifier, redirectUri: this.#redirectUri });
    const { sub: subject, ...claims } = await readIdToken(google, idToken, nonceOf(codeVerifier));
    return { provider: 'google', subject, ...claims };
  }
}

/** LinkedIn refuses PKCE and ignores the nonce: here the verifier only binds the browser. */
export class LinkedInStrategy extends JourneyStrategy {
  override name = 'linkedin';

  constructor(journeyState: JourneyState) {
    const { LINKEDIN_CLIENT_ID: id, LINKEDIN_CLIENT_SECRET: secret } = env();
    super(journeyState, { id, secret, redirectUri: linkedInRedirectUri(), scopes: LINKEDIN_SCOPES });
  }

  protected override authorizationUrl(state: string): URL {
    return new URL(authorizeUrl({ state, redirectUri: linkedInRedirectUri() }));
  }

  protected override async fetchProviderProfile(code: string): Promise<ProviderProfile> {
    const member = await fetchMember(db(), code);
    const { sub: subject, name, email, isEmailVerified } = member.profile;
    return { provider: 'linkedin', subject, name, email, isEmailVerified, member };
  }
}
