import { type Insertable, sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import type { Database, PostFailure, PostStatus } from '#app/db/tables.ts';
import type { Slot } from '#app/domain/automation/slots.ts';
import { inWords, type Told } from './failures.ts';

type NewPost = Omit<Insertable<Database['posts']>, 'slotDate' | 'slotNumber' | 'publishAt'>;

const placeOf = (slot: Slot) => ({ slotDate: slot.date, slotNumber: slot.number, publishAt: slot.at });

/**
 * Stores a post, in its slot when it has one. Answers its id, or undefined when its place in the run or its
 * slot is taken.
 */
export async function createPost(trx: Trx, post: NewPost, slot: Slot | null): Promise<string | undefined> {
  const stored = await trx
    .insertInto('posts')
    .values({ ...post, ...(slot ? placeOf(slot) : {}) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return stored?.id;
}

/**
 * The post, locked, or undefined when there is none, or none of `userId`. Whoever locks more of a post locks
 * this first: two who lock in different orders wait for each other for ever.
 */
export const lockPost = (trx: Trx, postId: string, userId?: string) =>
  trx
    .selectFrom('posts')
    .selectAll()
    .where('id', '=', postId)
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId!))
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();

/** Locks the row of a post, deleted or not; false when the database has none. */
export async function lockPostRow(trx: Trx, postId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('posts')
    .select('id')
    .where('id', '=', postId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whose post it is, deleted or not; undefined when the database has none. */
export async function ownerOfPost(db: Db, postId: string): Promise<string | undefined> {
  const row = await db.selectFrom('posts').select('userId').where('id', '=', postId).executeTakeFirst();
  return row?.userId;
}

/** Locks those of many posts that wait to be published and that nobody has under lock. */
export async function lockScheduled(trx: Trx, postIds: string[]): Promise<Set<string>> {
  const locked = await trx
    .selectFrom('posts')
    .select('id')
    .where('id', 'in', postIds)
    .where('status', '=', 'generated')
    .where('isUnconfirmed', '=', false)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .skipLocked()
    .execute();
  return new Set(locked.map(({ id }) => id));
}

export type StoredPost = NonNullable<Awaited<ReturnType<typeof lockPost>>>;

export async function placePost(trx: Trx, postId: string, slot: Slot): Promise<void> {
  await trx.updateTable('posts').set(placeOf(slot)).where('id', '=', postId).execute();
}

type Change = {
  content?: string;
  hashtags?: string[];
  imageUrl?: string | null;
  altText?: string | null;
  editedAt?: Date;
  isMended?: boolean;
};

/** A field left out stays as it is. */
export async function rewritePost(trx: Trx, postId: string, change: Change): Promise<void> {
  if (Object.values(change).every((value) => value === undefined)) return;
  await trx.updateTable('posts').set(change).where('id', '=', postId).execute();
}

type KeptImage = { imageUrl: string; imageUrn: string; imageAuthorUrn: string };

/** Keeps what LinkedIn made of a picture, unless the post has another picture meanwhile. */
export async function keepImageOf(trx: Trx, postId: string, image: KeptImage): Promise<void> {
  const { imageUrl, ...kept } = image;
  await trx
    .updateTable('posts')
    .set(kept)
    .where('id', '=', postId)
    .where('imageUrl', '=', imageUrl)
    .execute();
}

/** The next attempt uploads the picture anew. */
export async function forgetImage(db: Db, postId: string): Promise<void> {
  await db
    .updateTable('posts')
    .set({ imageUrn: null, imageAuthorUrn: null })
    .where('id', '=', postId)
    .where('imageUrn', 'is not', null)
    .execute();
}

/** It waits to be published. One that LinkedIn did not confirm stays so until LinkedIn has answered again. */
export async function markScheduled(trx: Trx, postId: string): Promise<void> {
  await setStatus(trx, postId, { status: 'generated', failure: null, reason: null });
}

/** The index that has each urn once among the posts of a user that are not deleted. */
export const URN_KEY = 'posts_network_urn_key';

/** `at` is when it was sent. A urn that another post of the user has is an error that names `URN_KEY`. */
export async function markPublished(trx: Trx, postId: string, urn: string | null, at: Date): Promise<void> {
  await setStatus(trx, postId, {
    ...{ status: 'published', failure: null, reason: null, isUnconfirmed: false },
    ...{ postedAt: at, networkUrn: urn },
  });
}

type Published = { postId: string; urn: string | null; at: Date };

/** As `markPublished` for many that wait to be published. */
export async function markPublishedTogether(trx: Trx, posts: Published[]): Promise<void> {
  await sql`
    update posts set status = 'published', reason = null, posted_at = given.at, network_urn = given.urn
    from unnest(${posts.map(({ postId }) => postId)}::uuid[], ${posts.map(({ urn }) => urn)}::text[],
      ${posts.map(({ at }) => at)}::timestamptz[]) as given (id, urn, at)
    where posts.id = given.id`.execute(trx);
}

/** LinkedIn has answered. `reason` says more than the words of the failure. After `unconfirmed` nobody knows whether the post is there. */
export async function markFailed(
  trx: Trx,
  postId: string,
  failure: PostFailure,
  reason?: string,
): Promise<void> {
  const isUnconfirmed = failure === 'unconfirmed';
  const failed = { status: 'failed' as const, isUnconfirmed, isMended: false };
  await setStatus(trx, postId, { ...failed, ...inWords(failure, reason) });
}

/** LinkedIn was not asked, so what it once left open about the post is as open as it was. */
export async function markUnsent(
  trx: Trx,
  postId: string,
  failure: PostFailure,
  reason?: string,
): Promise<void> {
  const failed = trx.updateTable('posts').where('id', '=', postId);
  const fail = (told: Told) => failed.set({ status: 'failed', isMended: false, ...told });
  const { numUpdatedRows } = await fail(inWords('unconfirmed'))
    .where('isUnconfirmed', '=', true)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) await fail(inWords(failure, reason)).execute();
}

export async function markDeleted(trx: Trx, postId: string, now: Date): Promise<void> {
  await trx.updateTable('posts').set({ deletedAt: now }).where('id', '=', postId).execute();
}

/** It has moved to another slot because nobody had approved it; it does so once. */
export async function markMovedUnapproved(trx: Trx, postId: string, now: Date): Promise<void> {
  await trx.updateTable('posts').set({ approvalMovedAt: now }).where('id', '=', postId).execute();
}

type Standing = {
  status: PostStatus;
  failure: PostFailure | null;
  reason: string | null;
  isUnconfirmed?: boolean;
  isMended?: boolean;
  postedAt?: Date;
  networkUrn?: string | null;
};

async function setStatus(trx: Trx, postId: string, standing: Standing): Promise<void> {
  await trx.updateTable('posts').set(standing).where('id', '=', postId).execute();
}

/** The slots of a user that posts hold from a local date on, as "date number". */
export async function listTakenSlots(db: Db, userId: string, fromDate: string): Promise<Set<string>> {
  const taken = await db
    .selectFrom('posts')
    .select(['slotDate', 'slotNumber'])
    .where('userId', '=', userId)
    .where('slotDate', '>=', fromDate)
    .where('deletedAt', 'is', null)
    .execute();
  return new Set(taken.map((row) => `${row.slotDate} ${row.slotNumber}`));
}

type Owned = Pick<StoredPost, 'id' | 'userId'>;

/** The user's other posts under this urn of the network, deleted ones too; one at most is not deleted. */
export const listOthersUnder = (db: Db, { id, userId }: Owned, urn: string) =>
  db
    .selectFrom('posts')
    .select(['id', 'networkUrn', 'deletedAt'])
    .where('userId', '=', userId)
    .where('networkUrn', '=', urn)
    .where('id', '<>', id)
    .execute();

export async function forgetUrn(trx: Trx, postId: string): Promise<void> {
  await trx.updateTable('posts').set({ networkUrn: null }).where('id', '=', postId).execute();
}
