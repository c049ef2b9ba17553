import type { Insertable } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import type { Database } from '#app/db/tables.ts';
import { type Slot, slotKeyOfPost } from '#app/domain/automation/slots.ts';

export type NewPost = Omit<Insertable<Database['posts']>, 'slotDate' | 'slotNumber' | 'publishAt'>;

const placeOf = (slot: Slot) => ({
  slotDate: slot.date,
  slotNumber: slot.number,
  publishAt: slot.at,
  previousSlotDate: null,
  previousSlotNumber: null,
});

/**
 * The row of a post without its delivery: see `addPost`. Answers its id, or undefined when its place in the run
 * or its slot is taken.
 */
export async function insertPost(trx: Trx, post: NewPost, slot: Slot | null): Promise<string | undefined> {
  const stored = await trx
    .insertInto('posts')
    .values({ ...post, ...(slot ? placeOf(slot) : {}) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return stored?.id;
}

/** Locks the row of a post without its delivery, deleted or not; false when the database has none. */
export async function lockPostRow(trx: Trx, postId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('posts')
    .select('id')
    .where('id', '=', postId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the rows of those of many posts that are not deleted and that nobody has under lock; answers their ids. */
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

/** What a post of the user says, and its topic. */
export const findText = (db: Db, userId: string, postId: string) =>
  db
    .selectFrom('posts')
    .select(['content', 'hashtags', 'topicId', 'revision'])
    .where('id', '=', postId)
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();

/** Whose post it is, deleted or not; undefined when the database has none. */
export async function ownerOfPost(db: Db, postId: string): Promise<string | undefined> {
  const row = await db.selectFrom('posts').select('userId').where('id', '=', postId).executeTakeFirst();
  return row?.userId;
}

export async function placePost(trx: Trx, postId: string, slot: Slot): Promise<void> {
  await trx.updateTable('posts').set(placeOf(slot)).where('id', '=', postId).execute();
}

/** Takes its slot from a post, which keeps which one it was: another one may have it. */
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

/** A field left out stays as it is. */
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

/** Keeps what LinkedIn made of a picture, unless the post has another picture meanwhile. */
export async function storeImage(
  trx: Trx,
  { id, userId }: Own,
  { imageUrl, ...kept }: StoredImage,
): Promise<void> {
  await trx
    .updateTable('posts')
    .set(kept)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('imageUrl', '=', imageUrl)
    .execute();
}

/** The next attempt uploads the picture anew, unless another upload has taken the place of this one. */
export async function deleteImage(db: Db, postId: string, imageUrn: string | null): Promise<void> {
  await db
    .updateTable('posts')
    .set({ imageUrn: null, imageAuthorUrn: null })
    .where('id', '=', postId)
    .where('imageUrn', '=', imageUrn)
    .execute();
}

/** Without its delivery: see `markDeleted`. Null shows it again. */
export async function hidePost(trx: Trx, postId: string, deletedAt: Date | null): Promise<void> {
  await trx.updateTable('posts').set({ deletedAt }).where('id', '=', postId).execute();
}

/** It has moved to another slot because nobody had approved it; it does so once. Null lets it do so once more. */
export async function markMovedUnapproved(
  trx: Trx,
  postId: string,
  approvalMovedAt: Date | null,
): Promise<void> {
  await trx.updateTable('posts').set({ approvalMovedAt }).where('id', '=', postId).execute();
}

/** Selects the slots that posts of a user hold, from a local date (YYYY-MM-DD) on. */
export const takenSlotsOf = (db: Db, { userId, fromDate }: { userId: string; fromDate: string }) =>
  db
    .selectFrom('posts')
    .select(['slotDate', 'slotNumber'])
    .where('userId', '=', userId)
    .where('slotDate', '>=', fromDate)
    .where('deletedAt', 'is', null);

/** The keys of the slots. */
export const toTakenSlots = (rows: { slotDate: string | null; slotNumber: number | null }[]): Set<string> =>
  new Set(rows.map((row) => slotKeyOfPost(row)!));

export const listTakenSlots = async (db: Db, userId: string, fromDate: string): Promise<Set<string>> =>
  toTakenSlots(await takenSlotsOf(db, { userId, fromDate }).execute());
