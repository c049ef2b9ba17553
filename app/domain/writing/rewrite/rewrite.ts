import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { dropVersion, findVersion, listVersions } from '#app/domain/posts/versions.ts';
import { lockForRewrite, replaceText } from '#app/domain/publishing/edit/rewrite.ts';
import type { StoredPost } from '#app/domain/publishing/state/post-state.ts';
import { exchangeMade, findBrief, type Made } from '#app/domain/writing/generate/brief-store.ts';
import { requireRewrites } from '#app/domain/writing/quota.ts';
import { RUN_COLUMNS, type Run } from '#app/domain/writing/runs/start.ts';
import type { AgainInput } from '#app/domain/writing/schema.ts';

const DAY_MS = 86_400_000;

const rewritesOf = (db: Db, userId: string) =>
  db.selectFrom('generationRuns').where('userId', '=', userId).where('postId', 'is not', null);

/** The latest writing again of a post within a day, with what was asked. */
export const findRewriting = (db: Db, { userId }: Actor, postId: string, now: Date) =>
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
 * Starts writing a post again. Pressed twice it writes once: what is under way is answered again. Its text stays until
 * the new one is there, and is kept then.
 */
export async function writeAgain(
  db: Db,
  actor: Actor,
  { postId, instruction }: AgainInput & { postId: string },
  now = new Date(),
): Promise<Run> {
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    const post = await lockForRewrite(trx, actor, postId);
    const under = await rewritesOf(trx, actor.userId)
      .select([...RUN_COLUMNS, 'instruction'])
      .where('postId', '=', postId)
      .where('status', '<>', 'complete')
      .executeTakeFirst();
    if (under && (under.instruction ?? '') !== instruction) throw alreadyRequested();
    if (under) return under;
    if (!post.topicId && !(await findBrief(trx, actor.userId, postId))) {
      const message = 'The topic of this post is gone, so it cannot be written again. You can still edit it';
      throw new Refusal(409, 'no_topic', message);
    }
    await requireRewrites(trx, actor, now);
    const asked = { instruction: instruction || null, postRevision: post.revision };
    // No post of its own is requested: a process of before would write one.
    const values = { userId: actor.userId, topicId: post.topicId, requested: 0, createdAt: now };
    const run = await trx
      .insertInto('generationRuns')
      .values({ ...values, ...asked, postId })
      .returning(RUN_COLUMNS)
      .executeTakeFirstOrThrow();
    await enqueue(trx, jobs.writeRun, { runId: run.id });
    return run;
  });
}

/** In the place of the id of a version: the text as it was written, which its owner has changed since. */
export const AS_WRITTEN = 'written';

type Text = Pick<StoredPost, 'id' | 'userId' | 'content' | 'hashtags'>;

async function findAsWritten(db: Db, { id, userId, content, hashtags }: Text) {
  const made = await findBrief(db, userId, id);
  return made && made.content !== content
    ? { id: AS_WRITTEN, content: made.content, hashtags, made, createdAt: null }
    : undefined;
}

/** Every other text that a post can have: as it was written, where it was changed since, and its versions. */
export async function listTexts(db: Db, post: Text) {
  const [written, versions] = await Promise.all([
    findAsWritten(db, post),
    listVersions(db, post.userId, post.id),
  ]);
  const isKept = versions.some(({ content }) => content === written?.content);
  return written && !isKept ? [written, ...versions] : versions;
}

export type OtherText = Awaited<ReturnType<typeof listTexts>>[number];

async function takeText(trx: Trx, post: Text, versionId: string) {
  const written = versionId === AS_WRITTEN && (await findAsWritten(trx, post));
  if (written) return written;
  const version = await findVersion(trx, post.userId, post.id, versionId);
  await dropVersion(trx, version.id);
  return version;
}

/**
 * Gives a post a text back that it had or could have had; the one that it has is kept. Its owner chose it, so it needs
 * no other approval.
 */
export async function restoreVersion(
  db: Db,
  actor: Actor,
  { postId, versionId }: { postId: string; versionId: string },
): Promise<void> {
  await transact(db, async (trx) => {
    const post = await lockForRewrite(trx, actor, postId);
    const { content, hashtags, made } = await takeText(trx, post, versionId);
    if (content === post.content && hashtags.join() === post.hashtags.join()) return;
    const now = await databaseTime(trx);
    const before = await exchangeMade(trx, { postId, userId: actor.userId }, made as Made | null, now);
    await replaceText(trx, post, { text: { content, hashtags, made }, before }, now);
  });
}
