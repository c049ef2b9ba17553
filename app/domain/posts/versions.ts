import type { Db, Trx } from '#app/db/client.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { VERSIONS_MAX } from './limits.ts';

/** A text with what was decided about it, as `briefs` has it; null for words of its owner. */
export type VersionText = { content: string; hashtags: string[]; made: Record<string, unknown> | null };

const COLUMNS = ['id', 'content', 'hashtags', 'made', 'createdAt'] as const;

const versionsOf = (db: Db, userId: string, postId: string) =>
  db.selectFrom('postVersions').select(COLUMNS).where('postId', '=', postId).where('userId', '=', userId);

/** The other texts that a post had or could have, the latest first. */
export const listVersions = (db: Db, userId: string, postId: string) =>
  versionsOf(db, userId, postId).orderBy('createdAt', 'desc').orderBy('id').execute();

type Version = Awaited<ReturnType<typeof listVersions>>[number];

/** Words of its owner: also those into which they changed what the writer wrote. */
const isOwn = ({ content, made }: Version) => made === null || made.content !== content;

export async function findVersion(db: Db, userId: string, postId: string, versionId: string) {
  const version = isId(versionId)
    ? await versionsOf(db, userId, postId).where('id', '=', versionId).executeTakeFirst()
    : undefined;
  if (!version) {
    const message = 'This text is not kept here any more: the post has it now, or newer ones took its place';
    throw new Refusal(404, 'not_found', message);
  }
  return version;
}

/**
 * Makes room for one more: of those that the writer made the oldest go first, since nobody else has the words of its
 * owner.
 */
async function makeRoom(trx: Trx, kept: Version[]): Promise<void> {
  const lastToGo = [...kept.filter(isOwn), ...kept.filter((version) => !isOwn(version))];
  for (const { id } of lastToGo.slice(VERSIONS_MAX - 1)) await dropVersion(trx, id);
}

/** The latest, also where the clock was set back since the one before was kept. */
const afterAll = (kept: Version[], at: Date) =>
  new Date(Math.max(at.getTime(), ...kept.map(({ createdAt }) => createdAt.getTime() + 1)));

/** Keeps a text of a post, once. */
export async function storeVersion(
  trx: Trx,
  post: { postId: string; userId: string },
  { content, hashtags, made }: VersionText,
  at: Date,
): Promise<void> {
  const kept = await listVersions(trx, post.userId, post.postId);
  if (kept.some((each) => each.content === content && each.hashtags.join() === hashtags.join())) return;
  await makeRoom(trx, kept);
  const row = {
    ...post,
    content,
    hashtags,
    made: made && JSON.stringify(made),
    createdAt: afterAll(kept, at),
  };
  await trx.insertInto('postVersions').values(row).execute();
}

/** It is the text of the post now. */
export async function dropVersion(trx: Trx, versionId: string): Promise<void> {
  await trx.deleteFrom('postVersions').where('id', '=', versionId).execute();
}
