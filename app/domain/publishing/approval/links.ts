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

/** The signed content of a link: the post, its revision when it was mailed, and when the link expires. */
type LinkContent = { postId: string; revision: number; until: Date };

const signedText = ({ postId, revision, until }: LinkContent) =>
  `approval ${postId} ${revision} ${until.getTime()}`;

/** A link expires when the post is too late for its time, or after some days. */
const expiryFor = (dueAt: Date, now: Date) =>
  new Date(Math.min(dueAt.getTime() + lateAfterMs(), now.getTime() + LINK_MS));

export type LinkTo = (post: { id: string; revision: number }, dueAt: Date) => string;

export async function approvalLinks(db: Db, userId: string, now: Date): Promise<LinkTo> {
  const sign = await linkSigner(db, userId);
  return ({ id, revision }, dueAt) => {
    const content = { postId: id, revision, until: expiryFor(dueAt, now) };
    const key = [revision, content.until.getTime().toString(36), sign(signedText(content))].join('.');
    return `${env().APP_URL}/approval/${id}?${new URLSearchParams({ key })}`;
  };
}

/** A revision, the expiry as a base-36 timestamp, and a signature. */
const KEY = /^(0|[1-9]\d{0,8})\.([1-9a-z][\da-z]{0,9})\.(\S{1,200})$/;

function readKey(postId: string, key: string): (LinkContent & { signature: string }) | undefined {
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

export type ApprovalLink = LinkContent & { actor: Actor };

/**
 * Verifies a link and returns its post and the user to whom it was mailed. Throws when the signature is wrong, when the
 * user has changed their email address or password since, or when the link has expired.
 */
export async function openLink(db: Db, postId: string, key: string, now: Date): Promise<ApprovalLink> {
  const read = readKey(postId, key);
  const userId = read && (await ownerOfPost(db, postId));
  if (!userId) throw invalid();
  const { signature, ...content } = read;
  const actor = await findLinkUser(db, userId, signedText(content), signature);
  if (!actor) throw invalid();
  if (content.until <= now) throw expired();
  return { ...content, actor };
}
