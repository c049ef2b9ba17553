import { createHmac, randomBytes } from 'node:crypto';
import { ThrownResponse } from '#sandbox/server/http.ts';
import { type Member, type State, uniqueNow } from '#sandbox/state.ts';

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

const sign = (body: string) => createHmac('sha256', 'sandbox').update(body).digest('base64url');

/**
 * The token contains its grant, so a connection still works after a restart of the sandbox. It is padded because real
 * tokens are about 500 characters long.
 */
export function mintToken(
  state: State,
  grant: { member: Member; clientId: string; scopes: string[] },
  kind: TokenKind = 'access',
  lifeMs = kind === 'access' ? LIFE_MS : REFRESH_LIFE_MS,
): string {
  const issuedAt = uniqueNow(state);
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
  return `AQV${body}_${sign(body)}`;
}

/** Consent to other scopes invalidates the earlier tokens of the member for this application. */
export function recordConsent(state: State, member: Member, clientId: string, scopes: string[]) {
  const key = `${member.sub} ${clientId}`;
  const scope = scopes.toSorted().join(',');
  const previous = state.consents.get(key);
  const grantedAt = uniqueNow(state);
  const since = previous?.scope === scope ? previous.since : grantedAt;
  state.consents.set(key, { scope, since, grantedAt });
}

/** Whether the member has granted exactly these scopes and has not revoked them. */
export function hasConsented(state: State, member: Member, clientId: string, scopes: string[]): boolean {
  const consent = state.consents.get(`${member.sub} ${clientId}`);
  if (!consent || consent.scope !== scopes.toSorted().join(',')) return false;
  return revokedSince(state, member) < consent.grantedAt;
}

export function revokeConsent(state: State, sub: string, clientId: string) {
  const consent = state.consents.get(`${sub} ${clientId}`);
  if (consent) consent.grantedAt = 0;
}

function revokedSince({ revokedMembers }: State, { sub, email }: { sub: string; email: string }): number {
  return Math.max(revokedMembers.get(sub) ?? 0, revokedMembers.get(email) ?? 0);
}

/** Tokens never change and are used many times. */
const parsedTokens = new Map<string, Token>();

export function readToken(raw: string): Token | null {
  const parsed = parsedTokens.get(raw);
  if (parsed) return parsed;
  const [, body, mac] = /^AQV([\w-]+)_([\w-]{43})$/.exec(raw) ?? [];
  if (!body || mac !== sign(body)) return null;
  const token = { ...(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Payload), raw };
  parsedTokens.set(raw, token);
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

/** Returns the member of an access token; throws LinkedIn's 401 when the token is not active. */
export function authenticate(state: State, raw: string): { token: Token; member: Member } {
  if (raw === '') throw new ThrownResponse(401, REFUSED_TOKEN.empty);
  const token = readToken(raw);
  if (token?.kind !== 'access') throw new ThrownResponse(401, REFUSED_TOKEN.invalid);
  const status = tokenStatus(state, token);
  if (status !== 'active') throw new ThrownResponse(401, REFUSED_TOKEN[status]);
  return { token, member: memberOfToken(state, token) };
}

/** Restores the member from the token after a restart. */
export function memberOfToken(state: State, { sub, email, name, headline }: Token): Member {
  const member = state.members.get(sub) ?? { sub, email, name, headline };
  state.members.set(sub, member);
  return member;
}
