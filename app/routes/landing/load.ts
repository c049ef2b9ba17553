import type { Db } from '#app/db/client.ts';
import { getOffer } from '#app/domain/payments/prices.ts';
import { findPublished } from '#app/domain/posts/counts/published-totals.ts';
import { pictureOf } from '#app/domain/posts/landing/images.ts';
import { listTopPosts } from '#app/domain/posts/landing/top-posts.ts';

/** Below this number the totals are not shown. */
const PUBLISHED_THRESHOLD = 100;

/** Loads the start page for a currency. Nothing depends on the visitor. */
export async function loadLanding(db: Db, currency: string | undefined) {
  const [offer, topPosts, published] = await Promise.all([
    getOffer(db, currency),
    listTopPosts(db),
    findPublished(db),
  ]);
  return {
    ...offer,
    topPosts: topPosts.map((post) => ({ ...post, picture: pictureOf(post) })),
    published: published && published.posts >= PUBLISHED_THRESHOLD ? published : null,
  };
}
export type Landing = Awaited<ReturnType<typeof loadLanding>>;
