import { formatInstant, formatMinute } from '#app/domain/platform/dates.ts';
import { TICKET_CATEGORIES } from '#app/domain/support/limits.ts';
import type { Thread } from '#app/domain/support/thread.ts';
import type { OwnTicket } from '#app/domain/support/tickets.ts';

/** A request as the list of its asker shows it. */
export function presentTicket(ticket: OwnTicket, timeZone: string) {
  const { id, number, subject, category, status, createdAt, latestAnswer, askedAt, answeredAt } = ticket;
  const isAnswered = answeredAt !== null && answeredAt >= askedAt;
  return {
    id,
    number,
    subject,
    isAnswered,
    category: TICKET_CATEGORIES[category],
    status,
    latestAnswer,
    isOver: status === 'resolved' || status === 'closed',
    at: { iso: createdAt.toISOString(), text: formatMinute(createdAt, timeZone) },
  };
}

/** A request with its thread as its asker reads it, and whether they can write in it. */
export function presentThread(thread: Thread, timeZone: string) {
  const { id, number, subject, category, status, message, createdAt } = thread;
  const all = [{ id, kind: 'asker', message, createdAt }, ...thread.replies];
  return {
    id,
    number,
    subject,
    status,
    category: TICKET_CATEGORIES[category],
    isClosed: status === 'closed',
    isResolved: status === 'resolved',
    messages: all.map((each) => ({
      id: each.id,
      isOurs: each.kind === 'answer',
      text: each.message,
      at: { iso: each.createdAt.toISOString(), text: formatInstant(each.createdAt, timeZone) },
    })),
  };
}
export type ThreadView = ReturnType<typeof presentThread>;
