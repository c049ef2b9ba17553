import type { ListedUser } from '#app/domain/operations/users.ts';
import { planLabel } from '#app/domain/payments/plan-labels.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatMinute, presentTime } from '#app/domain/platform/dates.ts';
import { beginningOf } from '#app/domain/posts/landing/top-posts.ts';
import { postUrl } from '#app/domain/posts/linkedin-urls.ts';
import type { Post } from '#app/domain/posts/lists/post.ts';
import { presentBadge } from '#app/domain/posts/present.ts';
import { formatCount, pluralize } from '#app/ui/text.ts';

export function presentUser(user: ListedUser, { timeZone }: Actor) {
  const { id, name, email, isAdmin, isDisabled, postsPerDay, createdAt } = user;
  return {
    id,
    name,
    email,
    isAdmin,
    isDisabled,
    plan: postsPerDay === null ? null : planLabel(postsPerDay),
    posts: pluralize(user.postCount, 'post'),
    published: `${formatCount(user.publishedCount)} published`,
    joined: { iso: createdAt.toISOString(), text: formatDate(createdAt, timeZone) },
  };
}
export type PresentedUser = ReturnType<typeof presentUser>;

export function presentPostLine(post: Post, { timeZone }: Actor) {
  return {
    id: post.id,
    badge: presentBadge(post),
    topic: post.topicName,
    reason: post.reason,
    text: beginningOf(post.content),
    at: presentTime(post.postedAt ?? post.publishAt ?? post.createdAt, timeZone),
    url: postUrl(post.networkUrn),
  };
}
export type PostLine = ReturnType<typeof presentPostLine>;

type SignUp = { id: string; name: string; email: string; createdAt: Date };

export const presentSignUp = ({ createdAt, ...signUp }: SignUp, { timeZone }: Actor) => ({
  ...signUp,
  at: formatMinute(createdAt, timeZone),
});
