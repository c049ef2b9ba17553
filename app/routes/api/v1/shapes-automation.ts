import type { Settings } from '#app/domain/automation/settings.ts';
import { postUrl } from '#app/domain/posts/post-words.ts';
import type { Post } from '#app/domain/posts/posts.ts';
import type { Run } from '#app/domain/writing/start-run.ts';

const iso = (at: Date | null) => at?.toISOString() ?? null;

/** `scheduledPublishTime` is the time of day in the user's zone. */
export function postShape(post: Post, timeZone: string) {
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone });
  return {
    _id: post.id,
    content: post.content,
    imageUrl: post.imageUrl,
    altText: post.altText,
    hashtags: post.hashtags,
    status: post.status,
    reason: post.reason,
    topicId: post.topicId ? { _id: post.topicId, name: post.topicName } : null,
    scheduledPublishTime: post.publishAt ? time.format(post.publishAt) : null,
    publishAt: iso(post.publishAt),
    postedAt: iso(post.postedAt),
    createdAt: post.createdAt.toISOString(),
    linkedInPostUrl: postUrl(post.networkUrn),
    // Nothing is known about engagement: an ordinary app may not read it back.
    engagement: { likes: null, comments: null, shares: null, impressions: null },
  };
}

export function runShape(run: Run) {
  const { id, status, requested, done, failed, error, createdAt } = run;
  return { _id: id, status, requested, done, failed, error, createdAt: createdAt.toISOString() };
}

export const settingsShape = (settings: Settings) => settings;
