import type { Trx } from '#app/db/client.ts';
import { after } from '#app/db/clock.ts';
import { listAdmins } from '#app/domain/accounts/admins.ts';
import { findDisabled } from '#app/domain/accounts/lifecycle/disable.ts';
import { findUser } from '#app/domain/accounts/users.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { formatInMail } from '#app/domain/platform/dates.ts';
import { env } from '#app/env.ts';
import { TICKET_CATEGORIES, TICKETS_MAILED_AN_HOUR } from './limits.ts';
import type { Ticket } from './thread.ts';
import { threadLink } from './thread-links.ts';

const HOUR_MS = 3_600_000;

const adminTicketUrl = (ticketId = '') =>
  `${env().APP_URL}/app/admin/support-feedback${ticketId && `?open=${ticketId}`}`;

const namesOf = ({ number, subject, category, id }: Ticket) => ({
  number,
  subject,
  category: TICKET_CATEGORIES[category],
  url: adminTicketUrl(id),
});

async function countOfLastHour(trx: Trx, now: Date): Promise<number> {
  const { count } = await trx
    .selectFrom('supportTickets')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('askedAt', '>', after(now, -HOUR_MS))
    .where('createdAt', '>', after(now, -HOUR_MS))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Tells every admin of a new request. Of very many in an hour they are told once more, and of no single one. */
export async function mailNewTicket(trx: Trx, ticket: Ticket, now: Date): Promise<void> {
  const isMany = (await countOfLastHour(trx, now)) > TICKETS_MAILED_AN_HOUR;
  for (const { id, email } of await listAdmins(trx)) {
    const to = { address: email, userId: id };
    const hour = `support-many:${id}:${Math.floor(now.getTime() / HOUR_MS)}`;
    if (isMany) await queueMail(trx, to, 'supportFlood', { url: adminTicketUrl() }, hour);
    else await queueMail(trx, to, 'supportAsked', { ...namesOf(ticket), from: ticket.name });
  }
}

/** Tells every admin that who asked has written again: once until one of them answers. */
export async function mailWrittenAgain(trx: Trx, ticket: Ticket): Promise<void> {
  for (const { id, email } of await listAdmins(trx)) {
    const key = `support-again:${ticket.id}:${ticket.answeredAt?.getTime() ?? 0}:${id}`;
    const said = { ...namesOf(ticket), from: ticket.name };
    await queueMail(trx, { address: email, userId: id }, 'supportWrittenAgain', said, key);
  }
}

/**
 * Tells who asked what was answered, at the address that they gave, and where they can answer that: on a page of the app, or
 * by a link that opens without signing in, for who has no account or was stopped.
 */
export async function mailAnswer(trx: Trx, ticket: Ticket, answer: string, now: Date): Promise<void> {
  const { id, userId, name, email, number, subject } = ticket;
  const said = { name, number, subject, answer };
  if (userId && !(await findDisabled(trx, userId))) {
    const url = `${env().APP_URL}/app/support/${id}`;
    const isOwn = (await findUser(trx, userId)).email === email;
    // Mails to an address of somebody else's are no mails of the account.
    const to = { address: email, userId: isOwn ? userId : null };
    return queueMail(trx, to, 'supportAnswered', { ...said, url, until: null });
  }
  const { url, until } = threadLink(ticket, now);
  const data = { ...said, url, until: formatInMail(until, 'UTC') };
  await queueMail(trx, { address: email, userId: null }, 'supportAnswered', data);
}
