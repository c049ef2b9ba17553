import type { Post } from '#app/domain/posts/lists/post.ts';
import { afterTimeOf, describePost, type PostView, timeLabelOf } from '#app/domain/posts/present.ts';

const PREVIEW = 280;

/** Words, and after them an instant, with what follows it, or a way on. */
type When = {
  words: string;
  at?: { iso: string; text: string };
  after?: string;
  link?: { to: string; label: string };
};

/** When a post went out or goes out, or what keeps it. */
function whenOf(post: PostView, isPlanned: boolean): When {
  const { id, status, badge, date, isByHand, isConnected, isNext, putOff, turn, publishAt } = post;
  if (status === 'published') return { words: `Published ${date}` };
  if (badge === 'unconfirmed') {
    const link = { to: `/app/posts?status=failed#post-${id}`, label: 'Decide' };
    return { words: 'May be on LinkedIn.', link };
  }
  if (status === 'failed') {
    return { words: 'Not published.', link: { to: `/app/posts?status=${badge}`, label: 'See why' } };
  }
  if (status === 'publishing') return { words: '' };
  if (isByHand && !isConnected) return { words: 'Not sent: LinkedIn is not connected' };
  if (isNext) return { words: 'Waits until publishing goes on' };
  if (putOff) return { words: 'Not before', at: { iso: putOff.iso, text: putOff.at } };
  if (turn && !isPlanned) {
    if (turn.isLateThen) return { words: 'Late: takes your next free time' };
    return { words: 'Waits its turn: goes out about', at: { iso: turn.iso, text: turn.at } };
  }
  if (!publishAt) return { words: isByHand ? 'Sent by hand' : 'No slot yet' };
  const at = { iso: publishAt.iso, text: publishAt.text };
  return { words: timeLabelOf(post, isPlanned), at, after: afterTimeOf(post) };
}

/** How many of the latest posts are shown. */
const RECENT = 3;

/** The latest posts in short, but for those that stand above. */
export function describeLatest(
  posts: Post[],
  above: (string | undefined)[],
  timeZone: string,
  isPlanned: boolean,
) {
  const others = posts.filter(({ id }) => !above.includes(id));
  return others.slice(0, RECENT).map((post) => describeRecent(post, timeZone, isPlanned));
}

/** One of them.  `isPlanned`: something stands in the way of the whole queue. */
function describeRecent(post: Post, timeZone: string, isPlanned: boolean) {
  const view = describePost(post, timeZone);
  const { id, content, imageUrl, altText, status, badge, topicName, isTest, url, engagement } = view;
  const text = content.length > PREVIEW ? `${content.slice(0, PREVIEW).trimEnd()}…` : content;
  return {
    id,
    text,
    imageUrl,
    altText,
    status,
    badge,
    topicName,
    isTest,
    url,
    when: whenOf(view, isPlanned),
    counted: engagement && `${engagement.words}, typed in by you`,
  };
}
