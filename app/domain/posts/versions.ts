import type { Db, Trx } from '#app/db/client.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { VERSIONS_MAX } from './limits.ts';

/** A text with its brief, as stored in `briefs`. `made` is null for a text of the user. */
export type VersionText = { content: string; hashtags: string[]; made: Record<string, unknown> | null };

const COLUMNS = ['id', 'content', 'hashtags', 'made', 'createdAt'] as const;

const versionsOf = (db: Db, userId: string, postId: string) =>
  db.selectFrom('postVersions').select(COLUMNS).where('postId', '=', postId).where('userId', '=', userId);

export const listVersions = (db: Db, userId: string, postId: string) =>
  versionsOf(db, userId, postId).orderBy('createdAt', 'desc').orderBy('id').execute();

type Version = Awaited<ReturnType<typeof listVersions>>[number];

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

/** Makes room for one more version. The oldest texts of the writer are deleted first, those of the user last. */
async function makeRoom(trx: Trx, versions: Version[]): Promise<void> {
  const byPriority = [...versions.filter(isOwn), ...versions.filter((version) => !isOwn(version))];
  for (const { id } of byPriority.slice(VERSIONS_MAX - 1)) await dropVersion(trx, id);
}

/** An instant after all versions, also when the clock was set back. */
const afterAll = (versions: Version[], at: Date) =>
  new Date(Math.max(at.getTime(), ...versions.map(({ createdAt }) => createdAt.getTime() + 1)));

export async function storeVersion(
  trx: Trx,
  post: { postId: string; userId: string },
  { content, hashtags, made }: VersionText,
  at: Date,
): Promise<void> {
  const versions = await listVersions(trx, post.userId, post.postId);
  if (versions.some((each) => each.content === content && each.hashtags.join() === hashtags.join())) return;
  await makeRoom(trx, versions);
  const row = {
    ...post,
    content,
    hashtags,
    made: made && JSON.stringify(made),
    createdAt: afterAll(versions, at),
  };
  await trx.insertInto('postVersions').values(row).execute();
}

export async function dropVersion(trx: Trx, versionId: string): Promise<void> {
  await trx.deleteFrom('postVersions').where('id', '=', versionId).execute();
}
