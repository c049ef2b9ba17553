import type { Db } from '#app/db/client.ts';
import { findDisabled } from '#app/domain/accounts/lifecycle/disable.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { isSigned, sign } from '#app/domain/platform/secrets.ts';
import { env } from '#app/env.ts';
import { TICKET_LINK_DAYS } from './limits.ts';
import { findTicket, type Ticket } from './thread.ts';

const LINK_LIFE_MS = TICKET_LINK_DAYS * 86_400_000;

/** Bound to this request and this address: only recipients of the mail have the link. */
const signedText = ({ id, email }: Pick<Ticket, 'id' | 'email'>, until: Date) =>
  ['support thread', id, email, until.getTime()].join('\n');

/** A link to the thread that works without signing in, and when it expires. */
export function createThreadLink(
  ticket: Pick<Ticket, 'id' | 'email'>,
  now: Date,
): { url: string; until: Date } {
  const until = new Date(now.getTime() + LINK_LIFE_MS);
  const key = `${until.getTime().toString(36)}.${sign(signedText(ticket, until))}`;
  return { url: `${env().APP_URL}/support/${ticket.id}?${new URLSearchParams({ key })}`, until };
}

/** An instant in base 36 and a signature. */
const KEY = /^([1-9a-z][\da-z]{0,9})\.(\S{1,200})$/;

const invalid = () =>
  new Refusal(404, 'link_invalid', 'This link is not valid. Please use the one in our latest mail');

const signInFirst = () =>
  new Refusal(403, 'sign_in_first', 'This request belongs to an account. Please sign in to open it');

const expired = () =>
  new Refusal(403, 'link_expired', 'This link has expired. Please write a new request and name this one');

/** Throws a Refusal for an invalid or expired link, and (`sign_in_first`) for requests of enabled accounts. */
export async function openThread(
  db: Db,
  ticketId: string,
  key: string,
  now: Date,
): Promise<Ticket & { until: Date }> {
  const [, instant, signature] = KEY.exec(key) ?? [];
  if (!isId(ticketId) || !instant || !signature) throw invalid();
  const until = new Date(Number.parseInt(instant, 36));
  const ticket = await findTicket(db, ticketId).catch((error) => {
    if (!(error instanceof Refusal)) throw error;
  });
  if (!ticket || !isSigned(signedText(ticket, until), signature)) throw invalid();
  if (until <= now) throw expired();
  if (ticket.userId && !(await findDisabled(db, ticket.userId))) throw signInFirst();
  return { ...ticket, until };
}
