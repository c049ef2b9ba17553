import { localDateOf } from '#app/domain/automation/slots.ts';
import { formatDate, formatInstant, formatTime } from '#app/domain/dates.ts';
import { postUrl } from './addresses.ts';
import type { Post } from './posts.ts';

export type PostView = ReturnType<typeof describePost>;

/** A post as its owner reads it: times in words of their zone, and whether a worker is at it. */
export function describePost(post: Post, timeZone: string) {
  const { publishAt: at } = post;
  return {
    id: post.id,
    content: post.content,
    hashtags: post.hashtags,
    imageUrl: post.imageUrl,
    altText: post.altText,
    topicName: post.topicName,
    status: post.isPublishing ? ('publishing' as const) : post.status,
    isUnconfirmed: post.isUnconfirmed,
    isHeld: post.heldAt !== null,
    reason: post.reason,
    createdOn: formatDate(post.createdAt, timeZone),
    date: formatDate(post.postedAt ?? post.createdAt, timeZone),
    publishAt: at && {
      iso: at.toISOString(),
      text: formatInstant(at, timeZone),
      day: localDateOf(at, timeZone),
      time: formatTime(at, timeZone),
    },
    url: postUrl(post.networkUrn),
  };
}
