import { type ExpressionBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { TicketStatus } from '#app/db/tables/support.ts';
import type { Database } from '#app/db/tables.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { text } from '#app/domain/platform/input-schema.ts';
import { isAfterCursor, type Page, PageQuery, toPage } from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { containsPattern } from '#app/domain/platform/sql-like.ts';
import { isDuplicateReply } from './duplicates.ts';
import { RESPONSE_HOURS, TICKET_SEARCH_MAX } from './limits.ts';
import { mailAnswer } from './mails.ts';
import { type TicketReply, ticketStatus } from './schema.ts';
import { findTicket, lockTicket, selectTickets, type Ticket } from './thread.ts';

const HOUR_MS = 3_600_000;

/** `q` searches subject, message, name, address and number. */
export const TicketsQuery = PageQuery.extend({
  status: ticketStatus.optional(),
  q: text('The search', TICKET_SEARCH_MAX).optional(),
});
export type TicketsQuery = z.output<typeof TicketsQuery>;

/** Uses a trigram index. */
const containsText = (q: string) =>
  sql<boolean>`(subject || ' ' || message || ' ' || name || ' ' || email) ilike ${containsPattern(q)}`;

/** The largest int4. */
const NUMBER_MAX = 2_147_483_647;

function parseTicketNumber(q: string): number | null {
  const number = Number(/^#?(\d{1,10})$/.exec(q)?.[1] ?? Number.NaN);
  return number <= NUMBER_MAX ? number : null;
}

/** How long a request has waited for our answer; null when we wrote last or it is closed. */
function waitingTime({ status, askedAt, answeredAt }: Ticket, now: Date) {
  const isClosed = status === 'resolved' || status === 'closed';
  const isWaiting = !isClosed && (answeredAt === null || answeredAt < askedAt);
  const waitsMs = isWaiting ? now.getTime() - askedAt.getTime() : null;
  return { waitsMs, isLate: waitsMs !== null && waitsMs > RESPONSE_HOURS * HOUR_MS };
}
/** `accountEmail`: the verified address of the requester's account; null without an account. */
type TicketRow = Ticket & { accountEmail: string | null };
const withWait = (ticket: TicketRow, now: Date) => ({ ...ticket, ...waitingTime(ticket, now) });
export type QueuedTicket = ReturnType<typeof withWait>;

const accountEmail = (eb: ExpressionBuilder<Database, 'supportTickets'>) =>
  eb
    .selectFrom('users')
    .select('users.email')
    .whereRef('users.id', '=', 'supportTickets.userId')
    .as('accountEmail');

export async function listTickets(
  db: Db,
  { status, q, ...query }: TicketsQuery,
  now = databaseNow(),
): Promise<Page<QueuedTicket>> {
  const rows = await selectTickets(db)
    .select(accountEmail)
    .$if(status !== undefined, (select) => select.where('status', '=', status!))
    .$if(Boolean(q), (select) =>
      select.where(({ eb, or }) =>
        or([
          containsText(q!),
          ...(parseTicketNumber(q!) === null ? [] : [eb('number', '=', parseTicketNumber(q!)!)]),
        ]),
      ),
    )
    .where(isAfterCursor(query.cursor, 'askedAt'))
    .orderBy('askedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute();
  const page = toPage(rows, query.limit, ({ askedAt, id }) => ({ at: askedAt, id }));
  return { ...page, rows: page.rows.map((row) => withWait(row, now)) };
}

export async function readTicket(db: Db, ticketId: string, now = databaseNow()) {
  const { id } = await findTicket(db, ticketId);
  const query = selectTickets(db).select(accountEmail).where('id', '=', id);
  const ticket = await query.executeTakeFirstOrThrow(() => notFound('This request'));
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

type NewReply = TicketReply & { ticketId: string };

async function insertReply(
  trx: Trx,
  admin: Actor,
  kind: 'answer' | 'note',
  { ticketId, message }: NewReply,
  now: Date,
): Promise<boolean> {
  const reply = { ticketId, kind, message, adminId: admin.userId };
  if (await isDuplicateReply(trx, reply, now)) return false;
  await trx
    .insertInto('supportReplies')
    .values({ ...reply, createdAt: now })
    .execute();
  return true;
}

/** Mails the answer to the requester. An open request becomes in progress, unless a `status` is passed. */
export async function replyToTicket(
  db: Db,
  admin: Actor,
  { status, ...input }: NewReply & { status?: TicketStatus | undefined },
  now = databaseNow(),
): Promise<TicketThread> {
  return transact(db, async (trx) => {
    const ticket = await lockTicket(trx, input.ticketId);
    const newStatus = status ?? (ticket.status === 'open' ? 'in_progress' : ticket.status);
    const isStored = await insertReply(trx, admin, 'answer', input, now);
    if (!isStored && newStatus === ticket.status) return readTicket(trx, ticket.id, now);
    await trx
      .updateTable('supportTickets')
      .set({ status: newStatus, ...(isStored && { answeredAt: now }) })
      .where('id', '=', ticket.id)
      .execute();
    if (isStored) await mailAnswer(trx, ticket, input.message, now);
    const { number } = ticket;
    const change = newStatus !== ticket.status && { status: newStatus };
    const entry = { action: 'support.answered', subjectId: ticket.id, detail: { number, ...change } };
    await recordAdminAction(
      trx,
      admin,
      { ...entry, ...(change && { before: { status: ticket.status } }) },
      now,
    );
    return readTicket(trx, ticket.id, now);
  });
}

export async function noteOnTicket(
  db: Db,
  admin: Actor,
  input: NewReply,
  now = databaseNow(),
): Promise<TicketThread> {
  return transact(db, async (trx) => {
    const { id, number } = await lockTicket(trx, input.ticketId);
    if (!(await insertReply(trx, admin, 'note', input, now))) return readTicket(trx, id, now);
    await recordAdminAction(trx, admin, { action: 'support.noted', subjectId: id, detail: { number } }, now);
    return readTicket(trx, id, now);
  });
}

/** Does not send a mail. Setting the current status again changes and records nothing. */
export async function setTicketStatus(
  db: Db,
  admin: Actor,
  { ticketId, status }: { ticketId: string; status: TicketStatus },
  now = databaseNow(),
): Promise<TicketThread> {
  return transact(db, async (trx) => {
    const { id, number, status: previousStatus } = await lockTicket(trx, ticketId);
    if (status === previousStatus) return readTicket(trx, id, now);
    await trx.updateTable('supportTickets').set({ status }).where('id', '=', id).execute();
    const entry = {
      action: 'support.status',
      subjectId: id,
      detail: { number, status },
      before: { status: previousStatus },
    };
    await recordAdminAction(trx, admin, entry, now);
    return readTicket(trx, id, now);
  });
}
