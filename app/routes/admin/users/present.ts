import type { ListedUser } from '#app/domain/operations/users.ts';
import { planLabel } from '#app/domain/payments/plan-labels.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatMinute } from '#app/domain/platform/dates.ts';
import { beginningOf } from '#app/domain/posts/landing/top-posts.ts';
import { postUrl } from '#app/domain/posts/linkedin-urls.ts';
import type { Post } from '#app/domain/posts/lists/post.ts';
import { presentBadge } from '#app/domain/posts/present.ts';

const inDigits = (count: number) => count.toLocaleString('en-US');

/** Somebody in a line of the list, in the admin's time zone. */
export function presentUser({ id, name, email, isAdmin, isDisabled, ...person }: ListedUser, admin: Actor) {
  const { postsPerDay, postCount, publishedCount, createdAt } = person;
  return {
    id,
    name,
    email,
    isAdmin,
    isDisabled,
    plan: postsPerDay === null ? null : planLabel(postsPerDay),
    posts: postCount === 1 ? '1 post' : `${inDigits(postCount)} posts`,
    published: `${inDigits(publishedCount)} published`,
    joined: { iso: createdAt.toISOString(), text: formatDate(createdAt, admin.timeZone) },
  };
}
export type PresentedUser = ReturnType<typeof presentUser>;

/** When a post went out, or is to, or was written. */
function timeOf({ postedAt, publishAt, createdAt }: Post, { timeZone }: Actor) {
  const at = postedAt ?? publishAt ?? createdAt;
  return { iso: at.toISOString(), text: formatMinute(at, timeZone) };
}

/** A post of somebody in a line, in the admin's time zone. */
export function presentPostLine(post: Post, admin: Actor) {
  return {
    id: post.id,
    badge: presentBadge(post),
    topic: post.topicName,
    reason: post.reason,
    text: beginningOf(post.content),
    at: timeOf(post, admin),
    url: postUrl(post.networkUrn),
  };
}
export type PostLine = ReturnType<typeof presentPostLine>;

type SignUp = { id: string; name: string; email: string; createdAt: Date };

export const presentSignUp = ({ createdAt, ...signUp }: SignUp, { timeZone }: Actor) => ({
  ...signUp,
  at: formatMinute(createdAt, timeZone),
});
