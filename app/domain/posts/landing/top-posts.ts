import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { databaseClock } from '#app/db/clock.ts';
import { listen } from '#app/db/listen.ts';
import { isInactive, landingUsers } from '#app/domain/accounts/predicates.ts';
import { setShowsPosts } from '#app/domain/accounts/users.ts';
import { isConnected } from '#app/domain/linkedin/predicates.ts';
import { memoizeFor } from '#app/domain/platform/memoize.ts';
import { SHOWN_HASHTAGS, SHOWN_TEXT_MAX, TOP_POSTS_MAX } from '#app/domain/posts/limits.ts';
import { postUrl } from '#app/domain/posts/linkedin-urls.ts';
import { env } from '#app/env.ts';

/** The public part of a post whose author allows it on the start page. */
export type TopPost = {
  id: string;
  topicName: string;
  content: string;
  hashtags: string[];
  /** Whether there is a copy of the picture; the original is never shown. */
  hasPicture: boolean;
  altText: string | null;
  url: string;
};

type Row = Omit<TopPost, 'url'> & { networkUrn: string };

/** Authors that are considered, others on each day. */
const AUTHORS_CONSIDERED = 500;
/** Newest posts of an author that are considered: some are tests or have no topic. */
const POSTS_CONSIDERED = 20;
/** The age of the cache when a notification is missed. HTTP caches keep the page longer. */
const CACHE_MS = 1_000;

/** A UUID that is another one each day, where the list of authors begins. */
function startIdOf(now: Date): string {
  const hex = createHash('sha256').update(now.toISOString().slice(0, 10)).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Selects the newest post of each author who allows it, is active and is connected; newest first. */
const newestOfEach = (now: Date) => sql<Row>`
  with authors as materialized (${landingUsers(startIdOf(now), AUTHORS_CONSIDERED)})
  select shown.id, shown.topic_name, shown.content, shown.hashtags, shown.network_urn,
    pictures.bytes is not null as has_picture, case when pictures.bytes is not null then shown.alt_text end as alt_text
  from authors cross join lateral (
    select posts.id, topics.name as topic_name, content, hashtags, alt_text, network_urn, posted_at
    from (
      select post_id, network_urn, posted_at from post_schedules
      where post_schedules.user_id = authors.id and status = 'published' and deleted_at is null
        and posted_at is not null and network_urn is not null
      order by posted_at desc limit ${POSTS_CONSIDERED}
    ) as newest
    join posts on posts.id = newest.post_id and posts.deleted_at is null and visibility = 'PUBLIC'
    join topics on topics.id = posts.topic_id
    where not exists (select from landing_exclusions where landing_exclusions.post_id = posts.id)
    order by posted_at desc limit 1
  ) as shown
  left join landing_pictures as pictures on pictures.post_id = shown.id
  where not ${isInactive('authors.id')} and ${isConnected('authors.id', databaseClock)}
  order by shown.posted_at desc, shown.id limit ${TOP_POSTS_MAX}`;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the beginning of a text. It cuts between graphemes, and between words where possible. */
export function beginningOf(text: string, max = SHOWN_TEXT_MAX): string {
  const flat = text.trim().replace(/\s+/g, ' ');
  if (flat.length <= max) return flat;
  let cut = '';
  for (const { segment } of graphemes.segment(flat)) {
    if (cut.length + segment.length > max - 1) break;
    cut += segment;
  }
  const whole = flat[cut.length] === ' ' ? cut : cut.replace(/ \S{0,24}$/u, '');
  return `${whole.trimEnd()}…`;
}

async function readTopPosts(db: Db): Promise<TopPost[]> {
  const { rows } = await newestOfEach(new Date()).execute(db);
  return rows.map(({ networkUrn, content, hashtags, ...row }) => ({
    ...row,
    content: beginningOf(content),
    hashtags: hashtags.slice(0, SHOWN_HASHTAGS),
    url: postUrl(networkUrn)!,
  }));
}

const topPosts = memoizeFor(CACHE_MS, readTopPosts);

export const listTopPosts = (db: Db): Promise<TopPost[]> => topPosts.get(db);

export const clearTopPosts = (db: Db): void => topPosts.clear(db);

/**
 * Drops the cached posts, and calls `onChange`, when any process commits a change that may take a post off the landing
 * page. Triggers in migrations/0007-posts.sql notify every web process, also the one that made the change.
 */
export const watchTopPosts = (db: Db, onChange: () => void) =>
  listen(env().DATABASE_URL, 'start_page', () => {
    clearTopPosts(db);
    onChange();
  });

export async function setLandingConsent(
  db: Db,
  userId: string,
  isAllowed: boolean,
  now: Date,
): Promise<void> {
  await setShowsPosts(db, userId, isAllowed, now);
  clearTopPosts(db);
}
