import type { Actor } from '#app/domain/actor.ts';
import { localDateOf } from '#app/domain/automation/slots.ts';
import { formatTime, formatUntil, nameDay } from '#app/domain/dates.ts';
import type { Author } from '#app/domain/linkedin/author.ts';
import { describePost, type PostView, timeLabelOf } from '#app/domain/posts/describe.ts';
import { POST_WORDS } from '#app/domain/posts/limits.ts';
import type { Post } from '#app/domain/posts/posts.ts';
import { shownText } from '#app/integrations/little-text.ts';

/** Of the posts that wait, soonest first, the one that goes out next, or is on its way; undefined when none is. */
export const nextOf = (waiting: Post[]) => waiting.find(({ heldAt, dueAt }) => !heldAt && dueAt);

/** What stands in its way, or that nothing does. */
function wordsOf(view: PostView, isPlanned: boolean): string {
  const { badge, approval, turn, putOff, isNext } = view;
  if (approval) return approval.words;
  if (putOff) return putOff.why;
  if (turn) return 'Waits its turn, so that late posts do not come all at once.';
  if (isNext) return 'Waits until publishing goes on.';
  return badge === 'generated' && isPlanned ? timeLabelOf(view, isPlanned) : POST_WORDS[badge];
}

/** As LinkedIn will show it, with when. `isPlanned`: something stands in the way of the whole queue. */
export function describeNextPost(
  post: Post,
  author: Author,
  { timeZone }: Actor,
  isPlanned: boolean,
  now: Date,
) {
  const view = describePost(post, timeZone, now);
  const at = view.isByHand || !post.publishAt ? post.dueAt! : post.publishAt;
  const day = nameDay(localDateOf(at, timeZone), localDateOf(now, timeZone));
  const { id, content, badge, status, imageUrl, altText, canEdit, topicName, isNext, putOff } = view;
  return {
    ...{ id, content, badge, imageUrl, altText, canEdit, topicName },
    isOnItsWay: status === 'publishing' || isNext || putOff !== null,
    words: wordsOf(view, isPlanned),
    time: { iso: at.toISOString(), text: formatTime(at, timeZone) },
    day,
    until: at > now ? formatUntil(at, now) : '',
    author,
    text: shownText(content, view.hashtags),
  };
}
export type Next = ReturnType<typeof describeNextPost>;
