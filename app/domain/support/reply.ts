import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { isDuplicateReply } from './duplicates.ts';
import { TICKET_REPLIES_MAX } from './limits.ts';
import { mailRequesterReply } from './mails.ts';
import type { TicketReply } from './schema.ts';
import { findTicket, lockTicket, type Thread, withReplies } from './thread.ts';

async function limitReplies(trx: Trx, ticketId: string): Promise<void> {
  const { count } = await trx
    .selectFrom('supportReplies')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('ticketId', '=', ticketId)
    .where('kind', '=', 'asker')
    .executeTakeFirstOrThrow();
  if (Number(count) < TICKET_REPLIES_MAX) return;
  throw new Refusal(409, 'ticket_full', 'There is no more room in this request. Please write a new one');
}

/** Reopens a resolved request. Admins are mailed once until one answers. The caller has checked the owner. */
export async function addRequesterReply(
  db: Db,
  { ticketId, message }: TicketReply & { ticketId: string },
  now = databaseNow(),
): Promise<Thread> {
  return transact(db, async (trx) => {
    const ticket = await lockTicket(trx, ticketId);
    if (ticket.status === 'closed')
      throw new Refusal(409, 'ticket_closed', 'This request is closed. Please write a new one');
    if (await isDuplicateReply(trx, { ticketId, kind: 'asker', message }, now))
      return withReplies(trx, ticket);
    await limitReplies(trx, ticketId);
    await trx
      .insertInto('supportReplies')
      .values({ ticketId, kind: 'asker', message, createdAt: now })
      .execute();
    await trx
      .updateTable('supportTickets')
      .set({ askedAt: now, status: sql`case status when 'resolved' then 'open' else status end` })
      .where('id', '=', ticketId)
      .execute();
    await mailRequesterReply(trx, ticket);
    return withReplies(trx, await findTicket(trx, ticketId));
  });
}
