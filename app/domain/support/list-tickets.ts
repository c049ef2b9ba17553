import { type ExpressionBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { TicketStatus } from '#app/db/tables/support.ts';
import type { Database } from '#app/db/tables.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { text } from '#app/domain/platform/input-schema.ts';
import { type Page, PageQuery, readCursor, toPage } from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { has } from '#app/domain/platform/sql-like.ts';
import { isDuplicateWord } from './duplicates.ts';
import { ANSWERED_WITHIN_HOURS, TICKET_SEARCH_MAX } from './limits.ts';
import { mailAnswer } from './mails.ts';
import { type TicketReply, ticketStatus } from './schema.ts';
import { findTicket, lockTicket, selectTickets, type Ticket } from './thread.ts';

const HOUR_MS = 3_600_000;

/** Which requests of everybody: of a status, and with a text in subject, message, name, address or number. */
export const TicketsQuery = PageQuery.extend({
  status: ticketStatus.optional(),
  q: text('The search', TICKET_SEARCH_MAX).optional(),
});
export type TicketsQuery = z.output<typeof TicketsQuery>;

/** It stands in subject, message, name or address; an index of its trigrams answers. */
const saysIn = (q: string) =>
  sql<boolean>`(subject || ' ' || message || ' ' || name || ' ' || email) ilike ${has(q)}`;

/** The largest number that there can be. */
const NUMBER_MAX = 2_147_483_647;

function numberIn(q: string): number | null {
  const number = Number(/^#?(\d{1,10})$/.exec(q)?.[1] ?? Number.NaN);
  return number <= NUMBER_MAX ? number : null;
}

/** How a request stands with the promise to answer: it waits for us unless we wrote last, or it is over. */
function waitOf({ status, askedAt, answeredAt }: Ticket, now: Date) {
  const isOver = status === 'resolved' || status === 'closed';
  const waits = !isOver && (answeredAt === null || answeredAt < askedAt);
  const waitsMs = waits ? now.getTime() - askedAt.getTime() : null;
  return { waitsMs, isLate: waitsMs !== null && waitsMs > ANSWERED_WITHIN_HOURS * HOUR_MS };
}
/** `accountEmail`: the address of the account that asked, which proved it; null when nobody was signed in. */
type TicketRow = Ticket & { accountEmail: string | null };
const withWait = (ticket: TicketRow, now: Date) => ({ ...ticket, ...waitOf(ticket, now) });
export type QueuedTicket = ReturnType<typeof withWait>;

const accountEmail = (eb: ExpressionBuilder<Database, 'supportTickets'>) =>
  eb
    .selectFrom('users')
    .select('users.email')
    .whereRef('users.id', '=', 'supportTickets.userId')
    .as('accountEmail');

/** Everybody's requests, the one first in which its asker wrote last. */
export async function listTickets(
  db: Db,
  { status, q, ...query }: TicketsQuery,
  now = databaseNow(),
): Promise<Page<QueuedTicket>> {
  const from = readCursor(query.cursor);
  const rows = await selectTickets(db)
    .select(accountEmail)
    .$if(status !== undefined, (select) => select.where('status', '=', status!))
    .$if(Boolean(q), (select) =>
      select.where(({ eb, or }) =>
        or([saysIn(q!), ...(numberIn(q!) === null ? [] : [eb('number', '=', numberIn(q!)!)])]),
      ),
    )
    .$if(from !== undefined, (select) =>
      select.where((eb) => eb(eb.refTuple('askedAt', 'id'), '<', eb.tuple(from!.at, from!.id))),
    )
    .orderBy('askedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute();
  const page = toPage(rows, query.limit, ({ askedAt, id }) => ({ at: askedAt, id }));
  return { ...page, rows: page.rows.map((row) => withWait(row, now)) };
}

/** A request with its whole thread, notes among it, and who of us wrote what. */
export async function readTicket(db: Db, ticketId: string, now = databaseNow()) {
  const { id } = await findTicket(db, ticketId);
  const asked = selectTickets(db).select(accountEmail).where('id', '=', id);
  const ticket = await asked.executeTakeFirstOrThrow(() => notFound('This request'));
  const replies = await db
    .selectFrom('supportReplies')
    .leftJoin('users', 'users.id', 'adminId')
    .select(['supportReplies.id', 'kind', 'message', 'supportReplies.createdAt', 'users.name as adminName'])
    .where('ticketId', '=', ticket.id)
    .orderBy('supportReplies.createdAt')
    .orderBy('supportReplies.id')
    .execute();
  return { ...withWait(ticket, now), replies };
}
export type TicketThread = Awaited<ReturnType<typeof readTicket>>;

type Written = TicketReply & { ticketId: string };

/** Answers false when the same was written just now: a form came twice. */
async function write(
  trx: Trx,
  admin: Actor,
  kind: 'answer' | 'note',
  { ticketId, message }: Written,
  now: Date,
): Promise<boolean> {
  const word = { ticketId, kind, message, adminId: admin.userId };
  if (await isDuplicateWord(trx, word, now)) return false;
  await trx
    .insertInto('supportReplies')
    .values({ ...word, createdAt: now })
    .execute();
  return true;
}

/**
 * Answers who asked, who is mailed the answer. What was open is in progress then; with a `status` it is that. A request
 * that is closed can be answered, too: its asker cannot answer that. The same answer, sent twice, is one.
 */
export async function replyToTicket(
  db: Db,
  admin: Actor,
  { status, ...input }: Written & { status?: TicketStatus | undefined },
  now = databaseNow(),
): Promise<TicketThread> {
  return transact(db, async (trx) => {
    const ticket = await lockTicket(trx, input.ticketId);
    const becomes = status ?? (ticket.status === 'open' ? 'in_progress' : ticket.status);
    const isNew = await write(trx, admin, 'answer', input, now);
    if (!isNew && becomes === ticket.status) return readTicket(trx, ticket.id, now);
    await trx
      .updateTable('supportTickets')
      .set({ status: becomes, ...(isNew && { answeredAt: now }) })
      .where('id', '=', ticket.id)
      .execute();
    if (isNew) await mailAnswer(trx, ticket, input.message, now);
    const { number } = ticket;
    const changes = becomes !== ticket.status && { status: becomes };
    const entry = { action: 'support.answered', subjectId: ticket.id, detail: { number, ...changes } };
    await recordAdminAction(
      trx,
      admin,
      { ...entry, ...(changes && { before: { status: ticket.status } }) },
      now,
    );
    return readTicket(trx, ticket.id, now);
  });
}

/** Notes something for the other admins. Who asked never reads it. */
export async function noteOnTicket(
  db: Db,
  admin: Actor,
  input: Written,
  now = databaseNow(),
): Promise<TicketThread> {
  return transact(db, async (trx) => {
    const { id, number } = await lockTicket(trx, input.ticketId);
    if (!(await write(trx, admin, 'note', input, now))) return readTicket(trx, id, now);
    await recordAdminAction(trx, admin, { action: 'support.noted', subjectId: id, detail: { number } }, now);
    return readTicket(trx, id, now);
  });
}

/** Gives a request another status. Nobody is mailed. The same once more changes and records nothing. */
export async function setTicketStatus(
  db: Db,
  admin: Actor,
  { ticketId, status }: { ticketId: string; status: TicketStatus },
  now = databaseNow(),
): Promise<TicketThread> {
  return transact(db, async (trx) => {
    const { id, number, status: before } = await lockTicket(trx, ticketId);
    if (status === before) return readTicket(trx, id, now);
    await trx.updateTable('supportTickets').set({ status }).where('id', '=', id).execute();
    const entry = {
      action: 'support.status',
      subjectId: id,
      detail: { number, status },
      before: { status: before },
    };
    await recordAdminAction(trx, admin, entry, now);
    return readTicket(trx, id, now);
  });
}
