import type { Trx } from '#app/db/client.ts';
import { mailUser } from '#app/domain/accounts/users.ts';
import { formatInMail } from '#app/domain/platform/dates.ts';
import { cut } from '#app/domain/platform/input-schema.ts';
import {
  CURES,
  type Cure,
  type Failure,
  HINDRANCES,
  PRESENCES,
  presenceOf,
} from '#app/domain/posts/failures.ts';
import { recentActivityUrl } from '#app/domain/posts/linkedin-urls.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { approvalLinks, type LinkTo } from '#app/domain/publishing/approval/links.ts';
import { env } from '#app/env.ts';

export type MailedPost = { id: string; userId: string; content: string };

/** Returns the start of a post's first line, with which mails name the post. */
export const openingOf = (content: string) => {
  const line = content.split('\n')[0]!;
  return line.length > 80 ? `${cut(line, 79)}…` : line;
};

/** Returns the button of a mail: it links to the page where the user can fix the post. */
function fixLink(cure: Cure, postId: string) {
  const { label } = CURES[cure];
  const page = `${env().APP_URL}/app/posts`;
  if (cure === 'connect') return { button: label, url: env().APP_URL + HINDRANCES.connect.to };
  if (cure === 'edit' || cure === 'picture') return { button: label, url: `${page}?edit=${postId}` };
  cure satisfies 'retry' | 'publish' | 'decide';
  return { button: 'Open the post', url: page };
}

export async function mailFailed(
  trx: Trx,
  post: MailedPost,
  { reason, isOnLinkedIn, cure }: Failure,
  dedupeKey: string,
): Promise<void> {
  const data = {
    reason,
    isOnLinkedIn,
    opening: openingOf(post.content),
    ...fixLink(cure.name, post.id),
  };
  await mailUser(trx, post.userId, 'postFailed', data, dedupeKey);
}

export async function mailMoved(
  trx: Trx,
  post: MailedPost,
  from: Date,
  to: Date,
  timeZone: string,
): Promise<void> {
  const data = {
    opening: openingOf(post.content),
    isOnLinkedIn: PRESENCES[presenceOf(await findPost(trx, post, post.id))],
    from: formatInMail(from, timeZone),
    to: formatInMail(to, timeZone),
    url: `${env().APP_URL}/app/scheduled`,
  };
  await mailUser(trx, post.userId, 'postMoved', data, `moved:${post.id}:${from.getTime()}`);
}

type ResumedPost = { opening: string; at: Date; timeZone: string };

/** The user did not choose in time what to do with missed posts, so they took the next free slots. */
export async function mailResumed(
  trx: Trx,
  userId: string,
  resumed: ResumedPost[],
  resumedAt: Date,
): Promise<void> {
  const posts = resumed.map(({ opening, at, timeZone }) => ({ opening, at: formatInMail(at, timeZone) }));
  const url = `${env().APP_URL}/app/scheduled`;
  await mailUser(trx, userId, 'postsResumed', { posts, url }, `resumed:${userId}:${resumedAt.toISOString()}`);
}

type PendingPost = MailedPost & { hashtags: string[]; revision: number; approvalMovedAt: Date | null };
type ApprovalTiming = { dueAt: Date; paidUntil: Date | null; timeZone: string };

const wholeText = ({ content, hashtags }: PendingPost) =>
  [content, hashtags.map((tag) => `#${tag}`).join(' ')].filter(Boolean).join('\n\n');

export const presentForApproval = (
  post: PendingPost,
  { dueAt, paidUntil, timeZone }: ApprovalTiming,
  linkTo: LinkTo,
) => ({
  text: wholeText(post),
  at: formatInMail(dueAt, timeZone),
  isLastTime: post.approvalMovedAt !== null,
  isAfterPlan: paidUntil !== null && dueAt >= paidUntil,
  link: linkTo(post, dueAt),
});

type Move = ApprovalTiming & { from: Date; now: Date };

export async function mailMovedUnapproved(trx: Trx, post: PendingPost, move: Move): Promise<void> {
  const { from, now, ...planned } = move;
  const linkTo = await approvalLinks(trx, post.userId, now);
  const data = {
    from: formatInMail(from, planned.timeZone),
    post: presentForApproval({ ...post, approvalMovedAt: from }, planned, linkTo),
  };
  await mailUser(trx, post.userId, 'approvalMoved', data, `unapproved:${post.id}:${from.getTime()}`);
}

export async function mailMissedApproval(
  trx: Trx,
  post: PendingPost,
  at: Date,
  timeZone: string,
): Promise<void> {
  const url = `${env().APP_URL}/app/posts?status=set_aside`;
  const data = { text: wholeText(post), at: formatInMail(at, timeZone), url };
  await mailUser(trx, post.userId, 'approvalMissed', data, `set-aside:${post.id}:${at.getTime()}`);
}

export async function mailUnconfirmed(trx: Trx, post: MailedPost, attemptId: string): Promise<void> {
  const data = {
    opening: openingOf(post.content),
    profileUrl: recentActivityUrl(),
    url: `${env().APP_URL}/app/posts`,
  };
  await mailUser(trx, post.userId, 'postUnconfirmed', data, `unconfirmed:${attemptId}`);
}
