import type { ShellState } from '#app/domain/pages/shell.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import type { PostView } from '#app/domain/posts/present.ts';
import { explainPause, sentWhile } from '#app/domain/publishing/safety/pause.ts';
import type { SeenTo } from '#app/domain/queue/eligibility.ts';

/** What may keep the posts of a user from going out. */
export const standingOf = (shell: ShellState, { timeZone }: Actor) => ({
  isLeaving: shell.eraseAt !== null,
  isConnected: shell.isLinkedInConnected,
  isLost: shell.trouble?.kind === 'lost',
  hasMissed: shell.trouble?.kind === 'missed',
  hasPlan: shell.hasActivePlan,
  /** When what is paid for ends, renewals with it; null without a plan. */
  planEndsAt: shell.planEndsAt,
  isEnabled: !shell.isPaused,
  pause: shell.pause ? explainPause(shell.pause, timeZone) : null,
  sentWhile: shell.pause ? sentWhile(shell.pause) : null,
});
export type PostHold = ReturnType<typeof standingOf>;

/** It lies after what is paid for, so nothing goes out then unless the plan is renewed. */
export const isAfterPlan = ({ planEndsAt }: PostHold, at: Date) => planEndsAt !== null && at >= planEndsAt;

/** The same of a post that waits for its time. */
export const isUnpaid = ({ isWaiting, isManual, publishAt }: PostView, standing: PostHold) =>
  isWaiting && !isManual && publishAt !== null && isAfterPlan(standing, new Date(publishAt.iso));

export type Hold = { text: string };

/** What was sent by hand did not go out, whatever its time. */
function explainUnsent({ isTest, putOff }: PostView, { isLost }: PostHold): Hold {
  const why = isLost ? 'LinkedIn no longer accepts our permission' : 'LinkedIn is not connected';
  const then = isTest || putOff ? 'and it goes out' : 'then choose what becomes of the post';
  return { text: `Not sent: ${why}. Connect it${isLost ? ' again' : ''}, ${then}.` };
}

type Why = (post: PostView, standing: PostHold) => Hold | false;

/** Why a held post does not go, by what its owner has not seen to, as they mend it one after the other. */
const HELD: Record<SeenTo, Why> = {
  stay: (_, { isLeaving }) =>
    isLeaving && { text: 'Held: your account is being deleted. Keep it, and the post goes on.' },
  approval: ({ status }) =>
    status === 'pending' && {
      text: 'You did not approve it before its time. Approve it, and it takes your next free time.',
    },
  connection: (_, { isConnected }) =>
    !isConnected && {
      text: 'Held: its time passed. Once LinkedIn is connected, you choose what becomes of the post.',
    },
  choice: (_, { hasMissed }) =>
    hasMissed && {
      text: 'Held: its time passed before LinkedIn was connected. It waits for your choice.',
    },
  wish: (_, standing) => {
    if (!standing.hasPlan)
      return { text: 'Held: you have no active plan. Choose one, or publish the post by hand.' };
    return (
      !standing.isEnabled && {
        text: 'Held: automation is paused. Turn it on, and the post takes your next free time.',
      }
    );
  },
};

const AFTER_PLAN: Hold = {
  text: 'After your plan ends: renew it before then, and the post can go out at its time.',
};
const UNAPPROVED_AFTER_PLAN: Hold = {
  text: 'After your plan ends: it waits for you. Renew your plan before then and approve the post, and it can go out at its time.',
};
const afterPlan = ({ status }: PostView) => (status === 'pending' ? UNAPPROVED_AFTER_PLAN : AFTER_PLAN);

/**
 * Why a post did not go out at its time, or will not, and what to do about it; null when nothing is wrong. To connect LinkedIn, to
 * choose a plan or what becomes of missed posts, and to turn automation on the frame of the page calls: cards do not.
 */
export function explainHold(post: PostView, standing: PostHold): Hold | null {
  if (post.status === 'publishing') return null;
  if (post.isManual && !post.isConnected) return explainUnsent(post, standing);
  if (!post.isHeld) return isUnpaid(post, standing) ? afterPlan(post) : null;
  for (const why of Object.values(HELD)) {
    const hold = why(post, standing);
    if (hold) return hold;
  }
  return { text: 'Held. It takes your next free time shortly.' };
}

/** What its owner has not seen to, and what holds the whole queue therefore; null when there is nothing. */
function explainOwn(posts: PostView[], standing: PostHold): string | null {
  const { isLeaving, isConnected, hasPlan, isEnabled } = standing;
  if (isLeaving) return 'Your account is being deleted, so nothing goes out.';
  if (!isConnected) return 'LinkedIn is not connected, so no post can go out.';
  if (!posts.some(({ publishAt }) => publishAt)) return null;
  if (!hasPlan) return 'You have no active plan, so nothing goes out by itself.';
  return isEnabled ? null : 'Automation is paused, so nothing goes out by itself.';
}

/** What stands in the way of all that waits; null when nothing does. The frame of the app says it above its pages. */
export function explainQueue(posts: PostView[], standing: PostHold): Hold | null {
  if (posts.length === 0) return null;
  const said = [standing.pause, explainOwn(posts, standing)].flatMap((text) => text ?? []);
  return said.length > 0 ? { text: said.join(' ') } : null;
}
