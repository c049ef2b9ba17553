import type { Trx } from '#app/db/client.ts';
import type { ReplyKind } from '#app/db/tables/support.ts';
import type { TicketInput } from './schema.ts';
import { selectTickets } from './thread.ts';

const DUPLICATE_WITHIN_MS = 60_000;

export type TicketAuthor = { userId: string | null; email: string };

const selectTicketsOf = (trx: Trx, { userId, email }: TicketAuthor) =>
  userId === null
    ? selectTickets(trx).where('userId', 'is', null).where('email', '=', email)
    : selectTickets(trx).where('userId', '=', userId);

/** The same request within a minute: a repeated click or a reloaded page. */
export const findDuplicate = (
  trx: Trx,
  author: TicketAuthor,
  { email, subject, message }: TicketInput,
  now: Date,
) =>
  selectTicketsOf(trx, author)
    .where('email', '=', email)
    .where('subject', '=', subject)
    .where('message', '=', message)
    .where('createdAt', '>', new Date(now.getTime() - DUPLICATE_WITHIN_MS))
    .limit(1)
    .executeTakeFirst();

type Reply = { ticketId: string; kind: ReplyKind; message: string; adminId?: string };

/** The same reply within a minute. The caller has locked the request. */
export async function isDuplicateReply(trx: Trx, { ticketId, kind, message, adminId }: Reply, now: Date) {
  const duplicate = await trx
    .selectFrom('supportReplies')
    .select('id')
    .where('ticketId', '=', ticketId)
    .where('kind', '=', kind)
    .where('message', '=', message)
    .where('adminId', 'is not distinct from', adminId ?? null)
    .where('createdAt', '>', new Date(now.getTime() - DUPLICATE_WITHIN_MS))
    .limit(1)
    .executeTakeFirst();
  return duplicate !== undefined;
}
