import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Db, Trx } from '#app/db/client.ts';
import type { PostClaim } from '#app/db/tables.ts';
import { recordFactUses } from '#app/domain/voice/fact-list.ts';
import type { Brief, KindsAround } from './brief.ts';
import type { Draft } from './draft.ts';

const RECENT = 30;

type RecentBriefs = KindsAround & { theses: string[] };

/**
 * Returns the briefs and theses of the user's latest posts, also of deleted ones, newest first. With `exceptPostId`,
 * those before and after that post.
 */
export async function listRecentBriefs(db: Db, userId: string, exceptPostId?: string): Promise<RecentBriefs> {
  const rows = await db
    .selectFrom('briefs')
    .select(['postId', 'brief', 'thesis'])
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .limit(RECENT)
    .execute();
  const at = rows.findIndex(({ postId }) => postId === exceptPostId);
  const briefs = rows.map(({ brief }) => brief as unknown as Brief);
  return {
    before: briefs.slice(at + 1),
    after: briefs.slice(0, Math.max(0, at)).reverse(),
    theses: rows.flatMap(({ postId, thesis }) => (postId === exceptPostId || !thesis ? [] : thesis)),
  };
}

/** Resolves the numbers of facts in claims to ids; a number without a fact becomes null. */
const claimsOf = ({ claims }: Draft, { facts }: Brief): PostClaim[] =>
  claims.map(({ text, fact }) => ({ text, factId: (fact !== null && facts[fact - 1]?.id) || null }));

export type GeneratedPost = {
  brief: Brief;
  draft: Draft;
  findings: string[];
  score: number;
  reasons: string[];
};

type PostKey = { postId: string; userId: string };

/** How a text was written, as stored in `briefs` and in the versions of a post. */
export type StoredBrief = Pick<GeneratedPost, 'brief' | 'findings' | 'score' | 'reasons'> & {
  content: string;
  thesis: string;
  claims: PostClaim[];
};

export const toStoredBrief = ({ brief, draft, findings, score, reasons }: GeneratedPost): StoredBrief => ({
  brief,
  findings,
  score,
  reasons,
  content: draft.content,
  thesis: draft.thesis,
  claims: claimsOf(draft, brief),
});

export async function storeBrief(
  trx: Trx,
  post: PostKey,
  generated: GeneratedPost,
  now: Date,
): Promise<void> {
  await upsertBrief(trx, post, toStoredBrief(generated), now);
}

/** An update keeps `createdAt`, and with it the place among the other posts. */
async function upsertBrief(trx: Trx, post: PostKey, stored: StoredBrief, now: Date): Promise<void> {
  const { brief, claims, ...rest } = stored;
  const row = { ...rest, brief: JSON.stringify(brief), claims: JSON.stringify(claims) };
  await trx
    .insertInto('briefs')
    .values({ ...post, ...row, createdAt: now })
    .onConflict((conflict) => conflict.column('postId').doUpdateSet(row))
    .execute();
  const offered = brief.facts.map(({ id }) => id);
  const claimed = claims.map(({ factId }) => factId).filter((id) => id !== null);
  await recordFactUses(trx, post.postId, offered, [...new Set(claimed)], now);
}

async function deleteBrief(trx: Trx, postId: string, now: Date): Promise<void> {
  await trx.deleteFrom('briefs').where('postId', '=', postId).execute();
  await recordFactUses(trx, postId, [], [], now);
}

/** Replaces the brief of a post, or deletes it for null. Returns the previous one. */
export async function replaceBrief(
  trx: Trx,
  post: PostKey,
  stored: StoredBrief | null,
  now: Date,
): Promise<StoredBrief | null> {
  const before = await findBrief(trx, post.userId, post.postId);
  if (stored) await upsertBrief(trx, post, stored, now);
  else await deleteBrief(trx, post.postId, now);
  return before ?? null;
}

export type StoredSpecificity = Pick<StoredBrief, 'content' | 'score' | 'reasons' | 'claims'>;

/**
 * Selects how specific the text of the post in the row `posts` of the outer query is; null if the writer did not
 * write it.
 */
export const specificityOf = (db: Db) =>
  jsonObjectFrom(
    db
      .selectFrom('briefs')
      .select(['content', 'score', 'reasons', 'claims'])
      .where(sql<boolean>`briefs.post_id = posts.id and briefs.user_id = posts.user_id`),
  );

/** Returns the brief of a post, or undefined when the writer did not write its text. */
export async function findBrief(db: Db, userId: string, postId: string): Promise<StoredBrief | undefined> {
  const row = await db
    .selectFrom('briefs')
    .select(['brief', 'content', 'thesis', 'claims', 'score', 'reasons', 'findings'])
    .where('postId', '=', postId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row && { ...row, brief: row.brief as unknown as Brief };
}
