import { localDateOf } from '#app/domain/automation/slots.ts';
import { formatDate, formatInstant, formatTime } from '#app/domain/dates.ts';
import { postUrl, recentActivityUrl } from './addresses.ts';
import { describeDeletion } from './deletion.ts';
import { describeFailure, isDuplicate, isSetAside } from './failures.ts';
import type { Post } from './posts.ts';

export type PostView = ReturnType<typeof describePost>;

/** "18:12" of today, "Tue, 24 Nov, 18:12" of another day. */
function describePosted(at: Date, timeZone: string, now: Date) {
  const isToday = localDateOf(at, timeZone) === localDateOf(now, timeZone);
  return { iso: at.toISOString(), text: (isToday ? formatTime : formatInstant)(at, timeZone) };
}

/** What was typed in about a post and when; null when nothing was. */
function describeEngagement({ likes, comments, shares, impressions, enteredAt }: Post, timeZone: string) {
  return enteredAt && { likes, comments, shares, impressions, on: formatDate(enteredAt, timeZone) };
}

/** The word that is shown for where a post stands. */
const badgeOf = (post: Post) =>
  post.isPublishing ? 'publishing' : isSetAside(post) ? 'set_aside' : post.status;

/** A post as its owner reads it: times in words of their zone, and whether a worker is at it. */
export function describePost(post: Post, timeZone: string, now = new Date()) {
  const { publishAt: at, postedAt } = post;
  const isTest = post.visibility !== 'PUBLIC';
  return {
    id: post.id,
    content: post.content,
    hashtags: post.hashtags,
    imageUrl: post.imageUrl,
    altText: post.altText,
    topicName: post.topicName,
    status: post.isPublishing ? ('publishing' as const) : post.status,
    badge: badgeOf(post),
    isUnconfirmed: post.isUnconfirmed,
    isHeld: post.heldAt !== null,
    isNext: post.isNext,
    isTest,
    reason: post.reason,
    failure: post.status === 'failed' ? describeFailure(post) : null,
    deletion: describeDeletion(post),
    canEdit: post.status !== 'published' && !post.isPublishing && !post.isUnconfirmed && !isTest,
    // The same text a second time would be refused again, or be there twice.
    canRetry: post.status === 'failed' && !post.isUnconfirmed && !isDuplicate(post),
    createdOn: formatDate(post.createdAt, timeZone),
    date: formatDate(post.postedAt ?? post.createdAt, timeZone),
    publishAt: at && {
      iso: at.toISOString(),
      text: formatInstant(at, timeZone),
      day: localDateOf(at, timeZone),
      time: formatTime(at, timeZone),
    },
    posted: postedAt && describePosted(postedAt, timeZone, now),
    engagement: describeEngagement(post, timeZone),
    profileUrl: recentActivityUrl(),
    url: postUrl(post.networkUrn),
  };
}
