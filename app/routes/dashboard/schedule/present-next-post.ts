import { localDateOf } from '#app/domain/automation/slots.ts';
import type { Author } from '#app/domain/linkedin/author.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatTime, formatUntil, nameDay } from '#app/domain/platform/dates.ts';
import { POST_WORDS } from '#app/domain/posts/limits.ts';
import type { Post } from '#app/domain/posts/lists/post.ts';
import { type PostView, presentPost } from '#app/domain/posts/present.ts';
import { parseLittleText } from '#app/integrations/linkedin/little-text.ts';
import { type AccountState, isAfterPlan } from '#app/routes/posts/holds.ts';

/** Returns the post that is published next or is being published. `waiting` is sorted, soonest first. */
export const findNextPost = (waiting: Post[]) => waiting.find(({ heldAt, dueAt }) => !heldAt && dueAt);

/** What blocks the whole queue; null if nothing does. */
export function whyQueueWaits({
  pause,
  isConnected,
  isLost,
  hasPlan,
  isEnabled,
}: AccountState): string | null {
  if (pause) return 'Waits until publishing goes on.';
  if (!isConnected) return `Waits until LinkedIn is connected${isLost ? ' again' : ''}.`;
  if (!hasPlan) return 'Waits for a plan, or for you to publish it.';
  return isEnabled ? null : 'Waits until automation is on, or for you to publish it.';
}

export const whyPostWaits = ({ publishAt }: Post, account: AccountState): string | null =>
  whyQueueWaits(account) ??
  (publishAt && isAfterPlan(account, publishAt) ? 'Your plan ends before its time.' : null);

function describeStatus(view: PostView, why: string | null): string {
  const { badge, approval, turn, putOff, isNext } = view;
  if (why) return why;
  if (approval) return approval.words;
  if (putOff) return `${putOff.why} Not before ${putOff.at}.`;
  if (turn?.isLateThen) return 'Late: takes your next free time.';
  if (turn) return `Waits its turn: goes out about ${turn.at}.`;
  if (isNext) return 'Waits until publishing goes on.';
  return POST_WORDS[badge];
}

/** `whyWaits`: what blocks the post and isn't stored with it. */
export function presentNextPost(
  post: Post,
  author: Author,
  { timeZone }: Actor,
  whyWaits: string | null,
  now: Date,
) {
  const view = presentPost(post, timeZone, now);
  const at = view.isManual || !post.publishAt ? post.dueAt! : post.publishAt;
  const why = view.isManual || view.status === 'publishing' ? null : whyWaits;
  const day = nameDay(localDateOf(at, timeZone), localDateOf(now, timeZone));
  const { id, revision, badge, status, imageUrl, altText, canEdit, topicName, isNext, putOff } = view;
  return {
    id,
    revision,
    badge,
    imageUrl,
    altText,
    canEdit,
    isOnItsWay: status === 'publishing' || isNext || putOff !== null,
    heading: why ? 'Next in line' : 'Next out',
    words: [topicName, describeStatus(view, why)].filter(Boolean).join(' · '),
    time: { iso: at.toISOString(), text: formatTime(at, timeZone) },
    day,
    until: at > now && !why ? formatUntil(at, now) : '',
    author,
    text: parseLittleText(view.content, view.hashtags),
  };
}
export type Next = ReturnType<typeof presentNextPost>;
