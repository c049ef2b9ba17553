import type { Token } from '#app/domain/accounts/sign-in/api-tokens.ts';
import type { listSessions } from '#app/domain/accounts/sign-in/session-list.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatMinute } from '#app/domain/platform/dates.ts';
import { lookUpPlace, presentPlace } from '#app/domain/platform/geoip.ts';

type Session = Awaited<ReturnType<typeof listSessions>>[number];

/** What a browser in which the user is signed in is recognised by, on the user's clock. */
export function presentSession(session: Session, sessionId: string, { timeZone }: Actor) {
  const { id, device, ipPrefix, createdAt, lastSeenAt } = session;
  const at = (instant: Date) => ({ iso: instant.toISOString(), text: formatMinute(instant, timeZone) });
  return {
    id,
    place: presentPlace(lookUpPlace(ipPrefix)) || (ipPrefix && `the network ${ipPrefix}`),
    isHere: id === sessionId,
    device: device || 'A browser that does not say its name',
    began: at(createdAt),
    seen: at(lastSeenAt),
  };
}
export type PresentedSession = ReturnType<typeof presentSession>;

/** A token in words. What a program signed in for has no name; what it says of itself stands there. */
export function presentToken(token: Token, { timeZone }: Actor) {
  const { id, name, scope, device, createdAt, lastUsedAt, expiresAt } = token;
  const day = (at: Date) => formatDate(at, timeZone);
  return {
    id,
    name: name ?? `Signed in by ${device || 'a program'}`,
    may: scope === 'read' ? 'Reads' : 'Reads and writes',
    made: `Made ${day(createdAt)}`,
    used: lastUsedAt ? `last used ${day(lastUsedAt)}` : 'never used',
    ends: expiresAt ? `until ${day(expiresAt)}` : 'until revoked',
  };
}
export type PresentedToken = ReturnType<typeof presentToken>;
