import { FEEDBACK_GROUP_WORDS, FEEDBACK_STATUSES, FEEDBACK_TYPES } from '#app/domain/feedback/limits.ts';
import type { ManagedFeedback } from '#app/domain/feedback/manage.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatMinute } from '#app/domain/platform/dates.ts';
import { TICKET_CATEGORIES, TICKET_STATUSES } from '#app/domain/support/limits.ts';
import type { QueuedTicket, TicketThread } from '#app/domain/support/list-tickets.ts';
import { optionsOf } from '#app/ui/text.ts';

const HOUR_MS = 3_600_000;

const timeOf = (at: Date, { timeZone }: Actor) => ({
  iso: at.toISOString(),
  text: formatMinute(at, timeZone),
});

/** How long somebody has waited for us. */
function waitInWords(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  if (hours < 1) return 'Waits for us for less than 1 h';
  return hours < 48 ? `Waits for us for ${hours} h` : `Waits for us for ${Math.floor(hours / 24)} days`;
}

/** What an admin has to know before they answer with what is somebody's alone. */
const provedBy = ({ email, accountEmail }: QueuedTicket) =>
  accountEmail === email
    ? ''
    : accountEmail
      ? `signed in as ${accountEmail}`
      : 'not signed in: nobody has proved this address';

/** A request in the line of a list, in the admin's time zone. */
export const presentTicket = ({ waitsMs, isLate, ...ticket }: QueuedTicket, admin: Actor) => ({
  proof: provedBy({ waitsMs, isLate, ...ticket }),
  id: ticket.id,
  title: ticket.subject,
  text: ticket.message,
  number: ticket.number,
  name: ticket.name,
  email: ticket.email,
  status: ticket.status,
  isLate,
  about: TICKET_CATEGORIES[ticket.category],
  wait: waitsMs === null ? null : waitInWords(waitsMs),
  at: timeOf(ticket.askedAt, admin),
});
export type PresentedTicket = ReturnType<typeof presentTicket>;

const WROTE = { asker: 'wrote', answer: 'answered', note: 'noted for admins' };

/** The same with its thread, what was asked first in it. */
export const presentThread = ({ replies, ...ticket }: TicketThread, admin: Actor) => ({
  ...presentTicket(ticket, admin),
  words: [{ ...ticket, kind: 'asker' as const, adminName: null }, ...replies].map(
    ({ id, kind, message, adminName, createdAt }) => ({
      id,
      kind,
      message,
      by: kind === 'asker' ? ticket.name : (adminName ?? 'A deleted account'),
      did: WROTE[kind],
      at: timeOf(createdAt, admin),
    }),
  ),
});
export type PresentedThread = ReturnType<typeof presentThread>;

export const presentFeedback = ({ createdAt, type, rating, ...entry }: ManagedFeedback, admin: Actor) => ({
  id: entry.id,
  title: entry.title,
  text: entry.description,
  status: entry.status,
  name: entry.name,
  email: entry.email,
  about: FEEDBACK_TYPES[type],
  votes: entry.upvotes === 1 ? '1 vote' : `${entry.upvotes} votes`,
  rating: rating && `Rated ${rating}`,
  at: timeOf(createdAt, admin),
});
export type PresentedFeedback = ReturnType<typeof presentFeedback>;

export const TICKET_OPTIONS = optionsOf(TICKET_STATUSES);
export const FEEDBACK_OPTIONS = optionsOf(FEEDBACK_STATUSES);
/** What the list of feedback is narrowed to: a status, or several that belong together. */
export const FEEDBACK_FILTERS = optionsOf({ ...FEEDBACK_STATUSES, ...FEEDBACK_GROUP_WORDS });
