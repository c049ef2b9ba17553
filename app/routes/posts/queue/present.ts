import type { StoredSpecificity } from '#app/domain/writing/generate/brief-store.ts';
import { parseLittleText } from '#app/integrations/linkedin/little-text.ts';
import type { ListedPost } from '#app/routes/posts/load.ts';
import { lineOf } from '#app/routes/posts/present-entry.ts';
import { presentSpecificity } from '#app/routes/posts/present-specificity.ts';

function countWords(content: string): string {
  const count = content.split(/\s+/).filter(Boolean).length;
  return count === 1 ? '1 word' : `${count.toLocaleString('en')} words`;
}

/** A post of the queue: its collapsed line and its card, which `?open=ID` expands. */
export const presentQueued = (
  post: ListedPost,
  query: URLSearchParams,
  specificity: StoredSpecificity | undefined,
) => ({
  ...post,
  line: lineOf(post, post.hold),
  preview: parseLittleText(post.content, post.hashtags),
  wordCount: countWords(post.content),
  specific: presentSpecificity(post.content, specificity),
  isExpanded: query.get('open') === post.id,
});
export type QueuedPost = ReturnType<typeof presentQueued>;

/** Sorts posts without a time last. */
const NO_TIME = '9999';

export function groupByDay<
  Listed extends { publishAt: { iso: string } | null },
  Slot extends { time: { iso: string } },
>(posts: { heading: string; post: Listed }[], open: { heading: string; slot: Slot }[]) {
  const all = [
    ...posts.map(({ heading, post }) => ({
      heading,
      at: post.publishAt?.iso ?? NO_TIME,
      posts: [post],
      open: [],
    })),
    ...open.map(({ heading, slot }) => ({ heading, at: slot.time.iso, posts: [], open: [slot] })),
  ].toSorted((a, b) => a.at.localeCompare(b.at));
  return [...Map.groupBy(all, ({ heading }) => heading)].map(([heading, ofDay]) => ({
    heading,
    posts: ofDay.flatMap((group): Listed[] => group.posts),
    open: ofDay.flatMap((group): Slot[] => group.open),
  }));
}
