import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { isDuplicateWord } from './duplicates.ts';
import { TICKET_REPLIES_MAX } from './limits.ts';
import { mailWrittenAgain } from './mails.ts';
import type { TicketReply } from './schema.ts';
import { findTicket, lockTicket, type Thread, withReplies } from './thread.ts';

const closed = () => new Refusal(409, 'ticket_closed', 'This request is closed. Please write a new one');
const full = () =>
  new Refusal(409, 'ticket_full', 'There is no more room in this request. Please write a new one');

async function requireRoom(trx: Trx, ticketId: string): Promise<void> {
  const { count } = await trx
    .selectFrom('supportReplies')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('ticketId', '=', ticketId)
    .where('kind', '=', 'asker')
    .executeTakeFirstOrThrow();
  if (Number(count) >= TICKET_REPLIES_MAX) throw full();
}

/**
 * Who asked writes again: what was resolved is open again by that, what is closed stays so. Admins are mailed once for all
 * that is written until one of them answers. The same, sent twice, is one. Whoever calls this knows that it is theirs.
 */
export async function writeAgain(
  db: Db,
  { ticketId, message }: TicketReply & { ticketId: string },
  now = databaseNow(),
): Promise<Thread> {
  return transact(db, async (trx) => {
    const ticket = await lockTicket(trx, ticketId);
    if (ticket.status === 'closed') throw closed();
    if (await isDuplicateWord(trx, { ticketId, kind: 'asker', message }, now))
      return withReplies(trx, ticket);
    await requireRoom(trx, ticketId);
    await trx
      .insertInto('supportReplies')
      .values({ ticketId, kind: 'asker', message, createdAt: now })
      .execute();
    await trx
      .updateTable('supportTickets')
      .set({ askedAt: now, status: sql`case status when 'resolved' then 'open' else status end` })
      .where('id', '=', ticketId)
      .execute();
    await mailWrittenAgain(trx, ticket);
    return withReplies(trx, await findTicket(trx, ticketId));
  });
}
