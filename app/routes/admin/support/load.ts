import { db } from '#app/db/client.ts';
import { findManagedFeedback, listFeedback } from '#app/domain/feedback/manage.ts';
import { AllFeedbackQuery } from '#app/domain/feedback/schema.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isCursor, PageQuery } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { findTicketOfFeedback } from '#app/domain/support/feedback-request.ts';
import { listTickets, readTicket, TicketsQuery } from '#app/domain/support/list-tickets.ts';
import { fillPlaceholders, listSavedReplies } from '#app/domain/support/save-reply.ts';
import { type SupportPlace, supportAddress } from './paths.ts';
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

/** What an address asks for. What of it is not possible is left out, as if it had not been chosen. */
export function placeIn(query: URLSearchParams): SupportPlace {
  const tab = query.get('tab') === 'feedback' ? 'feedback' : 'support';
  const said = (name: 'q' | 'status') => {
    const value = query.get(name) ?? '';
    return value && QUERIES[tab].safeParse({ [name]: value }).success ? value : '';
  };
  const cursor = query.get('cursor') ?? '';
  return { tab, q: said('q'), status: said('status'), cursor: isCursor(cursor) ? cursor : '' };
}

/** What is there, or null. */
async function ifThere<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

async function loadTickets(admin: Actor, asked: object, open: string | null, now: Date) {
  const [{ rows, nextCursor }, opened, replies] = await Promise.all([
    listTickets(db(), TicketsQuery.parse(asked), now),
    open ? ifThere(readTicket(db(), open, now)) : null,
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

async function loadFeedback(admin: Actor, asked: object, open: string | null) {
  const [{ rows, nextCursor }, opened, request] = await Promise.all([
    listFeedback(db(), QUERIES.feedback.parse(asked)),
    open ? ifThere(findManagedFeedback(db(), open)) : null,
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

/** The tab that is shown, and nothing of the other. */
export async function loadSupport(admin: Actor, query: URLSearchParams, now: Date) {
  const place = placeIn(query);
  const { tab, ...chosen } = place;
  const asked = Object.fromEntries(
    Object.entries({ ...chosen, limit: PER_PAGE }).filter(([, value]) => value),
  );
  const open = query.get('open');
  const shown =
    tab === 'feedback' ? await loadFeedback(admin, asked, open) : await loadTickets(admin, asked, open, now);
  const { nextCursor, ...lists } = shown;
  return {
    ...lists,
    place,
    here: supportAddress(place),
    isNarrowed: place.q !== '' || place.status !== '',
    next: nextCursor && supportAddress({ ...place, cursor: nextCursor }),
    first: place.cursor ? supportAddress({ ...place, cursor: '' }) : null,
  };
}
