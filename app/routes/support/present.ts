import { formatInstant, presentTime } from '#app/domain/platform/dates.ts';
import { TICKET_CATEGORIES } from '#app/domain/support/limits.ts';
import type { Thread } from '#app/domain/support/thread.ts';
import type { OwnTicket } from '#app/domain/support/tickets.ts';

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
    isDone: status === 'resolved' || status === 'closed',
    at: presentTime(createdAt, timeZone),
  };
}

/** For the user who asked: the request itself is the first message. */
export function presentThread(thread: Thread, timeZone: string) {
  const { id, number, subject, category, status, message, createdAt } = thread;
  const messages = [{ id, kind: 'asker', message, createdAt }, ...thread.replies];
  return {
    id,
    number,
    subject,
    status,
    category: TICKET_CATEGORIES[category],
    isClosed: status === 'closed',
    isResolved: status === 'resolved',
    messages: messages.map((entry) => ({
      id: entry.id,
      isOurs: entry.kind === 'answer',
      text: entry.message,
      at: { iso: entry.createdAt.toISOString(), text: formatInstant(entry.createdAt, timeZone) },
    })),
  };
}
export type PresentedThread = ReturnType<typeof presentThread>;
