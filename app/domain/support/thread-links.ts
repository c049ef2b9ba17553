import type { Db } from '#app/db/client.ts';
import { findDisabled } from '#app/domain/accounts/lifecycle/disable.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { isSigned, sign } from '#app/domain/platform/secrets.ts';
import { env } from '#app/env.ts';
import { TICKET_LINK_DAYS } from './limits.ts';
import { findTicket, type Ticket } from './thread.ts';

const LINK_MS = TICKET_LINK_DAYS * 86_400_000;

/** For this request and this address alone: whoever has the link has the mail. */
const wordsOf = ({ id, email }: Pick<Ticket, 'id' | 'email'>, until: Date) =>
  ['support thread', id, email, until.getTime()].join('\n');

/** The address at which who asked and cannot sign in reads their thread and writes in it, and until when. */
export function threadLink(ticket: Pick<Ticket, 'id' | 'email'>, now: Date): { url: string; until: Date } {
  const until = new Date(now.getTime() + LINK_MS);
  const key = `${until.getTime().toString(36)}.${sign(wordsOf(ticket, until))}`;
  return { url: `${env().APP_URL}/support/${ticket.id}?${new URLSearchParams({ key })}`, until };
}

/** Of an instant, and a signature. */
const KEY = /^([1-9a-z][\da-z]{0,9})\.(\S{1,200})$/;

const invalid = () =>
  new Refusal(404, 'link_invalid', 'This link is not valid. Please use the one in our latest mail');

const signInFirst = () =>
  new Refusal(403, 'sign_in_first', 'This request belongs to an account. Please sign in to open it');

const expired = () =>
  new Refusal(403, 'link_expired', 'This link has expired. Please write a new request and name this one');

/**
 * The request that a link is about. Refuses what we did not mail, what is too old, and with `sign_in_first` what belongs to an
 * account that can sign in for it, as one can again that was stopped when we mailed the link.
 */
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
  if (!ticket || !isSigned(wordsOf(ticket, until), signature)) throw invalid();
  if (until <= now) throw expired();
  if (ticket.userId && !(await findDisabled(db, ticket.userId))) throw signInFirst();
  return { ...ticket, until };
}
