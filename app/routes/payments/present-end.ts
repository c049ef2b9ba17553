import type { Db } from '#app/db/client.ts';
import type { Subscription } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { getStats } from '#app/domain/posts/counts/stats.ts';

/** What happens to held posts; '' without any. */
function describeHeldPosts(count: number): string {
  if (count === 0) return '';
  const one =
    'One post is held and keeps its place. With a plan it goes on; if its time has passed, it takes your next free time.';
  const many = `${count} posts are held and keep their places. With a plan they go on; those whose time has passed take your next free times.`;
  return count === 1 ? one : many;
}

/** Explains that the last plan has ended and what happens to held posts; null while there is a plan. */
export async function presentEnded(db: Db, actor: Actor, current: Subscription | null, now: Date) {
  if (current?.status !== 'expired' && current?.status !== 'cancelled') return null;
  const { scheduledPosts } = await getStats(db, actor, now);
  const text = 'No posts are written or published by themselves until you have a plan again.';
  return { title: 'Your plan has ended', text: `${text} ${describeHeldPosts(scheduledPosts)}`.trim() };
}
