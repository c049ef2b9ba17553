import { formatTime } from '#app/domain/platform/dates.ts';
import type { ApiPost } from '#app/domain/posts/lists/post.ts';
import { CURES, cureOf, PRESENCES, presenceOf } from './failures.ts';
import { postUrl } from './linkedin-urls.ts';

const iso = (at: Date | null) => at?.toISOString() ?? null;

/** The post of the API. `scheduledPublishTime` is the time of day in the user's time zone. */
export function postShape(post: ApiPost, timeZone: string) {
  return {
    _id: post.id,
    content: post.content,
    imageUrl: post.imageUrl,
    altText: post.altText,
    hashtags: post.hashtags,
    status: post.status,
    reason: post.reason,
    ...presenceShape(post),
    topicId: post.topicId ? { _id: post.topicId, name: post.topicName } : null,
    scheduledPublishTime: post.publishAt && formatTime(post.publishAt, timeZone),
    publishAt: iso(post.publishAt),
    postedAt: iso(post.postedAt),
    createdAt: post.createdAt.toISOString(),
    linkedInPostUrl: postUrl(post.networkUrn),
    engagement: engagementShape(post),
  };
}

/** LinkedIn does not let an ordinary app read engagement, so the user types it in. */
function engagementShape({ likes, comments, shares, impressions, enteredAt }: ApiPost) {
  return { likes, comments, shares, impressions, source: enteredAt && 'user' };
}

function presenceShape(post: ApiPost) {
  const presence = presenceOf(post);
  const cure = post.status === 'failed' ? cureOf(post) : null;
  return {
    presence,
    presenceText: PRESENCES[presence],
    cure: cure && { name: cure, label: CURES[cure].label },
  };
}
