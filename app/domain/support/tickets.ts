import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { repeatUntilFewer } from '#app/domain/platform/batches.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { type Page, type PageQuery, readCursor, toPage } from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { type CodeRequester, findSame } from './duplicates.ts';
import { TICKET_KEPT_DAYS } from './limits.ts';
import { mailNewTicket } from './mails.ts';
import { writeAgain } from './reply.ts';
import type { TicketInput, TicketReply } from './schema.ts';
import {
  findTicket,
  selectTickets,
  type Thread,
  TICKET_COLUMNS,
  type Ticket,
  withReplies,
} from './thread.ts';

const DAY_MS = 86_400_000;

/** One after the other, however many are sent at once in the name of an account or an address. */
const inTurnOf = (trx: Trx, { userId, email }: CodeRequester) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`support ${userId ?? email}`}, 0))`.execute(trx);

/**
 * Takes in a request. It belongs to who is signed in. Whoever is not says an address that nobody has proved: nothing is
 * mailed there until one of us answers, and no account gets the request because it has that address.
 */
export async function submitTicket(
  db: Db,
  actor: Actor | null,
  input: TicketInput,
  now = databaseNow(),
): Promise<Ticket> {
  const asker = { userId: actor?.userId ?? null, email: input.email };
  return transact(db, async (trx) => {
    await inTurnOf(trx, asker);
    const same = await findSame(trx, asker, input, now);
    if (same) return same;
    const ticket = await trx
      .insertInto('supportTickets')
      .values({ ...input, userId: asker.userId, createdAt: now, askedAt: now })
      .returning(TICKET_COLUMNS)
      .executeTakeFirstOrThrow();
    await mailNewTicket(trx, ticket, now);
    return ticket;
  });
}

/** The beginning of the latest answer, as a list shows it. */
const OPENING = 200;

/** The actor's requests, newest first, with the beginning of the latest answer. */
export async function listOwnTickets(db: Db, { userId }: Actor, query: PageQuery) {
  const from = readCursor(query.cursor);
  const rows = await selectTickets(db)
    .select(({ selectFrom }) =>
      selectFrom('supportReplies')
        .select(sql<string>`left(message, ${OPENING})`.as('opening'))
        .whereRef('ticketId', '=', 'supportTickets.id')
        .where('kind', '=', 'answer')
        .orderBy('supportReplies.createdAt', 'desc')
        .limit(1)
        .as('latestAnswer'),
    )
    .where('userId', '=', userId)
    .$if(from !== undefined, (q) =>
      q.where((eb) => eb(eb.refTuple('createdAt', 'id'), '<', eb.tuple(from!.at, from!.id))),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute();
  return toPage(rows, query.limit, ({ createdAt, id }) => ({ at: createdAt, id })) satisfies Page<Ticket>;
}
export type OwnTicket = Awaited<ReturnType<typeof listOwnTickets>>['rows'][number];

async function findOwn(db: Db, { userId }: Actor, ticketId: string): Promise<Ticket> {
  const ticket = await findTicket(db, ticketId);
  if (ticket.userId !== userId) throw notFound('This request');
  return ticket;
}

/** One of the actor's requests, with its thread. */
export const findOwnTicket = async (db: Db, actor: Actor, ticketId: string): Promise<Thread> =>
  withReplies(db, await findOwn(db, actor, ticketId));

/** The actor writes again in a request of theirs. */
export async function answerOwnTicket(
  db: Db,
  actor: Actor,
  input: TicketReply & { ticketId: string },
  now = databaseNow(),
): Promise<Thread> {
  await findOwn(db, actor, input.ticketId);
  return writeAgain(db, input, now);
}

/** Forgets what an account asked, and what was asked without one under its address. */
export async function deleteTicketsOf(trx: Trx, { id, email }: { id: string; email: string }): Promise<void> {
  await trx.deleteFrom('supportTickets').where('userId', '=', id).execute();
  await trx.deleteFrom('supportTickets').where('userId', 'is', null).where('email', '=', email).execute();
}

/** In one statement: nobody waits for a long one. */
const AT_ONCE = 500;

/** Forgets what belongs to no account, so long after the last word in it. */
export async function deleteOldTickets(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - TICKET_KEPT_DAYS * DAY_MS);
  await repeatUntilFewer(AT_ONCE, () =>
    sql`delete from support_tickets where id in (
      select id from support_tickets
      where user_id is null and greatest(asked_at, answered_at) < ${before}
      order by greatest(asked_at, answered_at) limit ${AT_ONCE} for update skip locked)`.execute(db),
  );
}
