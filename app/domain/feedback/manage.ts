import { type Db, transact } from '#app/db/client.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import {
  findOrRefuse,
  isAfterCursor,
  type Page,
  type PageQuery,
  toPage,
} from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { containsText } from './board.ts';
import { FEEDBACK_GROUPS, type FeedbackGroup, type FeedbackStatus } from './limits.ts';
import type { AllFeedbackQuery, FeedbackStatusInput } from './schema.ts';

const selectManaged = (db: Db) =>
  db
    .selectFrom('feedback')
    .innerJoin('users', 'users.id', 'feedback.userId')
    .select(['feedback.id', 'type', 'title', 'description', 'rating', 'status', 'upvotes'])
    .select(['feedback.createdAt', 'users.name', 'users.email', 'users.id as userId']);

export type ManagedFeedback = Awaited<ReturnType<typeof findManagedFeedback>>;

const statusesOf = (filter: FeedbackStatus | FeedbackGroup): FeedbackStatus[] =>
  filter in FEEDBACK_GROUPS ? FEEDBACK_GROUPS[filter as FeedbackGroup] : [filter as FeedbackStatus];

export async function listFeedback(
  db: Db,
  { type, status, q, limit, cursor }: AllFeedbackQuery & PageQuery,
): Promise<Page<ManagedFeedback>> {
  const rows = await selectManaged(db)
    .$if(type !== undefined, (query) => query.where('type', '=', type!))
    .$if(status !== undefined, (query) => query.where('status', 'in', statusesOf(status!)))
    .$if(Boolean(q), (query) => query.where(containsText(q!)))
    .where(isAfterCursor(cursor, 'feedback.createdAt', 'feedback.id'))
    .orderBy('feedback.createdAt', 'desc')
    .orderBy('feedback.id', 'desc')
    .limit(limit + 1)
    .execute();
  return toPage(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}

export async function findManagedFeedback(db: Db, feedbackId: string) {
  return findOrRefuse('This feedback', feedbackId, () =>
    selectManaged(db).where('feedback.id', '=', feedbackId).executeTakeFirst(),
  );
}

export async function setFeedbackStatus(
  db: Db,
  admin: Actor,
  { feedbackId, status }: FeedbackStatusInput & { feedbackId: string },
  now = databaseNow(),
): Promise<ManagedFeedback> {
  return transact(db, async (trx) => {
    const { id } = await findManagedFeedback(trx, feedbackId);
    const { status: previousStatus } = await trx
      .selectFrom('feedback')
      .select('status')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow(() => notFound('This feedback'));
    if (previousStatus !== status) {
      await trx.updateTable('feedback').set({ status }).where('id', '=', id).execute();
      const entry = { action: 'feedback.status_changed', subjectId: id };
      await recordAdminAction(
        trx,
        admin,
        { ...entry, detail: { status }, before: { status: previousStatus } },
        now,
      );
    }
    return findManagedFeedback(trx, id);
  });
}
