import { db } from '#app/db/client.ts';
import { findManagedFeedback, listFeedback } from '#app/domain/feedback/manage.ts';
import { AllFeedbackQuery } from '#app/domain/feedback/schema.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isCursor, PageQuery } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { findTicketOfFeedback } from '#app/domain/support/feedback-request.ts';
import { listTickets, readTicket, TicketsQuery } from '#app/domain/support/list-tickets.ts';
import { fillPlaceholders, listSavedReplies } from '#app/domain/support/save-reply.ts';
import { parseListQuery } from '#app/http/forms/query-params.ts';
import { type SupportQuery, supportAddress } from './paths.ts';
import {
  FEEDBACK_FILTERS,
  FEEDBACK_OPTIONS,
  presentFeedback,
  presentThread,
  presentTicket,
  TICKET_OPTIONS,
} from './present.ts';

const PER_PAGE = 25;

const QUERIES = { support: TicketsQuery, feedback: PageQuery.extend(AllFeedbackQuery.shape) };

/** Leaves out what the list could not be filtered by. */
export function parseSupportQuery(query: URLSearchParams): SupportQuery {
  const tab = query.get('tab') === 'feedback' ? 'feedback' : 'support';
  const { q = '', status = '' } = parseListQuery(QUERIES[tab], query, ['q', 'status']);
  const cursor = query.get('cursor') ?? '';
  return { tab, q, status, cursor: isCursor(cursor) ? cursor : '' };
}

const orNull = <T>(found: Promise<T>): Promise<T | null> =>
  found.catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });

async function loadTickets(admin: Actor, filter: object, open: string | null, now: Date) {
  const [{ rows, nextCursor }, opened, replies] = await Promise.all([
    listTickets(db(), TicketsQuery.parse(filter), now),
    open ? orNull(readTicket(db(), open, now)) : null,
    open ? listSavedReplies(db()) : [],
  ]);
  return {
    tickets: rows.map((row) => presentTicket(row, admin)),
    thread: opened && presentThread(opened, admin),
    replies: opened
      ? replies.map(({ id, title, message }) => ({ id, title, message: fillPlaceholders(message, opened) }))
      : [],
    feedback: [],
    entry: null,
    request: null,
    filters: TICKET_OPTIONS,
    statuses: TICKET_OPTIONS,
    nextCursor,
  };
}

async function loadFeedback(admin: Actor, filter: object, open: string | null) {
  const [{ rows, nextCursor }, opened, request] = await Promise.all([
    listFeedback(db(), QUERIES.feedback.parse(filter)),
    open ? orNull(findManagedFeedback(db(), open)) : null,
    open ? findTicketOfFeedback(db(), open) : null,
  ]);
  return {
    feedback: rows.map((row) => presentFeedback(row, admin)),
    entry: opened && presentFeedback(opened, admin),
    request: request ? { id: request.id, number: request.number } : null,
    tickets: [],
    thread: null,
    replies: [],
    filters: FEEDBACK_FILTERS,
    statuses: FEEDBACK_OPTIONS,
    nextCursor,
  };
}

export async function loadSupport(admin: Actor, query: URLSearchParams, now: Date) {
  const current = parseSupportQuery(query);
  const { tab, ...filters } = current;
  const filter = Object.fromEntries(
    Object.entries({ ...filters, limit: PER_PAGE }).filter(([, value]) => value),
  );
  const open = query.get('open');
  const { nextCursor, ...lists } =
    tab === 'feedback'
      ? await loadFeedback(admin, filter, open)
      : await loadTickets(admin, filter, open, now);
  return {
    ...lists,
    current,
    here: supportAddress(current),
    isNarrowed: current.q !== '' || current.status !== '',
    next: nextCursor && supportAddress({ ...current, cursor: nextCursor }),
    first: current.cursor ? supportAddress({ ...current, cursor: '' }) : null,
  };
}
