import type { Db } from '#app/db/client.ts';
import { findLinkUser, linkSigner } from '#app/domain/accounts/signed-links.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { lateAfterMs } from '#app/domain/posts/lateness.ts';
import { ownerOfPost } from '#app/domain/posts/rows.ts';
import { APPROVAL_LINK_DAYS } from '#app/domain/publishing/limits.ts';
import { env } from '#app/env.ts';

const LINK_MS = APPROVAL_LINK_DAYS * 86_400_000;

/** What a link says: which post, as it read when it was mailed, and until when it may be approved or skipped by it. */
type Said = { postId: string; revision: number; until: Date };

const wordsOf = ({ postId, revision, until }: Said) => `approval ${postId} ${revision} ${until.getTime()}`;

/** It works until the post is too late for the time that it had, but not for longer than some days. */
const untilOf = (dueAt: Date, now: Date) =>
  new Date(Math.min(dueAt.getTime() + lateAfterMs(), now.getTime() + LINK_MS));

/** The address at which a post that is due then can be approved. */
export type LinkTo = (post: { id: string; revision: number }, dueAt: Date) => string;

/** Makes the links of a mail to a user. */
export async function approvalLinks(db: Db, userId: string, now: Date): Promise<LinkTo> {
  const sign = await linkSigner(db, userId);
  return ({ id, revision }, dueAt) => {
    const said = { postId: id, revision, until: untilOf(dueAt, now) };
    const key = [revision, said.until.getTime().toString(36), sign(wordsOf(said))].join('.');
    return `${env().APP_URL}/approval/${id}?${new URLSearchParams({ key })}`;
  };
}

/** Of a revision, an instant, and a signature. */
const KEY = /^(0|[1-9]\d{0,8})\.([1-9a-z][\da-z]{0,9})\.(\S{1,200})$/;

function readKey(postId: string, key: string): (Said & { signature: string }) | undefined {
  const [, revision, until, signature] = KEY.exec(key) ?? [];
  if (!isId(postId) || !revision || !until || !signature) return undefined;
  return { postId, revision: Number(revision), until: new Date(Number.parseInt(until, 36)), signature };
}

const invalid = () =>
  new Refusal(
    404,
    'link_invalid',
    'This link is not valid, or not any more. Sign in to see what waits for you',
  );

const expired = () =>
  new Refusal(403, 'link_expired', 'This link has expired. Sign in to see what became of the post');

export type ApprovalLink = Said & { actor: Actor };

/**
 * What a link lets whoever has it decide about: that one post, for the account to which it was mailed. Refuses what we
 * did not mail, and what was mailed to an account that has another address or password since.
 */
export async function openLink(db: Db, postId: string, key: string, now: Date): Promise<ApprovalLink> {
  const read = readKey(postId, key);
  const userId = read && (await ownerOfPost(db, postId));
  if (!userId) throw invalid();
  const { signature, ...said } = read;
  const actor = await findLinkUser(db, userId, wordsOf(said), signature);
  if (!actor) throw invalid();
  if (said.until <= now) throw expired();
  return { ...said, actor };
}
