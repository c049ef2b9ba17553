import { z } from 'zod';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { listTickets, setTicketStatus, TicketsQuery } from '#app/domain/support/list-tickets.ts';
import { TicketInput, TicketStatusInput } from '#app/domain/support/schema.ts';
import type { Thread as ThreadRow, Ticket as TicketRow } from '#app/domain/support/thread.ts';
import { findOwnTicket, listOwnTickets, submitTicket } from '#app/domain/support/tickets.ts';
import { type Calls, endpoint } from '#app/http/api/endpoint.ts';
import { email, id, instant, iso, name, pageOf } from '#app/http/api/schemas.ts';
import { PUBLIC_BODY_BYTES_MAX } from '#app/http/limits.ts';
import { limitAccount, limitSupportRequest } from '#app/http/rate-limit.ts';

const Ticket = z
  .object({
    _id: id,
    number: z.int().min(1),
    name,
    email,
    category: z.string(),
    subject: z.string(),
    message: z.string(),
    status: z.enum(['open', 'in_progress', 'resolved', 'closed']),
    createdAt: instant,
    updatedAt: instant,
    answeredAt: instant.nullable(),
  })
  .meta({ id: 'Ticket' });
type Ticket = z.infer<typeof Ticket>;

const Reply = z.object({
  _id: id,
  author: z.enum(['support', 'user']),
  message: z.string(),
  createdAt: instant,
});
const Thread = Ticket.extend({ replies: z.array(Reply) }).meta({ id: 'TicketThread' });
type Thread = z.infer<typeof Thread>;

/** `userId` is null for a request that was sent without signing in. */
const AdminTicket = Ticket.extend({ userId: id.nullable() }).meta({ id: 'AdminTicket' });
type AdminTicket = z.infer<typeof AdminTicket>;

function ticketShape(ticket: TicketRow): Ticket {
  const { askedAt, answeredAt } = ticket;
  const updatedAt = answeredAt && answeredAt > askedAt ? answeredAt : askedAt;
  return {
    _id: ticket.id,
    number: ticket.number,
    name: ticket.name,
    email: ticket.email,
    category: ticket.category,
    subject: ticket.subject,
    message: ticket.message,
    status: ticket.status,
    createdAt: ticket.createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    answeredAt: iso(answeredAt),
  };
}

const threadShape = (thread: ThreadRow): Thread => ({
  ...ticketShape(thread),
  replies: thread.replies.map(({ id, kind, message, createdAt }) => ({
    _id: id,
    author: kind === 'answer' ? 'support' : 'user',
    message,
    createdAt: createdAt.toISOString(),
  })),
});

const adminTicketShape = (ticket: TicketRow): AdminTicket => ({
  ...ticketShape(ticket),
  userId: ticket.userId,
});

export const supportCalls: Calls = {
  '/support/submit': {
    POST: endpoint({
      summary: 'Sends a support request, with a token or without',
      access: 'anybody',
      input: TicketInput,
      example: {
        name: 'Ada Marlow',
        email: 'ada@example.com',
        category: 'billing',
        subject: 'My invoice',
        message: 'Where do I find it?',
      },
      isIdempotent: true,
      maxBodyBytes: PUBLIC_BODY_BYTES_MAX,
      limit: ({ actor, request, input }) =>
        actor ? limitAccount('ask', actor.userId) : limitSupportRequest(request, input.email),
      status: 201,
      response: z.object({ ticket: Ticket }),
      handle: async ({ db, actor, input }) => ({ ticket: ticketShape(await submitTicket(db, actor, input)) }),
    }),
  },
  '/support/tickets': {
    GET: endpoint({
      summary: 'Lists your own requests, newest first',
      access: 'user',
      input: PageQuery,
      response: pageOf('tickets', Ticket),
      handle: async ({ db, actor, input }) => {
        const { rows, nextCursor } = await listOwnTickets(db, actor, input);
        return { tickets: rows.map(ticketShape), nextCursor };
      },
    }),
  },
  '/support/tickets/:id': {
    GET: endpoint({
      summary: 'Returns one of your own requests with its replies',
      access: 'user',
      response: z.object({ ticket: Thread }),
      handle: async ({ db, actor, params }) => ({
        ticket: threadShape(await findOwnTicket(db, actor, params.id!)),
      }),
    }),
  },
  '/support/admin/all': {
    GET: endpoint({
      summary: 'Lists the requests of all users',
      access: 'admin',
      input: TicketsQuery,
      response: pageOf('tickets', AdminTicket),
      handle: async ({ db, input }) => {
        const { rows, nextCursor } = await listTickets(db, input);
        return { tickets: rows.map(adminTicketShape), nextCursor };
      },
    }),
  },
  '/support/admin/:id/status': {
    PUT: endpoint({
      summary: 'Sets the status of a request',
      access: 'admin',
      input: TicketStatusInput,
      example: { status: 'resolved' },
      requiresRecentAuth: true,
      response: z.object({ ticket: AdminTicket }),
      handle: async ({ db, actor, params, input }) => ({
        ticket: adminTicketShape(await setTicketStatus(db, actor, { ...input, ticketId: params.id! })),
      }),
    }),
  },
};
