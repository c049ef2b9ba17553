import type { Db, Trx } from '#app/db/client.ts';
import type { ReplyKind } from '#app/db/tables/support.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';

export const TICKET_COLUMNS = [
  'id',
  'number',
  'userId',
  'name',
  'email',
  'category',
  'subject',
  'message',
  'status',
  'createdAt',
  'askedAt',
  'answeredAt',
] as const;

export const selectTickets = (db: Db) => db.selectFrom('supportTickets').select(TICKET_COLUMNS);
export type Ticket = Awaited<ReturnType<ReturnType<typeof selectTickets>['executeTakeFirstOrThrow']>>;

export async function findTicket(db: Db, ticketId: string): Promise<Ticket> {
  const ticket = isId(ticketId)
    ? await selectTickets(db).where('id', '=', ticketId).executeTakeFirst()
    : undefined;
  if (!ticket) throw notFound('This request');
  return ticket;
}

/** The row is locked until the end of the transaction. */
export async function lockTicket(trx: Trx, ticketId: string): Promise<Ticket> {
  const ticket = isId(ticketId)
    ? await selectTickets(trx).where('id', '=', ticketId).forUpdate().executeTakeFirst()
    : undefined;
  if (!ticket) throw notFound('This request');
  return ticket;
}

/** The replies in order. Notes are for admins only. */
export const listReplies = (db: Db, ticketId: string, kinds: ReplyKind[] = ['asker', 'answer']) =>
  db
    .selectFrom('supportReplies')
    .select(['id', 'kind', 'message', 'createdAt'])
    .where('ticketId', '=', ticketId)
    .where('kind', 'in', kinds)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();

export type Thread = Ticket & { replies: Awaited<ReturnType<typeof listReplies>> };

/** A request with the replies that its requester may read. */
export const withReplies = async (db: Db, ticket: Ticket): Promise<Thread> => ({
  ...ticket,
  replies: await listReplies(db, ticket.id),
});
