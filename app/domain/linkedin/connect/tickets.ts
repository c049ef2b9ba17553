import { STATE_LIFE_MS } from '#app/domain/accounts/oauth/oauth-states.ts';
import { isSigned, sign } from '#app/domain/platform/secrets.ts';
import { env } from '#app/env.ts';

const signedText = (userId: string, until: string) => `connect LinkedIn ${userId} ${until}`;

/** A link for programs to connect LinkedIn, valid for ten minutes. A dot would make it look like a file. */
export function connectUrl(userId: string, now = new Date()): string {
  const until = String(now.getTime() + STATE_LIFE_MS);
  const ticket = [userId, until, sign(signedText(userId, until))].join('.');
  return `${env().APP_URL}/auth/linkedin/connect/${Buffer.from(ticket).toString('base64url')}`;
}

/** The user of a ticket; undefined when it is invalid or expired. */
export function readTicket(ticket: string, now = new Date()): string | undefined {
  const [userId = '', until = '', ...signature] = Buffer.from(ticket, 'base64url').toString().split('.');
  const isValid = isSigned(signedText(userId, until), signature.join('.'));
  return isValid && Number(until) > now.getTime() ? userId : undefined;
}
