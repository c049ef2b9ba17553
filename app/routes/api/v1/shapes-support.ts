import type { Thread, Ticket } from '#app/domain/support/thread.ts';

/** A request as who asked reads it. */
export function ticketShape({ id, number, name, email, category, subject, message, ...ticket }: Ticket) {
  const { status, createdAt, askedAt, answeredAt } = ticket;
  const updatedAt = answeredAt && answeredAt > askedAt ? answeredAt : askedAt;
  return {
    _id: id,
    number,
    name,
    email,
    category,
    subject,
    message,
    status,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    answeredAt: answeredAt?.toISOString() ?? null,
  };
}

/** The same with what was written after it. */
export const threadShape = (thread: Thread) => ({
  ...ticketShape(thread),
  replies: thread.replies.map(({ id, kind, message, createdAt }) => ({
    _id: id,
    author: kind === 'answer' ? ('support' as const) : ('user' as const),
    message,
    createdAt: createdAt.toISOString(),
  })),
});

/** As admins read it: of whom it is, when they were signed in. */
export const deskTicketShape = (ticket: Ticket) => ({ ...ticketShape(ticket), userId: ticket.userId });
