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

/** "18:12" of today, "Tue, Nov 24, 18:12" of another day. */
function presentPosted(at: Date, timeZone: string, now: Date) {
  const isToday = localDateOf(at, timeZone) === localDateOf(now, timeZone);
  return { iso: at.toISOString(), text: (isToday ? formatTime : formatInstant)(at, timeZone) };
}

const counted = (count: number, name: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? name.slice(0, -1) : name}`;

/** What was typed in about a post, also in words, and when; null when nothing was. */
function presentEngagement({ likes, comments, shares, impressions, enteredAt }: Post, timeZone: string) {
  if (!enteredAt) return null;
  const counts = { likes, comments, shares, impressions };
  const words = ENGAGEMENTS.flatMap((name) => (counts[name] === null ? [] : [counted(counts[name], name)]));
  return { ...counts, words: words.join(' · '), on: formatDate(enteredAt, timeZone) };
}

type PostStatusFields = Pick<Post, 'isPublishing' | 'status' | 'failure' | 'isUnconfirmed'>;

/** The word that is shown for where a post stands. */
export function badgeOf(post: PostStatusFields): PostBadge {
  if (post.isPublishing) return 'publishing';
  if (isSetAside(post)) return 'set_aside';
  return isUndecided(post) ? 'unconfirmed' : post.status;
}

/** The same of a post that may have no time: it is ready, and goes out by hand. */
export function presentBadge(post: Post): PresentedBadge {
  const badge = badgeOf(post);
  return badge === 'generated' && !post.publishAt && !post.dueAt ? 'unplanned' : badge;
}

/** Why LinkedIn did not take it yet, and until when nothing is sent; null when it has not put it off. */
export function presentPutOff(post: Post, timeZone: string, now: Date) {
  const { isPutOff, notBefore, dueAt, isManual, whyNotAccepted } = post;
  if (!isPutOff || !notBefore || !dueAt) return null;
  const wait = notBefore.getTime() - dueAt.getTime();
  return {
    why: `${whyNotAccepted?.split('. ')[0] ?? 'It could not be sent yet'}.`,
    iso: notBefore.toISOString(),
    at: formatInstant(notBefore, timeZone),
    /** Then it is too late for its time, and takes the next free one. */
    isLateThen: !isManual && wait > lateAfterMs(),
    /** Soon enough to wait for on the page. */
    isShort: notBefore.getTime() - now.getTime() < SHORT_MS,
  };
}

/** About when a late post goes out that waits for others of its owner, which go first; null when it waits for none. */
function presentTurn({ turnAt, dueAt, isConnected, isStopped }: Post, timeZone: string, now: Date) {
  if (!turnAt || !dueAt || !isConnected || isStopped) return null;
  return {
    iso: turnAt.toISOString(),
    at: presentPosted(turnAt, timeZone, now).text,
    /** Then it is too late for its time, and takes the next free one. */
    isLateThen: turnAt.getTime() - dueAt.getTime() > lateAfterMs(),
  };
}

/** The history dates a post by when it went out, or else by when it was made. */
const dateOf = ({ postedAt, createdAt }: Post, timeZone: string) =>
  postedAt ? formatMinute(postedAt, timeZone) : `Created ${formatDate(createdAt, timeZone)}`;

/** Sent by hand, not begun, and with a time of its own that is still to come. */
export const canGoBack = ({ isManual, isPublishing, isUnconfirmed, publishAt }: Post, now: Date) =>
  isManual && !isPublishing && !isUnconfirmed && publishAt !== null && publishAt > now;

/** It waits for its owner or its time, and nobody is at it: it can be given another time. */
export const canMove = ({
  status,
  isPublishing,
  isUnconfirmed,
  visibility,
}: Pick<Post, 'status' | 'isPublishing' | 'isUnconfirmed' | 'visibility'>) =>
  POST_WAITS[status] && !isPublishing && !isUnconfirmed && visibility === 'PUBLIC';

/** To go back helps: to its own time, unless LinkedIn has put it off for longer, or to waiting for approval. */
const gainsByGoingBack = ({ publishAt, notBefore, needsApproval }: Post) =>
  needsApproval || (publishAt !== null && !(notBefore && notBefore > publishAt));

/** A time as it is said beside today: "18:00", "tomorrow 14:00", "Tue, Nov 24, 09:00". */
function timeBesideToday(at: Date, timeZone: string, now: Date): string {
  const day = nameDay(localDateOf(at, timeZone), localDateOf(now, timeZone));
  if (day === 'Today') return formatTime(at, timeZone);
  return day === 'Tomorrow' ? `tomorrow ${formatTime(at, timeZone)}` : formatInstant(at, timeZone);
}

/**
 * Until when a post waits for approval, and what becomes of it otherwise: it moves once, to `movesTo` when that is
 * known, then it is set aside. Null when it does not wait for that, or waits for it without an end.
 */
function presentApproval(post: Post, timeZone: string, now: Date, movesTo?: Date) {
  const { status, publishAt, approvalMovedAt, isPublishing } = post;
  if (status !== 'pending' || isPublishing || !publishAt || publishAt <= now) return null;
  const by = timeBesideToday(publishAt, timeZone, now);
  const then = approvalMovedAt
    ? 'it is set aside'
    : `it moves to ${movesTo ? timeBesideToday(movesTo, timeZone, now) : 'your next free time'}`;
  return {
    by: { iso: publishAt.toISOString(), text: by },
    then,
    isLastTime: approvalMovedAt !== null,
    words: `Needs your approval by ${by}, else ${then}`,
  };
}

/** Who approved or skipped it was not signed in, and had the link that was mailed. */
function presentByMail({ status, failure, decidedByEmailAt: at }: Post, timeZone: string): string | null {
  if (!at || status === 'pending') return null;
  const what = failure === 'skipped' ? 'Skipped' : 'Approved';
  return `${what} by the link in a mail, ${formatInstant(at, timeZone)}.`;
}

/** The same text a second time would be refused again, or be there twice. */
const canRetry = (post: Post) => post.status === 'failed' && !post.isUnconfirmed && !isDuplicate(post);

/** What is known beside a post: when it moves unapproved; why it cannot be sent again now, and from when. */
type Beside = { movesTo?: Date | undefined; notAgain?: string | null | undefined };

/** A post as its owner reads it: times in words of their zone, and whether a worker is at it. */
export function presentPost(
  post: Post,
  timeZone: string,
  now = new Date(),
  { movesTo, notAgain }: Beside = {},
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
 * What is said before the time of a post that waits. It promises nothing of one that is held or that its owner has
 * not approved, and of none while something stands in the way of the whole queue (`isPlanned`). One that is late goes
 * as soon as a worker takes it.
 */
export function timeLabelOf({ publishAt, status, isHeld, isStopped }: PostView, isPlanned: boolean): string {
  const isDoubtful = isPlanned || isHeld || isStopped || status === 'pending';
  if (!isDoubtful) return publishAt?.isPast ? 'Goes out shortly, planned for' : 'Publishes at';
  return publishAt?.isPast ? 'Was due at' : 'Planned for';
}

/** What follows the time of a post that its owner has yet to approve. */
export const afterTimeOf = ({ approval }: PostView) => (approval ? 'once you approve it' : '');
