import type { Db } from '#app/db/client.ts';
import { getOffer } from '#app/domain/payments/prices.ts';
import { findPublished } from '#app/domain/posts/counts/published-totals.ts';
import { pictureOf } from '#app/domain/posts/landing/images.ts';
import { listTopPosts } from '#app/domain/posts/landing/top-posts.ts';

/** Fewer say nothing yet. */
const FEWEST_PUBLISHED = 100;

/** Everything that the page reads of the database, for a currency that is wanted; nothing of who looks at it. */
export async function loadLanding(db: Db, currency: string | undefined) {
  const [offer, topPosts, published] = await Promise.all([
    getOffer(db, currency),
    listTopPosts(db),
    findPublished(db),
  ]);
  const shown = topPosts.map((post) => ({ ...post, picture: pictureOf(post) }));
  return {
    ...offer,
    topPosts: shown,
    published: published && published.posts >= FEWEST_PUBLISHED ? published : null,
  };
}
export type Landing = Awaited<ReturnType<typeof loadLanding>>;
