import type { StoredSpecificity } from '#app/domain/writing/generate/brief-store.ts';
import { parseLittleText } from '#app/integrations/linkedin/little-text.ts';
import type { ListedPost } from '#app/routes/posts/load.ts';
import { lineOf } from '#app/routes/posts/present-entry.ts';
import { presentSpecific } from '#app/routes/posts/present-specificity.ts';

const COUNTED = new Intl.NumberFormat('en');

function countWords(content: string): string {
  const count = content.split(/\s+/).filter(Boolean).length;
  return count === 1 ? '1 word' : `${COUNTED.format(count)} words`;
}

/** A post of the queue as its line says it, and what the card adds that the line opens to: `?open=ID` opens it. */
export const inQueue = (post: ListedPost, query: URLSearchParams, known: StoredSpecificity | undefined) => ({
  ...post,
  line: lineOf(post, post.hold),
  shown: parseLittleText(post.content, post.hashtags),
  words: countWords(post.content),
  specific: presentSpecific(post.content, known),
  isShown: query.get('open') === post.id,
});
export type QueuedPost = ReturnType<typeof inQueue>;

/** Without a time, it comes last. */
const LAST = '9999';

/** What stands on each day, by the heading of the day, soonest first: posts and open slots. */
export function byDays<
  Of extends { publishAt: { iso: string } | null },
  Slot extends { time: { iso: string } },
>(posts: { heading: string; post: Of }[], open: { heading: string; slot: Slot }[]) {
  const all = [
    ...posts.map(({ heading, post }) => ({
      heading,
      at: post.publishAt?.iso ?? LAST,
      posts: [post],
      open: [],
    })),
    ...open.map(({ heading, slot }) => ({ heading, at: slot.time.iso, posts: [], open: [slot] })),
  ].toSorted((a, b) => a.at.localeCompare(b.at));
  return [...Map.groupBy(all, ({ heading }) => heading)].map(([heading, ofDay]) => ({
    heading,
    posts: ofDay.flatMap((each): Of[] => each.posts),
    open: ofDay.flatMap((each): Slot[] => each.open),
  }));
}
