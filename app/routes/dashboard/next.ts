import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { localDateOf } from '#app/domain/automation/slots.ts';
import { formatTime, formatUntil, nameDay } from '#app/domain/dates.ts';
import { findAuthor } from '#app/domain/linkedin/author.ts';
import { describePost, type PostView, timeLabelOf } from '#app/domain/posts/describe.ts';
import { POST_WORDS } from '#app/domain/posts/limits.ts';
import { listScheduled, type Post } from '#app/domain/posts/posts.ts';
import { shownText } from '#app/integrations/little-text.ts';

/** What is held stands before what goes out; a longer queue of those has a banner of its own. */
const LOOKED_AT = 5;

/** The post that goes out next, or is on its way; undefined when none is. */
export async function findNext(db: Db, actor: Actor): Promise<Post | undefined> {
  const { rows } = await listScheduled(db, actor, { limit: LOOKED_AT });
  return rows.find(({ heldAt, dueAt }) => !heldAt && dueAt);
}

/** What stands in its way, or that nothing does. */
function wordsOf(view: PostView, isPlanned: boolean): string {
  const { badge, approval, turn, putOff, isNext } = view;
  if (approval) return approval.words;
  if (putOff) return putOff.why;
  if (turn) return 'Waits its turn, so that late posts do not come all at once.';
  if (isNext) return 'Goes out as soon as publishing goes on.';
  return badge === 'generated' && isPlanned ? timeLabelOf(view, isPlanned) : POST_WORDS[badge];
}

/** As LinkedIn will show it, with when. `isPlanned`: something stands in the way of the whole queue. */
export async function describeNextPost(db: Db, actor: Actor, post: Post, isPlanned: boolean, now: Date) {
  const { timeZone } = actor;
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
    author: await findAuthor(db, actor),
    text: shownText(content, view.hashtags),
  };
}
export type Next = Awaited<ReturnType<typeof describeNextPost>>;
