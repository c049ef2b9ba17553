import { type Db, transact } from '#app/db/client.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import type { FeedbackType } from '#app/domain/feedback/limits.ts';
import { findManaged } from '#app/domain/feedback/manage.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { cut } from '#app/domain/platform/input-schema.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { TICKET_MESSAGE_MAX, type TicketCategory } from './limits.ts';
import { selectTickets, TICKET_COLUMNS, type Ticket } from './thread.ts';

const CATEGORIES: Partial<Record<FeedbackType, TicketCategory>> = {
  bug: 'bug_report',
  feature_request: 'feature_request',
};

/** The request that was made of some feedback, if one was. */
export const findRequestOf = async (db: Db, feedbackId: string): Promise<Ticket | undefined> =>
  isId(feedbackId) ? selectTickets(db).where('feedbackId', '=', feedbackId).executeTakeFirst() : undefined;

const beginning = (text: string) =>
  text.length > TICKET_MESSAGE_MAX ? `${cut(text, TICKET_MESSAGE_MAX - 1).trimEnd()}…` : text;

/**
 * Makes a request of feedback, in the words of its author and as theirs, so that they can be answered: they read it under
 * their requests, and are mailed once somebody answers. However often it is asked for, there is one.
 */
export async function makeRequestOf(
  db: Db,
  admin: Actor,
  feedbackId: string,
  now = databaseNow(),
): Promise<Ticket> {
  return transact(db, async (trx) => {
    const { id, userId, name, email, type, title, description } = await findManaged(trx, feedbackId);
    const made = await trx
      .insertInto('supportTickets')
      .values({
        feedbackId: id,
        userId,
        name,
        email,
        subject: title,
        message: beginning(description),
        category: CATEGORIES[type] ?? 'general',
        createdAt: now,
        askedAt: now,
      })
      .onConflict((conflict) => conflict.column('feedbackId').where('feedbackId', 'is not', null).doNothing())
      .returning(TICKET_COLUMNS)
      .executeTakeFirst();
    if (!made) return (await findRequestOf(trx, id))!;
    const entry = { action: 'support.made_of_feedback', subjectId: made.id, detail: { number: made.number } };
    await recordAdminAction(trx, admin, entry, now);
    return made;
  });
}
