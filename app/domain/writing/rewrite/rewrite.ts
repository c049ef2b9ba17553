import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { dropVersion, findVersion, listVersions } from '#app/domain/posts/versions.ts';
import { giveText, lockForText } from '#app/domain/publishing/edit/rewrite.ts';
import type { StoredPost } from '#app/domain/publishing/state/post-state.ts';
import { findBrief, replaceBrief, type StoredBrief } from '#app/domain/writing/generate/brief-store.ts';
import { requireRewrites } from '#app/domain/writing/quota.ts';
import { RUN_COLUMNS, type Run } from '#app/domain/writing/runs/start.ts';
import type { RewriteInput } from '#app/domain/writing/schema.ts';

const DAY_MS = 86_400_000;

const rewritesOf = (db: Db, userId: string) =>
  db.selectFrom('generationRuns').where('userId', '=', userId).where('postId', 'is not', null);

export const findLatestRewrite = (db: Db, { userId }: Actor, postId: string, now: Date) =>
  rewritesOf(db, userId)
    .select([...RUN_COLUMNS, 'instruction', 'finishedAt'])
    .where('postId', '=', postId)
    .where('createdAt', '>', new Date(now.getTime() - DAY_MS))
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();

const alreadyRequested = () =>
  new Refusal(
    409,
    'being_written',
    'This post is being written again already. Ask for this once the new text is there, or stop that one first',
    { field: 'instruction' },
  );

/**
 * Starts a run that rewrites a post, or returns the one in progress. The post keeps its text until the new one is
 * stored, and then as a version.
 */
export async function requestRewrite(
  db: Db,
  actor: Actor,
  { postId, instruction }: RewriteInput & { postId: string },
  now = new Date(),
): Promise<Run> {
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    const post = await lockForText(trx, actor, postId);
    const unfinished = await rewritesOf(trx, actor.userId)
      .select([...RUN_COLUMNS, 'instruction'])
      .where('postId', '=', postId)
      .where('status', '<>', 'complete')
      .executeTakeFirst();
    if (unfinished && (unfinished.instruction ?? '') !== instruction) throw alreadyRequested();
    if (unfinished) return unfinished;
    if (!post.topicId && !(await findBrief(trx, actor.userId, postId))) {
      const message = 'The topic of this post is gone, so it cannot be written again. You can still edit it';
      throw new Refusal(409, 'no_topic', message);
    }
    await requireRewrites(trx, actor, now);
    const values = {
      userId: actor.userId,
      topicId: post.topicId,
      postId,
      postRevision: post.revision,
      instruction: instruction || null,
      // A rewrite creates no post.
      requested: 0,
      createdAt: now,
    };
    const run = await trx
      .insertInto('generationRuns')
      .values(values)
      .returning(RUN_COLUMNS)
      .executeTakeFirstOrThrow();
    await enqueue(trx, jobs.writeRun, { runId: run.id });
    return run;
  });
}

/** Used instead of the id of a version for the text of the writer, which the user has changed since. */
export const ORIGINAL_TEXT = 'written';

type Text = Pick<StoredPost, 'id' | 'userId' | 'content' | 'hashtags'>;

async function findOriginal(db: Db, { id, userId, content, hashtags }: Text) {
  const made = await findBrief(db, userId, id);
  return made && made.content !== content
    ? { id: ORIGINAL_TEXT, content: made.content, hashtags, made, createdAt: null }
    : undefined;
}

/** Lists the other texts of a post: the one of the writer, when the user has changed it, and the versions. */
export async function listTexts(db: Db, post: Text) {
  const [original, versions] = await Promise.all([
    findOriginal(db, post),
    listVersions(db, post.userId, post.id),
  ]);
  const isVersion = versions.some(({ content }) => content === original?.content);
  return original && !isVersion ? [original, ...versions] : versions;
}

export type OtherText = Awaited<ReturnType<typeof listTexts>>[number];

async function takeText(trx: Trx, post: Text, versionId: string) {
  const original = versionId === ORIGINAL_TEXT && (await findOriginal(trx, post));
  if (original) return original;
  const version = await findVersion(trx, post.userId, post.id, versionId);
  await dropVersion(trx, version.id);
  return version;
}

/** Restores another text of a post, and keeps the present one as a version. Choosing it counts as approval. */
export async function restoreVersion(
  db: Db,
  actor: Actor,
  { postId, versionId }: { postId: string; versionId: string },
): Promise<void> {
  await transact(db, async (trx) => {
    const post = await lockForText(trx, actor, postId);
    const { content, hashtags, made } = await takeText(trx, post, versionId);
    if (content === post.content && hashtags.join() === post.hashtags.join()) return;
    const now = await databaseTime(trx);
    const before = await replaceBrief(trx, { postId, userId: actor.userId }, made as StoredBrief | null, now);
    await giveText(trx, post, { text: { content, hashtags, made }, before }, now);
  });
}
