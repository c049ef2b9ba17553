import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { getSettings } from '#app/domain/automation/settings.ts';
import type { PostView } from '#app/domain/posts/describe.ts';
import { HINDRANCES } from '#app/domain/posts/failures.ts';
import { explainPause, findPause, sentWhile } from '#app/domain/publishing/pause.ts';
import type { SeenTo } from '#app/domain/queue/may-go.ts';
import { getShellState } from '#app/domain/shell-state.ts';
import { listTopicNames } from '#app/domain/topics/topics.ts';

/** What may keep the posts of a user from going out. */
export async function loadStanding(db: Db, actor: Actor, now: Date) {
  const [shell, settings, pause, topics] = await Promise.all([
    getShellState(db, actor, now),
    getSettings(db, actor, now),
    findPause(db, now),
    listTopicNames(db, actor),
  ]);
  return standingOf({ shell, isEnabled: settings.enabled, hasTopics: topics.length > 0, pause }, actor);
}

type Known = {
  shell: Awaited<ReturnType<typeof getShellState>>;
  isEnabled: boolean;
  hasTopics: boolean;
  pause: Awaited<ReturnType<typeof findPause>>;
};
export type Standing = ReturnType<typeof standingOf>;

export const standingOf = ({ shell, isEnabled, hasTopics, pause }: Known, { timeZone }: Actor) => ({
  isConnected: shell.isLinkedInConnected,
  isLost: shell.trouble?.kind === 'lost',
  hasMissed: shell.trouble?.kind === 'missed',
  hasPlan: shell.hasActivePlan,
  isEnabled,
  hasTopics,
  pause: pause ? explainPause(pause, timeZone) : null,
  sentWhile: pause ? sentWhile(pause) : null,
});

export type Hold = { text: string; to?: string; label?: string };

/** The switch of automation shows once there is a topic. */
const turnOn = ({ hasTopics }: Standing) => (hasTopics ? HINDRANCES.turnOn : HINDRANCES.addTopics);

/** What was sent by hand did not go out, whatever its time. */
function explainUnsent({ isTest, putOff }: PostView, { isLost }: Standing): Hold {
  const why = isLost ? 'LinkedIn no longer accepts our permission' : 'LinkedIn is not connected';
  const then = isTest || putOff ? 'and it goes out' : 'then choose what becomes of the post';
  return { text: `Not sent: ${why}. Connect it${isLost ? ' again' : ''}, ${then}.` };
}

type Why = (post: PostView, standing: Standing) => Hold | false;

/** Why a held post does not go, by what its owner has not seen to, as they mend it one after the other. */
const HELD: Record<SeenTo, Why> = {
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
        ...turnOn(standing),
      }
    );
  },
};

/**
 * Why a post did not go out at its time, and what to do about it; null when nothing is wrong. To connect LinkedIn, to
 * choose a plan and what becomes of missed posts the frame of every page calls: cards do not repeat it.
 */
export function explainHold(post: PostView, standing: Standing): Hold | null {
  if (post.status === 'publishing') return null;
  if (post.isByHand && !post.isConnected) return explainUnsent(post, standing);
  if (!post.isHeld) return null;
  for (const why of Object.values(HELD)) {
    const hold = why(post, standing);
    if (hold) return hold;
  }
  return { text: 'Held. It takes your next free time shortly.' };
}

/** `isSaid`: the frame of every page says it. */
type QueueHold = Hold & { isSaid?: boolean };

/** What its owner has not seen to, and what holds the whole queue therefore; null when there is nothing. */
function explainOwn(posts: PostView[], standing: Standing): QueueHold | null {
  const { isConnected, isLost, hasPlan, isEnabled } = standing;
  if (!isConnected) return { text: 'LinkedIn is not connected, so no post can go out.', isSaid: isLost };
  if (!posts.some(({ publishAt }) => publishAt)) return null;
  if (!hasPlan) return { text: 'You have no active plan, so nothing goes out by itself.', isSaid: true };
  if (!isEnabled)
    return { text: 'Automation is paused, so nothing goes out by itself.', ...turnOn(standing) };
  return null;
}

/** What stands in the way of the whole queue, a stop for everybody first; null when nothing does. */
export function explainQueue(posts: PostView[], standing: Standing): QueueHold | null {
  if (posts.length === 0) return null;
  const [own, { pause }] = [explainOwn(posts, standing), standing];
  if (!pause) return own;
  return own && !own.isSaid ? { ...own, text: `${pause} ${own.text}` } : { text: pause };
}

/** A card below a banner that calls for the same says only why. */
export const calledAbove = (hold: Hold | null, banner: Hold | null): Hold | null =>
  hold && hold.to === banner?.to ? { text: hold.text } : hold;
