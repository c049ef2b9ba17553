import type { Trx } from '#app/db/client.ts';
import { after } from '#app/db/clock.ts';
import { listAdmins } from '#app/domain/accounts/admins.ts';
import { findDisabled } from '#app/domain/accounts/lifecycle/disable.ts';
import { findUser } from '#app/domain/accounts/users.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { formatInMail } from '#app/domain/platform/dates.ts';
import { env } from '#app/env.ts';
import { TICKET_CATEGORIES, TICKET_MAILS_PER_HOUR } from './limits.ts';
import type { Ticket } from './thread.ts';
import { createThreadLink } from './thread-links.ts';

const HOUR_MS = 3_600_000;

const adminTicketUrl = (ticketId = '') =>
  `${env().APP_URL}/app/admin/support-feedback${ticketId && `?open=${ticketId}`}`;

const ticketFields = ({ number, subject, category, id }: Ticket) => ({
  number,
  subject,
  category: TICKET_CATEGORIES[category],
  url: adminTicketUrl(id),
});

async function countLastHour(trx: Trx, now: Date): Promise<number> {
  const { count } = await trx
    .selectFrom('supportTickets')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('askedAt', '>', after(now, -HOUR_MS))
    .where('createdAt', '>', after(now, -HOUR_MS))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Mails all admins about a new request. Above a number of requests in an hour they get one summary mail instead. */
export async function mailNewTicket(trx: Trx, ticket: Ticket, now: Date): Promise<void> {
  const isFlood = (await countLastHour(trx, now)) > TICKET_MAILS_PER_HOUR;
  for (const { id, email } of await listAdmins(trx)) {
    const to = { address: email, userId: id };
    const dedupeKey = `support-many:${id}:${Math.floor(now.getTime() / HOUR_MS)}`;
    if (isFlood) await queueMail(trx, to, 'supportFlood', { url: adminTicketUrl() }, dedupeKey);
    else await queueMail(trx, to, 'supportAsked', { ...ticketFields(ticket), from: ticket.name });
  }
}

/** Mails all admins about a reply of the requester, once until one of them answers. */
export async function mailRequesterReply(trx: Trx, ticket: Ticket): Promise<void> {
  for (const { id, email } of await listAdmins(trx)) {
    const dedupeKey = `support-again:${ticket.id}:${ticket.answeredAt?.getTime() ?? 0}:${id}`;
    const data = { ...ticketFields(ticket), from: ticket.name };
    await queueMail(trx, { address: email, userId: id }, 'supportWrittenAgain', data, dedupeKey);
  }
}

/** With a link to the thread: in the app or, for requesters who can't sign in, a signed one. */
export async function mailAnswer(trx: Trx, ticket: Ticket, answer: string, now: Date): Promise<void> {
  const { id, userId, name, email, number, subject } = ticket;
  const fields = { name, number, subject, answer };
  if (userId && !(await findDisabled(trx, userId))) {
    const url = `${env().APP_URL}/app/support/${id}`;
    const isOwn = (await findUser(trx, userId)).email === email;
    // A mail to another address does not belong to the account.
    const to = { address: email, userId: isOwn ? userId : null };
    return queueMail(trx, to, 'supportAnswered', { ...fields, url, until: null });
  }
  const { url, until } = createThreadLink(ticket, now);
  const data = { ...fields, url, until: formatInMail(until, 'UTC') };
  await queueMail(trx, { address: email, userId: null }, 'supportAnswered', data);
}
