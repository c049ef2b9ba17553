import type { Token } from '#app/domain/accounts/sign-in/api-tokens.ts';
import type { listSessions } from '#app/domain/accounts/sign-in/session-list.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, presentTime } from '#app/domain/platform/dates.ts';
import { lookUpPlace, presentPlace } from '#app/domain/platform/geoip.ts';

type Session = Awaited<ReturnType<typeof listSessions>>[number];

export function presentSession(session: Session, sessionId: string, { timeZone }: Actor) {
  const { id, device, ipPrefix, createdAt, lastSeenAt } = session;
  return {
    id,
    place: presentPlace(lookUpPlace(ipPrefix)) || (ipPrefix && `the network ${ipPrefix}`),
    isCurrent: id === sessionId,
    device: device || 'A browser that does not say its name',
    signedInAt: presentTime(createdAt, timeZone),
    lastSeenAt: presentTime(lastSeenAt, timeZone),
  };
}
export type PresentedSession = ReturnType<typeof presentSession>;

/** A token that a program got by signing in has no name: its User-Agent names it. */
export function presentToken(token: Token, { timeZone }: Actor) {
  const { id, name, scope, device, createdAt, lastUsedAt, expiresAt } = token;
  const date = (at: Date) => formatDate(at, timeZone);
  return {
    id,
    name: name ?? `Signed in by ${device || 'a program'}`,
    scope: scope === 'read' ? 'Reads' : 'Reads and writes',
    created: `Made ${date(createdAt)}`,
    lastUsed: lastUsedAt ? `last used ${date(lastUsedAt)}` : 'never used',
    expires: expiresAt ? `until ${date(expiresAt)}` : 'until revoked',
  };
}
export type PresentedToken = ReturnType<typeof presentToken>;
