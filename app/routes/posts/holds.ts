import type { ShellState } from '#app/domain/pages/shell.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import type { PostView } from '#app/domain/posts/present.ts';
import type { Condition } from '#app/domain/publishing/eligibility/eligibility.ts';
import { explainPause, explainSentDuringPause } from '#app/domain/publishing/safety/pause.ts';

export const accountStateOf = (shell: ShellState, { timeZone }: Actor) => ({
  isLeaving: shell.eraseAt !== null,
  isConnected: shell.isLinkedInConnected,
  isLost: shell.trouble?.kind === 'lost',
  hasMissed: shell.trouble?.kind === 'missed',
  hasPlan: shell.hasActivePlan,
  /** When the paid period ends, including paid renewals; null without a plan. */
  planEndsAt: shell.planEndsAt,
  isEnabled: !shell.isPaused,
  pause: shell.pause ? explainPause(shell.pause, timeZone) : null,
  sentWhile: shell.pause ? explainSentDuringPause(shell.pause) : null,
});
export type AccountState = ReturnType<typeof accountStateOf>;

/** After the paid period nothing is published unless the plan is renewed. */
export const isAfterPlan = ({ planEndsAt }: AccountState, at: Date) =>
  planEndsAt !== null && at >= planEndsAt;

export const isUnpaid = ({ isWaiting, isManual, publishAt }: PostView, account: AccountState) =>
  isWaiting && !isManual && publishAt !== null && isAfterPlan(account, new Date(publishAt.iso));

export type Hold = { text: string };

/** Why a post that was published by hand did not go out, whatever its time. */
function explainUnsent({ isTest, putOff }: PostView, { isLost }: AccountState): Hold {
  const why = isLost ? 'LinkedIn no longer accepts our permission' : 'LinkedIn is not connected';
  const then = isTest || putOff ? 'and it goes out' : 'then choose what becomes of the post';
  return { text: `Not sent: ${why}. Connect it${isLost ? ' again' : ''}, ${then}.` };
}

type ExplainHold = (post: PostView, account: AccountState) => Hold | false;

/** Why a held post isn't published, by what its owner has to do, in the order in which they would do it. */
const HOLD_REASONS: Record<Condition, ExplainHold> = {
  account: (_, { isLeaving }) =>
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
  automation: (_, account) => {
    if (!account.hasPlan)
      return { text: 'Held: you have no active plan. Choose one, or publish the post by hand.' };
    return (
      !account.isEnabled && {
        text: 'Held: automation is paused. Turn it on, and the post takes your next free time.',
      }
    );
  },
};

const afterPlan = ({ status }: PostView): Hold => ({
  text:
    status === 'pending'
      ? 'After your plan ends: it waits for you. Renew your plan before then and approve the post, and it can go out at its time.'
      : 'After your plan ends: renew it before then, and the post can go out at its time.',
});

/**
 * Why a post was not or will not be published at its time, and what to do about it; null if nothing is wrong. Cards
 * don't offer to connect LinkedIn, choose a plan, decide on missed posts or turn automation on: the layout does.
 */
export function explainHold(post: PostView, account: AccountState): Hold | null {
  if (post.status === 'publishing') return null;
  if (post.isManual && !post.isConnected) return explainUnsent(post, account);
  if (!post.isHeld) return isUnpaid(post, account) ? afterPlan(post) : null;
  for (const why of Object.values(HOLD_REASONS)) {
    const hold = why(post, account);
    if (hold) return hold;
  }
  return { text: 'Held. It takes your next free time shortly.' };
}

/** What the owner has to do before anything in the queue is published. */
function explainOwn(posts: PostView[], account: AccountState): string | null {
  const { isLeaving, isConnected, hasPlan, isEnabled } = account;
  if (isLeaving) return 'Your account is being deleted, so nothing goes out.';
  if (!isConnected) return 'LinkedIn is not connected, so no post can go out.';
  if (!posts.some(({ publishAt }) => publishAt)) return null;
  if (!hasPlan) return 'You have no active plan, so nothing goes out by itself.';
  return isEnabled ? null : 'Automation is paused, so nothing goes out by itself.';
}

/** What blocks the whole queue; null if nothing does. The layout shows it above its pages. */
export function explainQueue(posts: PostView[], account: AccountState): Hold | null {
  if (posts.length === 0) return null;
  const reasons = [account.pause, explainOwn(posts, account)].flatMap((text) => text ?? []);
  return reasons.length > 0 ? { text: reasons.join(' ') } : null;
}
