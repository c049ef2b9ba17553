import type { Db, Trx } from '#app/db/client.ts';
import type { ReplyKind } from '#app/db/tables/support.ts';
import { findOrRefuse } from '#app/domain/platform/paging.ts';

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
  return findOrRefuse('This request', ticketId, () =>
    selectTickets(db).where('id', '=', ticketId).executeTakeFirst(),
  );
}

export async function lockTicket(trx: Trx, ticketId: string): Promise<Ticket> {
  return findOrRefuse('This request', ticketId, () =>
    selectTickets(trx).where('id', '=', ticketId).forUpdate().executeTakeFirst(),
  );
}

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

export const withReplies = async (db: Db, ticket: Ticket): Promise<Thread> => ({
  ...ticket,
  replies: await listReplies(db, ticket.id),
});
