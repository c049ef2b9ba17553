import type { Trx } from '#app/db/client.ts';
import { isAskedWith, KEY_KEPT_MS, otherBody } from '#app/domain/asked-as.ts';
import type { TicketInput } from './schema.ts';
import { selectTickets, type Ticket } from './thread.ts';

const TWICE_WITHIN_MS = 60_000;

/** Who asks: an account, or an address without one. */
export type Asker = { userId: string | null; email: string };

const askedBy = (trx: Trx, { userId, email }: Asker) =>
  userId === null
    ? selectTickets(trx).where('userId', 'is', null).where('email', '=', email)
    : selectTickets(trx).where('userId', '=', userId);

/** The same, sent twice: a button was pressed again, or a page loaded anew. */
export const findSame = (trx: Trx, asker: Asker, { email, subject, message }: TicketInput, now: Date) =>
  askedBy(trx, asker)
    .where('email', '=', email)
    .where('subject', '=', subject)
    .where('message', '=', message)
    .where('createdAt', '>', new Date(now.getTime() - TWICE_WITHIN_MS))
    .limit(1)
    .executeTakeFirst();

/** Whoever sends it again is answered as the first time, whatever has become of it. */
const asSent = (ticket: Ticket): Ticket => ({
  ...ticket,
  status: 'open',
  askedAt: ticket.createdAt,
  answeredAt: null,
});

/** What a program has asked for with a key. Refuses another body with it; after a day it is free again. */
export async function findAskedAs(
  trx: Trx,
  asker: Asker,
  { key, asked }: { key: string; asked: string },
  now: Date,
): Promise<Ticket | undefined> {
  const begun = await askedBy(trx, asker)
    .select('askedAs')
    .where(isAskedWith(key))
    .where('createdAt', '>', new Date(now.getTime() - KEY_KEPT_MS))
    .executeTakeFirst();
  if (begun && begun.askedAs !== asked) throw otherBody();
  if (begun) return asSent(begun);
  // One of before keeps its place without its key.
  const { userId, email } = asker;
  await trx
    .updateTable('supportTickets')
    .set({ askedAs: null })
    .where('askedAs', '=', asked)
    .where(({ and, eb }) =>
      userId === null ? and([eb('userId', 'is', null), eb('email', '=', email)]) : eb('userId', '=', userId),
    )
    .execute();
  return undefined;
}
