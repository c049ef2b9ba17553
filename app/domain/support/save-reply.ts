import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { cut } from '#app/domain/platform/input-schema.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { SAVED_REPLIES_MAX, TICKET_REPLY_MAX } from './limits.ts';
import type { SavedReplyInput } from './schema.ts';

const COLUMNS = ['id', 'title', 'message'] as const;

const missing = () => notFound('This reply');
function requireId(replyId: string): string {
  if (!isId(replyId)) throw missing();
  return replyId;
}

export const listSavedReplies = (db: Db) =>
  db
    .selectFrom('savedReplies')
    .select(COLUMNS)
    .orderBy(({ fn }) => fn('lower', ['title']))
    .limit(SAVED_REPLIES_MAX)
    .execute();

export type SavedReply = Awaited<ReturnType<typeof listSavedReplies>>[number];

export const fillPlaceholders = (
  message: string,
  { name, number }: { name: string; number: number },
): string =>
  cut(
    message.replace(/\{(name|number)\}/g, (_, placeholder) => (placeholder === 'name' ? name : `#${number}`)),
    TICKET_REPLY_MAX,
  );

/** Serializes changes, so that the limit and the titles can be checked. */
const lockSavedReplies = (trx: Trx) =>
  sql`select pg_advisory_xact_lock(hashtext('saved replies'))`.execute(trx);

/** Compares titles in the database, as its unique index does. */
async function checkTitleAndLimit(
  trx: Trx,
  { title }: SavedReplyInput,
  replyId: string | null,
): Promise<void> {
  const others = await trx
    .selectFrom('savedReplies')
    .select(sql<boolean>`lower(title) = lower(${title})`.as('isSame'))
    .$if(replyId !== null, (query) => query.where('id', '!=', requireId(replyId!)))
    .execute();
  if (others.some(({ isSame }) => isSame))
    throw new Refusal(409, 'title_taken', 'There is a saved reply with this title', { field: 'title' });
  if (others.length >= SAVED_REPLIES_MAX)
    throw new Refusal(409, 'too_many', `At most ${SAVED_REPLIES_MAX} replies. Please delete one first`);
}

export async function saveReply(
  db: Db,
  admin: Actor,
  { replyId, ...input }: SavedReplyInput & { replyId: string | null },
  now = databaseNow(),
): Promise<SavedReply> {
  return transact(db, async (trx) => {
    await lockSavedReplies(trx);
    await checkTitleAndLimit(trx, input, replyId);
    const saved =
      replyId === null
        ? await trx.insertInto('savedReplies').values(input).returning(COLUMNS).executeTakeFirstOrThrow()
        : await trx
            .updateTable('savedReplies')
            .set(input)
            .where('id', '=', requireId(replyId))
            .returning(COLUMNS)
            .executeTakeFirstOrThrow(missing);
    await record(trx, admin, 'support.reply_saved', saved, now);
    return saved;
  });
}

export async function deleteSavedReply(
  db: Db,
  admin: Actor,
  replyId: string,
  now = databaseNow(),
): Promise<void> {
  await transact(db, async (trx) => {
    const deleted = await trx
      .deleteFrom('savedReplies')
      .where('id', '=', requireId(replyId))
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(missing);
    await record(trx, admin, 'support.reply_deleted', deleted, now);
  });
}

const record = (
  trx: Trx,
  admin: Actor,
  action: string,
  { id, title }: Pick<SavedReply, 'id' | 'title'>,
  now: Date,
) => recordAdminAction(trx, admin, { action, subjectId: id, detail: { title } }, now);
