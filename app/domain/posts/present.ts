import { localDateOf } from '#app/domain/automation/slots.ts';
import { formatDate, formatInstant, formatMinute, formatTime, nameDay } from '#app/domain/platform/dates.ts';
import type { Post } from '#app/domain/posts/lists/post.ts';
import { presentDeletion } from './deletion.ts';
import { isDuplicate, isSetAside, isUndecided, presentFailure } from './failures.ts';
import { lateAfterMs } from './lateness.ts';
import { ENGAGEMENTS, POST_WAITS, type PostBadge, type PresentedBadge } from './limits.ts';
import { postUrl, recentActivityUrl } from './linkedin-urls.ts';

const SHORT_MS = 15 * 60_000;

export type PostView = ReturnType<typeof presentPost>;

function presentPosted(at: Date, timeZone: string, now: Date) {
  const isToday = localDateOf(at, timeZone) === localDateOf(now, timeZone);
  return { iso: at.toISOString(), text: (isToday ? formatTime : formatInstant)(at, timeZone) };
}

const counted = (count: number, name: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? name.slice(0, -1) : name}`;

function presentEngagement({ likes, comments, shares, impressions, enteredAt }: Post, timeZone: string) {
  if (!enteredAt) return null;
  const counts = { likes, comments, shares, impressions };
  const words = ENGAGEMENTS.flatMap((name) => (counts[name] === null ? [] : [counted(counts[name], name)]));
  return { ...counts, words: words.join(' · '), on: formatDate(enteredAt, timeZone) };
}

type PostStatusFields = Pick<Post, 'isPublishing' | 'status' | 'failure' | 'isUnconfirmed'>;

export function badgeOf(post: PostStatusFields): PostBadge {
  if (post.isPublishing) return 'publishing';
  if (isSetAside(post)) return 'set_aside';
  return isUndecided(post) ? 'unconfirmed' : post.status;
}

/** A waiting post without a time is published manually. */
export function presentBadge(post: Post): PresentedBadge {
  const badge = badgeOf(post);
  return badge === 'generated' && !post.publishAt && !post.dueAt ? 'unplanned' : badge;
}

/** Returns why LinkedIn has put the post off, and until when; null when it has not. */
export function presentPutOff(post: Post, timeZone: string, now: Date) {
  const { isPutOff, notBefore, dueAt, isManual, whyNotAccepted } = post;
  if (!isPutOff || !notBefore || !dueAt) return null;
  const wait = notBefore.getTime() - dueAt.getTime();
  return {
    why: `${whyNotAccepted?.split('. ')[0] ?? 'It could not be sent yet'}.`,
    iso: notBefore.toISOString(),
    at: formatInstant(notBefore, timeZone),
    /** It will be too late for its slot and get the next free one. */
    isLateThen: !isManual && wait > lateAfterMs(),
    isShort: notBefore.getTime() - now.getTime() < SHORT_MS,
  };
}

/** Returns when a late post is published that waits for other posts of its user; null when it waits for none. */
function presentTurn({ turnAt, dueAt, isConnected, isStopped }: Post, timeZone: string, now: Date) {
  if (!turnAt || !dueAt || !isConnected || isStopped) return null;
  return {
    iso: turnAt.toISOString(),
    at: presentPosted(turnAt, timeZone, now).text,
    /** It will be too late for its slot and get the next free one. */
    isLateThen: turnAt.getTime() - dueAt.getTime() > lateAfterMs(),
  };
}

const dateOf = ({ postedAt, createdAt }: Post, timeZone: string) =>
  postedAt ? formatMinute(postedAt, timeZone) : `Created ${formatDate(createdAt, timeZone)}`;

/** The user chose to publish it now, that has not begun, and its own time is in the future. */
export const canGoBack = ({ isManual, isPublishing, isUnconfirmed, publishAt }: Post, now: Date) =>
  isManual && !isPublishing && !isUnconfirmed && publishAt !== null && publishAt > now;

export const canMove = ({
  status,
  isPublishing,
  isUnconfirmed,
  visibility,
}: Pick<Post, 'status' | 'isPublishing' | 'isUnconfirmed' | 'visibility'>) =>
  POST_WAITS[status] && !isPublishing && !isUnconfirmed && visibility === 'PUBLIC';

/** Going back to its own time, or to waiting for approval, changes something: LinkedIn has not put it off for longer. */
const gainsByGoingBack = ({ publishAt, notBefore, needsApproval }: Post) =>
  needsApproval || (publishAt !== null && !(notBefore && notBefore > publishAt));

/** "18:00" for today, "tomorrow 14:00", "Tue, Nov 24, 09:00". */
function relativeTime(at: Date, timeZone: string, now: Date): string {
  const day = nameDay(localDateOf(at, timeZone), localDateOf(now, timeZone));
  if (day === 'Today') return formatTime(at, timeZone);
  return day === 'Tomorrow' ? `tomorrow ${formatTime(at, timeZone)}` : formatInstant(at, timeZone);
}

/**
 * Returns until when a post waits for approval, and what happens otherwise: it moves once, to `movesTo` when that is
 * known, then it is set aside. Returns null when it does not wait for approval, or has no time.
 */
function presentApproval(post: Post, timeZone: string, now: Date, movesTo?: Date) {
  const { status, publishAt, approvalMovedAt, isPublishing } = post;
  if (status !== 'pending' || isPublishing || !publishAt || publishAt <= now) return null;
  const by = relativeTime(publishAt, timeZone, now);
  const then = approvalMovedAt
    ? 'it is set aside'
    : `it moves to ${movesTo ? relativeTime(movesTo, timeZone, now) : 'your next free time'}`;
  return {
    by: { iso: publishAt.toISOString(), text: by },
    then,
    isLastTime: approvalMovedAt !== null,
    words: `Needs your approval by ${by}, else ${then}`,
  };
}

/** The post was approved or skipped by the link in a mail, without a sign-in. */
function presentByMail({ status, failure, decidedByEmailAt: at }: Post, timeZone: string): string | null {
  if (!at || status === 'pending') return null;
  const what = failure === 'skipped' ? 'Skipped' : 'Approved';
  return `${what} by the link in a mail, ${formatInstant(at, timeZone)}.`;
}

/** Not for a duplicate, which LinkedIn would refuse again, and not when the post may be there. */
const canRetry = (post: Post) => post.status === 'failed' && !post.isUnconfirmed && !isDuplicate(post);

/** `movesTo`: when it moves without approval. `notAgain`: why it can't be sent again now, and from when it can. */
type PresentOptions = { movesTo?: Date | undefined; notAgain?: string | null | undefined };

/** Presents a post to its user, with times in the user's time zone. */
export function presentPost(
  post: Post,
  timeZone: string,
  now = new Date(),
  { movesTo, notAgain }: PresentOptions = {},
) {
  const { publishAt: at, postedAt } = post;
  const isTest = post.visibility !== 'PUBLIC';
  return {
    id: post.id,
    content: post.content,
    hashtags: post.hashtags,
    imageUrl: post.imageUrl,
    altText: post.altText,
    revision: post.revision,
    topicName: post.topicName,
    status: post.isPublishing ? ('publishing' as const) : post.status,
    badge: presentBadge(post),
    isWaiting: !post.isPublishing && POST_WAITS[post.status],
    isUnconfirmed: post.isUnconfirmed,
    isHeld: post.heldAt !== null,
    isNext: post.isNext,
    isManual: post.isManual,
    isConnected: post.isConnected,
    isStopped: post.isStopped,
    putOff: presentPutOff(post, timeZone, now),
    approval: presentApproval(post, timeZone, now, movesTo),
    turn: presentTurn(post, timeZone, now),
    byMail: presentByMail(post, timeZone),
    isTest,
    reason: post.reason,
    failure: post.status === 'failed' ? presentFailure(post, !notAgain) : null,
    deletion: presentDeletion(post),
    canEdit: post.status !== 'published' && !post.isPublishing && !post.isUnconfirmed && !isTest,
    canMove: canMove(post),
    canSwap: canMove(post) && !post.isManual && at !== null && at > now,
    canGoBack: canGoBack(post, now) && gainsByGoingBack(post),
    needsApproval: post.needsApproval,
    canRetry: canRetry(post) && !notAgain,
    notAgain: canRetry(post) ? (notAgain ?? null) : null,
    createdOn: formatDate(post.createdAt, timeZone),
    date: formatDate(post.postedAt ?? post.createdAt, timeZone),
    dated: dateOf(post, timeZone),
    publishAt: at && {
      iso: at.toISOString(),
      text: formatInstant(at, timeZone),
      day: localDateOf(at, timeZone),
      time: formatTime(at, timeZone),
      isPast: at <= now,
    },
    posted: postedAt && presentPosted(postedAt, timeZone, now),
    engagement: presentEngagement(post, timeZone),
    profileUrl: recentActivityUrl(),
    url: postUrl(post.networkUrn),
  };
}

/**
 * The label before the time of a waiting post. It promises nothing for a post that is held or not approved, nor while
 * the whole queue is blocked (`isPlanned`).
 */
export function timeLabelOf({ publishAt, status, isHeld, isStopped }: PostView, isPlanned: boolean): string {
  const isDoubtful = isPlanned || isHeld || isStopped || status === 'pending';
  if (!isDoubtful) return publishAt?.isPast ? 'Goes out shortly, planned for' : 'Publishes at';
  return publishAt?.isPast ? 'Was due at' : 'Planned for';
}

export const afterTimeOf = ({ approval }: PostView) => (approval ? 'once you approve it' : '');
