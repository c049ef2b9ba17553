import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { repeatUntilFewer } from '#app/domain/platform/batches.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { isAfterCursor, type Page, type PageQuery, toPage } from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { findDuplicate, type TicketAuthor } from './duplicates.ts';
import { TICKET_RETENTION_DAYS } from './limits.ts';
import { mailNewTicket } from './mails.ts';
import { addRequesterReply } from './reply.ts';
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

const lockTicketsOf = (trx: Trx, { userId, email }: TicketAuthor) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`support ${userId ?? email}`}, 0))`.execute(trx);

/** An unverified address gets no mail before an admin answers, and no account gets its request. */
export async function submitTicket(
  db: Db,
  actor: Actor | null,
  input: TicketInput,
  now = databaseNow(),
): Promise<Ticket> {
  const author = { userId: actor?.userId ?? null, email: input.email };
  return transact(db, async (trx) => {
    await lockTicketsOf(trx, author);
    const duplicate = await findDuplicate(trx, author, input, now);
    if (duplicate) return duplicate;
    const ticket = await trx
      .insertInto('supportTickets')
      .values({ ...input, userId: author.userId, createdAt: now, askedAt: now })
      .returning(TICKET_COLUMNS)
      .executeTakeFirstOrThrow();
    await mailNewTicket(trx, ticket, now);
    return ticket;
  });
}

const EXCERPT_LENGTH = 200;

export async function listOwnTickets(db: Db, { userId }: Actor, query: PageQuery) {
  const rows = await selectTickets(db)
    .select(({ selectFrom }) =>
      selectFrom('supportReplies')
        .select(sql<string>`left(message, ${EXCERPT_LENGTH})`.as('opening'))
        .whereRef('ticketId', '=', 'supportTickets.id')
        .where('kind', '=', 'answer')
        .orderBy('supportReplies.createdAt', 'desc')
        .limit(1)
        .as('latestAnswer'),
    )
    .where('userId', '=', userId)
    .where(isAfterCursor(query.cursor, 'createdAt'))
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

export const findOwnTicket = async (db: Db, actor: Actor, ticketId: string): Promise<Thread> =>
  withReplies(db, await findOwn(db, actor, ticketId));

export async function answerOwnTicket(
  db: Db,
  actor: Actor,
  input: TicketReply & { ticketId: string },
  now = databaseNow(),
): Promise<Thread> {
  await findOwn(db, actor, input.ticketId);
  return addRequesterReply(db, input, now);
}

/** Deletes a user's requests, and those without an account from the same address. */
export async function deleteUserTickets(
  trx: Trx,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await trx.deleteFrom('supportTickets').where('userId', '=', id).execute();
  await trx.deleteFrom('supportTickets').where('userId', 'is', null).where('email', '=', email).execute();
}

const BATCH_SIZE = 500;

export async function deleteOldTickets(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - TICKET_RETENTION_DAYS * DAY_MS);
  await repeatUntilFewer(BATCH_SIZE, () =>
    sql`delete from support_tickets where id in (
      select id from support_tickets
      where user_id is null and greatest(asked_at, answered_at) < ${before}
      order by greatest(asked_at, answered_at) limit ${BATCH_SIZE} for update skip locked)`.execute(db),
  );
}
