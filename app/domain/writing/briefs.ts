import type { Db, Trx } from '#app/db/client.ts';
import type { ClaimOfPost } from '#app/db/tables.ts';
import { noteFactsGiven } from '#app/domain/voice/fact-list.ts';
import type { Brief, Made } from './brief.ts';
import type { Draft } from './draft.ts';

const LOOKED_AT = 30;

/** What was written about a post, beside its text. */

/** How the last posts of a user were made and what they argue, also of deleted ones, the latest first. */
export async function listMade(db: Db, userId: string): Promise<{ brief: Made; thesis: string }[]> {
  const rows = await db
    .selectFrom('briefs')
    .select(['brief', 'thesis'])
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .limit(LOOKED_AT)
    .execute();
  return rows.map(({ brief, thesis }) => ({ brief: brief as unknown as Brief, thesis }));
}

/** Each claim with the fact that it names; a number that no fact of the brief has is none. */
const claimsOf = ({ claims }: Draft, { facts }: Brief): ClaimOfPost[] =>
  claims.map(({ text, fact }) => ({ text, factId: (fact !== null && facts[fact - 1]?.id) || null }));

export type Composed = {
  brief: Brief;
  draft: Draft;
  /** What the second reading found, and was mended. */
  findings: string[];
  score: number;
  reasons: string[];
};

/** Keeps how a post came about, in the transaction that stores it. */
export async function keepBrief(
  trx: Trx,
  post: { postId: string; userId: string },
  { brief, draft, findings, score, reasons }: Composed,
  now: Date,
): Promise<void> {
  const claims = claimsOf(draft, brief);
  const row = {
    ...{ content: draft.content, thesis: draft.thesis, findings, score, reasons, createdAt: now },
    ...{ brief: JSON.stringify(brief), claims: JSON.stringify(claims) },
  };
  await trx
    .insertInto('briefs')
    .values({ ...post, ...row })
    .execute();
  const given = brief.facts.map(({ id }) => id);
  const said = claims.map(({ factId }) => factId).filter((id) => id !== null);
  await noteFactsGiven(trx, post.postId, given, [...new Set(said)], now);
}

/** How a post came about; undefined for one that the writer did not write, or before this was kept. */
export async function findBrief(db: Db, userId: string, postId: string) {
  const row = await db
    .selectFrom('briefs')
    .select(['brief', 'content', 'thesis', 'claims', 'score', 'reasons', 'findings'])
    .where('postId', '=', postId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row && { ...row, brief: row.brief as unknown as Brief };
}
