import { FEEDBACK_GROUP_WORDS, FEEDBACK_STATUSES, FEEDBACK_TYPES } from '#app/domain/feedback/limits.ts';
import type { ManagedFeedback } from '#app/domain/feedback/manage.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { presentTime } from '#app/domain/platform/dates.ts';
import { TICKET_CATEGORIES, TICKET_STATUSES } from '#app/domain/support/limits.ts';
import type { QueuedTicket, TicketThread } from '#app/domain/support/list-tickets.ts';
import { optionsOf } from '#app/ui/text.ts';

const HOUR_MS = 3_600_000;

function formatWait(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  if (hours < 1) return 'Waits for us for less than 1 h';
  return hours < 48 ? `Waits for us for ${hours} h` : `Waits for us for ${Math.floor(hours / 24)} days`;
}

/** Shown so that no admin answers an unproved address with private data. */
const proofOf = ({ email, accountEmail }: QueuedTicket) =>
  accountEmail === email
    ? ''
    : accountEmail
      ? `signed in as ${accountEmail}`
      : 'not signed in: nobody has proved this address';

export const presentTicket = (ticket: QueuedTicket, { timeZone }: Actor) => ({
  proof: proofOf(ticket),
  id: ticket.id,
  title: ticket.subject,
  text: ticket.message,
  number: ticket.number,
  name: ticket.name,
  email: ticket.email,
  status: ticket.status,
  isLate: ticket.isLate,
  about: TICKET_CATEGORIES[ticket.category],
  wait: ticket.waitsMs === null ? null : formatWait(ticket.waitsMs),
  at: presentTime(ticket.askedAt, timeZone),
});
export type PresentedTicket = ReturnType<typeof presentTicket>;

const VERBS = { asker: 'wrote', answer: 'answered', note: 'noted for admins' };

/** With its messages, the request itself first. */
export const presentThread = ({ replies, ...ticket }: TicketThread, admin: Actor) => ({
  ...presentTicket(ticket, admin),
  messages: [{ ...ticket, kind: 'asker' as const, adminName: null }, ...replies].map(
    ({ id, kind, message, adminName, createdAt }) => ({
      id,
      kind,
      message,
      by: kind === 'asker' ? ticket.name : (adminName ?? 'A deleted account'),
      verb: VERBS[kind],
      at: presentTime(createdAt, admin.timeZone),
    }),
  ),
});
export type PresentedThread = ReturnType<typeof presentThread>;

export const presentFeedback = (entry: ManagedFeedback, { timeZone }: Actor) => ({
  id: entry.id,
  title: entry.title,
  text: entry.description,
  status: entry.status,
  name: entry.name,
  email: entry.email,
  about: FEEDBACK_TYPES[entry.type],
  votes: entry.upvotes === 1 ? '1 vote' : `${entry.upvotes} votes`,
  rating: entry.rating && `Rated ${entry.rating}`,
  at: presentTime(entry.createdAt, timeZone),
});
export type PresentedFeedback = ReturnType<typeof presentFeedback>;

export const TICKET_OPTIONS = optionsOf(TICKET_STATUSES);
export const FEEDBACK_OPTIONS = optionsOf(FEEDBACK_STATUSES);
/** Each status, and the groups of several. */
export const FEEDBACK_FILTERS = optionsOf({ ...FEEDBACK_STATUSES, ...FEEDBACK_GROUP_WORDS });
