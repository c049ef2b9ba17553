import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Db, Trx } from '#app/db/client.ts';
import type { PostClaim } from '#app/db/tables.ts';
import { recordFactUses } from '#app/domain/voice/fact-list.ts';
import type { Brief, MadeAround } from './brief.ts';
import type { Draft } from './draft.ts';

const LOOKED_AT = 30;

type OtherMade = MadeAround & { theses: string[] };

/**
 * How the last posts of a user were made and what they argue, also of deleted ones, the latest first. Of a post that is
 * written again: those on its two sides.
 */
export async function listMade(db: Db, userId: string, butPostId?: string): Promise<OtherMade> {
  const rows = await db
    .selectFrom('briefs')
    .select(['postId', 'brief', 'thesis'])
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .limit(LOOKED_AT)
    .execute();
  const at = rows.findIndex(({ postId }) => postId === butPostId);
  const made = rows.map(({ brief }) => brief as unknown as Brief);
  return {
    before: made.slice(at + 1),
    after: made.slice(0, Math.max(0, at)).reverse(),
    theses: rows.flatMap(({ postId, thesis }) => (postId === butPostId || !thesis ? [] : thesis)),
  };
}

/** Each claim with the fact that it names; a number that no fact of the brief has is none. */
const claimsOf = ({ claims }: Draft, { facts }: Brief): PostClaim[] =>
  claims.map(({ text, fact }) => ({ text, factId: (fact !== null && facts[fact - 1]?.id) || null }));

export type Composed = {
  brief: Brief;
  draft: Draft;
  /** What the second reading found, and was mended. */
  findings: string[];
  score: number;
  reasons: string[];
};

type PostKey = { postId: string; userId: string };

/** What is kept of how a text came about, as `briefs` and the versions of a post have it. */
export type Made = Pick<Composed, 'brief' | 'findings' | 'score' | 'reasons'> & {
  content: string;
  thesis: string;
  claims: PostClaim[];
};

export const madeOf = ({ brief, draft, findings, score, reasons }: Composed): Made => ({
  brief,
  findings,
  score,
  reasons,
  content: draft.content,
  thesis: draft.thesis,
  claims: claimsOf(draft, brief),
});

/** Keeps how a post came about, in the transaction that stores it. */
export async function storeBrief(trx: Trx, post: PostKey, composed: Composed, now: Date): Promise<void> {
  await putMade(trx, post, madeOf(composed), now);
}

/** A post keeps its place among the others, whatever text it gets. */
async function putMade(trx: Trx, post: PostKey, made: Made, now: Date): Promise<void> {
  const { brief, claims, ...rest } = made;
  const row = { ...rest, brief: JSON.stringify(brief), claims: JSON.stringify(claims) };
  await trx
    .insertInto('briefs')
    .values({ ...post, ...row, createdAt: now })
    .onConflict((conflict) => conflict.column('postId').doUpdateSet(row))
    .execute();
  const given = brief.facts.map(({ id }) => id);
  const said = claims.map(({ factId }) => factId).filter((id) => id !== null);
  await recordFactUses(trx, post.postId, given, [...new Set(said)], now);
}

/** Nobody knows how the text came about, or what of its author's facts it says. */
async function dropMade(trx: Trx, postId: string, now: Date): Promise<void> {
  await trx.deleteFrom('briefs').where('postId', '=', postId).execute();
  await recordFactUses(trx, postId, [], [], now);
}

/** Puts what is known of another text in the place of what was known of the one before, which is answered. */
export async function exchangeMade(
  trx: Trx,
  post: PostKey,
  made: Made | null,
  now: Date,
): Promise<Made | null> {
  const before = await findBrief(trx, post.userId, post.postId);
  if (made) await putMade(trx, post, made, now);
  else await dropMade(trx, post.postId, now);
  return before ?? null;
}

/** How concrete a text is, with what it says of its author. */
export type StoredSpecificity = Pick<Made, 'content' | 'score' | 'reasons' | 'claims'>;

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

/** How a post came about; undefined for one that the writer did not write, or before this was kept. */
export async function findBrief(db: Db, userId: string, postId: string): Promise<Made | undefined> {
  const row = await db
    .selectFrom('briefs')
    .select(['brief', 'content', 'thesis', 'claims', 'score', 'reasons', 'findings'])
    .where('postId', '=', postId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row && { ...row, brief: row.brief as unknown as Brief };
}
