import { STATE_LIFE_MS } from '#app/domain/accounts/oauth/oauth-states.ts';
import { isSigned, sign } from '#app/domain/platform/secrets.ts';
import { env } from '#app/env.ts';

const said = (userId: string, until: string) => `connect LinkedIn ${userId} ${until}`;

/**
 * Where a program sends the browser of a user to connect LinkedIn: a page of ours, good for ten minutes, which names the
 * account and begins in that browser. Without a dot, which would make it look like a file.
 */
export function connectAddress(userId: string, now = new Date()): string {
  const until = String(now.getTime() + STATE_LIFE_MS);
  const ticket = [userId, until, sign(said(userId, until))].join('.');
  return `${env().APP_URL}/auth/linkedin/connect/${Buffer.from(ticket).toString('base64url')}`;
}

/** Whose account the ticket of such an address is for; undefined when it is not ours, or over. */
export function readTicket(ticket: string, now = new Date()): string | undefined {
  const [userId = '', until = '', ...signature] = Buffer.from(ticket, 'base64url').toString().split('.');
  const isOurs = isSigned(said(userId, until), signature.join('.'));
  return isOurs && Number(until) > now.getTime() ? userId : undefined;
}
