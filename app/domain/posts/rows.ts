import type { Insertable } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import type { Database } from '#app/db/tables.ts';
import { type Slot, slotKeyOfPost } from '#app/domain/automation/slots.ts';

export type NewPost = Omit<Insertable<Database['posts']>, 'slotDate' | 'slotNumber' | 'publishAt'>;

const slotColumns = (slot: Slot) => ({
  slotDate: slot.date,
  slotNumber: slot.number,
  publishAt: slot.at,
  previousSlotDate: null,
  previousSlotNumber: null,
});

/**
 * Inserts a post without its schedule; `addPost` does both. Returns its id, or undefined when its run has this post
 * already or its slot is taken.
 */
export async function insertPost(trx: Trx, post: NewPost, slot: Slot | null): Promise<string | undefined> {
  const stored = await trx
    .insertInto('posts')
    .values({ ...post, ...(slot && slotColumns(slot)) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return stored?.id;
}

/** Locks the row of a post, deleted or not, without its schedule. Returns false when there is none. */
export async function lockPostRow(trx: Trx, postId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('posts')
    .select('id')
    .where('id', '=', postId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks those of the posts that are neither deleted nor locked. Returns their ids. */
export async function lockThoseFree(trx: Trx, postIds: string[]): Promise<string[]> {
  const locked = await trx
    .selectFrom('posts')
    .select('id')
    .where('id', 'in', postIds)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .skipLocked()
    .execute();
  return locked.map(({ id }) => id);
}

export const findText = (db: Db, userId: string, postId: string) =>
  db
    .selectFrom('posts')
    .select(['content', 'hashtags', 'topicId', 'revision'])
    .where('id', '=', postId)
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();

/** Returns the user of a post, deleted or not, or undefined when there is no such post. */
export async function ownerOfPost(db: Db, postId: string): Promise<string | undefined> {
  const row = await db.selectFrom('posts').select('userId').where('id', '=', postId).executeTakeFirst();
  return row?.userId;
}

export async function placePost(trx: Trx, postId: string, slot: Slot): Promise<void> {
  await trx.updateTable('posts').set(slotColumns(slot)).where('id', '=', postId).execute();
}

/** Frees the slot of a post, which is recorded as its previous one. */
export async function unplacePost(trx: Trx, postId: string): Promise<void> {
  await trx
    .updateTable('posts')
    .set({ slotDate: null, slotNumber: null, publishAt: null })
    .set(({ ref }) => ({ previousSlotDate: ref('slotDate'), previousSlotNumber: ref('slotNumber') }))
    .where('id', '=', postId)
    .where('slotDate', 'is not', null)
    .execute();
}

type Own = { id: string; userId: string };

type Change = {
  content?: string;
  hashtags?: string[];
  imageUrl?: string | null;
  altText?: string | null;
  editedAt?: Date;
};

/** Omitted fields keep their values. */
export async function rewritePost(trx: Trx, { id, userId }: Own, change: Change): Promise<void> {
  if (Object.values(change).every((value) => value === undefined)) return;
  await trx
    .updateTable('posts')
    .set(change)
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .where('userId', '=', userId)
    .execute();
}

type StoredImage = { imageUrl: string; imageUrn: string; imageAuthorUrn: string };

/** Stores the uploaded image of a post, unless the post has another picture by now. */
export async function storeImage(
  trx: Trx,
  { id, userId }: Own,
  { imageUrl, ...uploaded }: StoredImage,
): Promise<void> {
  await trx
    .updateTable('posts')
    .set(uploaded)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('imageUrl', '=', imageUrl)
    .execute();
}

/** Drops the uploaded image unless it was replaced, so that the next attempt uploads the picture again. */
export async function deleteImage(db: Db, postId: string, imageUrn: string | null): Promise<void> {
  await db
    .updateTable('posts')
    .set({ imageUrn: null, imageAuthorUrn: null })
    .where('id', '=', postId)
    .where('imageUrn', '=', imageUrn)
    .execute();
}

/** Without its schedule: see `markDeleted`. Null restores the post. */
export async function hidePost(trx: Trx, postId: string, deletedAt: Date | null): Promise<void> {
  await trx.updateTable('posts').set({ deletedAt }).where('id', '=', postId).execute();
}

/** Records that a post moved to another slot without approval, which happens once. Null allows it again. */
export async function markMovedUnapproved(
  trx: Trx,
  postId: string,
  approvalMovedAt: Date | null,
): Promise<void> {
  await trx.updateTable('posts').set({ approvalMovedAt }).where('id', '=', postId).execute();
}

/** Selects the taken slots of a user from a local date (YYYY-MM-DD) on. */
export const takenSlotsOf = (db: Db, { userId, fromDate }: { userId: string; fromDate: string }) =>
  db
    .selectFrom('posts')
    .select(['slotDate', 'slotNumber'])
    .where('userId', '=', userId)
    .where('slotDate', '>=', fromDate)
    .where('deletedAt', 'is', null);

export const toTakenSlots = (rows: { slotDate: string | null; slotNumber: number | null }[]): Set<string> =>
  new Set(rows.map((row) => slotKeyOfPost(row)!));

export const listTakenSlots = async (db: Db, userId: string, fromDate: string): Promise<Set<string>> =>
  toTakenSlots(await takenSlotsOf(db, { userId, fromDate }).execute());
