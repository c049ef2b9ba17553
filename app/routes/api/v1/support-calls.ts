import { PageQuery } from '#app/domain/paging.ts';
import { TicketInput, TicketStatusInput } from '#app/domain/support/schema.ts';
import { findOwnTicket, listOwnTickets, submitTicket } from '#app/domain/support/support-tickets.ts';
import { listTickets, setTicketStatus, TicketsQuery } from '#app/domain/support/ticket-desk.ts';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { limitAccount, limitAsking } from '#app/http/limit.ts';
import { PUBLIC_BODY_BYTES_MAX } from '#app/http/limits.ts';
import { SAYS } from './says-support.ts';
import { deskTicketShape, threadShape, ticketShape } from './shapes-support.ts';

const handler = apiRoutes({
  '/support/submit': {
    POST: endpoint(
      'anybody',
      TicketInput,
      SAYS.submitTicket,
      async ({ db, actor, input }) => {
        return { ticket: ticketShape(await submitTicket(db, actor, input)) };
      },
      {
        mostBytes: PUBLIC_BODY_BYTES_MAX,
        isOnce: true,
        limit: ({ actor, request, input }) =>
          actor ? limitAccount('ask', actor.userId) : limitAsking(request, input.email),
      },
    ),
  },
  '/support/tickets': {
    GET: endpoint('user', PageQuery, SAYS.tickets, async ({ db, actor, input }) => {
      const { rows, nextCursor } = await listOwnTickets(db, actor, input);
      return { tickets: rows.map(ticketShape), nextCursor };
    }),
  },
  '/support/tickets/:id': {
    GET: endpoint('user', null, SAYS.ticket, async ({ db, actor, params }) => ({
      ticket: threadShape(await findOwnTicket(db, actor, params.id!)),
    })),
  },
  '/support/admin/all': {
    GET: endpoint('admin', TicketsQuery, SAYS.allTickets, async ({ db, input }) => {
      const { rows, nextCursor } = await listTickets(db, input);
      return { tickets: rows.map(deskTicketShape), nextCursor };
    }),
  },
  '/support/admin/:id/status': {
    PUT: endpoint(
      'admin',
      TicketStatusInput,
      SAYS.ticketStatus,
      async ({ db, actor, params, input }) => ({
        ticket: deskTicketShape(await setTicketStatus(db, actor, { ...input, ticketId: params.id! })),
      }),
      { isConfirmed: true },
    ),
  },
});

export const loader = handler;
export const action = handler;
