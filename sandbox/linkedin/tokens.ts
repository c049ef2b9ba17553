import { createHmac, randomBytes } from 'node:crypto';
import { Answer } from '#sandbox/server/http.ts';
import { instant, type Member, type State } from '#sandbox/state.ts';

const LIFE_MS = 5_184_000_000;
const REFRESH_LIFE_MS = 31_536_000_000;

export type TokenKind = 'access' | 'refresh';
type Payload = {
  kind: TokenKind;
  sub: string;
  email: string;
  name: string;
  headline: string;
  clientId: string;
  scopes: string[];
  issuedAt: number;
  expiresAt: number;
  serial: string;
  padding: string;
};
export type Token = Payload & { raw: string };

const seal = (body: string) => createHmac('sha256', 'sandbox').update(body).digest('base64url');

/**
 * Issues a token that carries its own grant, so a connection made before a restart of the sandbox still
 * works after it. Real tokens are about 500 characters long, hence the padding.
 */
export function mintToken(
  state: State,
  grant: { member: Member; clientId: string; scopes: string[] },
  kind: TokenKind = 'access',
  lifeMs = kind === 'access' ? LIFE_MS : REFRESH_LIFE_MS,
): string {
  const issuedAt = instant(state);
  const { sub, email, name, headline } = grant.member;
  const payload: Payload = {
    kind,
    sub,
    email,
    name,
    headline,
    clientId: grant.clientId,
    scopes: grant.scopes,
    issuedAt,
    expiresAt: issuedAt + lifeMs,
    serial: `${++state.tokenCounter}.${randomBytes(6).toString('hex')}`,
    padding: randomBytes(48).toString('base64url'),
  };
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `AQV${body}_${seal(body)}`;
}

/** A different scope set kills the earlier tokens of the same member and application. */
export function recordConsent(state: State, member: Member, clientId: string, scopes: string[]) {
  const key = `${member.sub} ${clientId}`;
  const scope = scopes.toSorted().join(',');
  const known = state.consents.get(key);
  const grantedAt = instant(state);
  const since = known?.scope === scope ? known.since : grantedAt;
  state.consents.set(key, { scope, since, grantedAt });
}

/** Whether the member has granted exactly these scopes and has not taken them back. */
export function hasConsented(state: State, member: Member, clientId: string, scopes: string[]): boolean {
  const consent = state.consents.get(`${member.sub} ${clientId}`);
  if (!consent || consent.scope !== scopes.toSorted().join(',')) return false;
  return revokedSince(state, member) < consent.grantedAt;
}

/** The member takes back what the application was granted. */
export function endConsent(state: State, sub: string, clientId: string) {
  const consent = state.consents.get(`${sub} ${clientId}`);
  if (consent) consent.grantedAt = 0;
}

function revokedSince({ revokedMembers }: State, { sub, email }: { sub: string; email: string }): number {
  return Math.max(revokedMembers.get(sub) ?? 0, revokedMembers.get(email) ?? 0);
}

/** What a token says never changes, and each is shown many times. */
const read = new Map<string, Token>();

export function readToken(raw: string): Token | null {
  const known = read.get(raw);
  if (known) return known;
  const [, body, mac] = /^AQV([\w-]+)_([\w-]{43})$/.exec(raw) ?? [];
  if (!body || mac !== seal(body)) return null;
  const token = { ...(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Payload), raw };
  read.set(raw, token);
  return token;
}

export function tokenStatus(state: State, token: Token): 'active' | 'revoked' | 'expired' {
  if (state.revokedTokens.has(token.raw)) return 'revoked';
  if (token.issuedAt <= revokedSince(state, token)) return 'revoked';
  const consent = state.consents.get(`${token.sub} ${token.clientId}`);
  if (consent && token.issuedAt < consent.since && consent.scope !== token.scopes.toSorted().join(',')) {
    return 'revoked';
  }
  return token.expiresAt <= Date.now() ? 'expired' : 'active';
}

export const REFUSED_TOKEN = {
  empty: {
    status: 401,
    serviceErrorCode: 65604,
    code: 'EMPTY_ACCESS_TOKEN',
    message: 'Empty oauth2 access token',
  },
  invalid: {
    status: 401,
    serviceErrorCode: 65600,
    code: 'INVALID_ACCESS_TOKEN',
    message: 'Invalid access token',
  },
  revoked: {
    status: 401,
    serviceErrorCode: 65601,
    code: 'REVOKED_ACCESS_TOKEN',
    message: 'The token used in the request has been revoked by the user',
  },
  expired: {
    status: 401,
    serviceErrorCode: 65602,
    code: 'EXPIRED_ACCESS_TOKEN',
    message: 'The token used in the request has expired',
  },
};

/** The member behind an access token; answers 401 in LinkedIn's words when it is not good. */
export function authenticate(state: State, raw: string): { token: Token; member: Member } {
  if (raw === '') throw new Answer(401, REFUSED_TOKEN.empty);
  const token = readToken(raw);
  if (token?.kind !== 'access') throw new Answer(401, REFUSED_TOKEN.invalid);
  const status = tokenStatus(state, token);
  if (status !== 'active') throw new Answer(401, REFUSED_TOKEN[status]);
  return { token, member: memberOfToken(state, token) };
}

/** Tokens outlive a restart, and so does the subject they were issued for. */
export function memberOfToken(state: State, { sub, email, name, headline }: Token): Member {
  const member = state.members.get(sub) ?? { sub, email, name, headline };
  state.members.set(sub, member);
  return member;
}
