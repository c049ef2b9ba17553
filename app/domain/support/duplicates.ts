import type { Trx } from '#app/db/client.ts';
import type { ReplyKind } from '#app/db/tables/support.ts';
import type { TicketInput } from './schema.ts';
import { selectTickets } from './thread.ts';

const TWICE_WITHIN_MS = 60_000;

/** Who asks: an account, or an address without one. */
export type CodeRequester = { userId: string | null; email: string };

const ticketsOf = (trx: Trx, { userId, email }: CodeRequester) =>
  userId === null
    ? selectTickets(trx).where('userId', 'is', null).where('email', '=', email)
    : selectTickets(trx).where('userId', '=', userId);

/** The same, sent twice: a button was pressed again, or a page loaded anew. */
export const findSame = (
  trx: Trx,
  asker: CodeRequester,
  { email, subject, message }: TicketInput,
  now: Date,
) =>
  ticketsOf(trx, asker)
    .where('email', '=', email)
    .where('subject', '=', subject)
    .where('message', '=', message)
    .where('createdAt', '>', new Date(now.getTime() - TWICE_WITHIN_MS))
    .limit(1)
    .executeTakeFirst();

type Word = { ticketId: string; kind: ReplyKind; message: string; adminId?: string };

/** The same word in a thread, sent twice; whoever asks has locked the request. */
export async function isDuplicateWord(trx: Trx, { ticketId, kind, message, adminId }: Word, now: Date) {
  const same = await trx
    .selectFrom('supportReplies')
    .select('id')
    .where('ticketId', '=', ticketId)
    .where('kind', '=', kind)
    .where('message', '=', message)
    .where('adminId', 'is not distinct from', adminId ?? null)
    .where('createdAt', '>', new Date(now.getTime() - TWICE_WITHIN_MS))
    .limit(1)
    .executeTakeFirst();
  return same !== undefined;
}
