import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { IMAGE_TYPE, reencodeImage } from '#app/domain/platform/images.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { SHOWN_PICTURE_BYTES_MAX, SHOWN_PICTURE_SIDE } from '#app/domain/posts/limits.ts';
import { fetchImage, ImageRefused } from '#app/integrations/http/fetch-image.ts';
import { listTopPosts } from './top-posts.ts';

/** So many are fetched in a minute: their servers take the time they like. */
const AT_ONCE = 3;
const QUALITY = 72;

/** Where our copy of the picture of a post that is shown stands. */
export const pictureOf = ({ id, hasPicture }: { id: string; hasPicture: boolean }): string | null =>
  hasPicture ? `/shown-pictures/${id}` : null;

type WantedImage = { postId: string; imageUrl: string };

/** Pictures without a copy, of posts that are shown. Who asks has them for a day, so that none is fetched each minute. */
async function claimMissing(db: Db, shownIds: string[], now: Date): Promise<WantedImage[]> {
  const { rows } = await sql<WantedImage>`
    with missing as (
      select posts.id, image_url from posts
      left join landing_pictures as pictures on pictures.post_id = posts.id
      where posts.id = any(${shownIds}::uuid[]) and image_url is not null and bytes is null
        and coalesce(tried_at < ${now}::timestamptz - interval '1 day', true)
      limit ${AT_ONCE}
    ), claimed as (
      insert into landing_pictures as pictures (post_id, tried_at) select id, ${now}::timestamptz from missing
      on conflict (post_id) do update set tried_at = excluded.tried_at
        where pictures.bytes is null and pictures.tried_at < excluded.tried_at - interval '1 day'
      returning post_id
    )
    select post_id, image_url from claimed join missing on missing.id = claimed.post_id`.execute(db);
  return rows;
}

/** Undefined of what is no picture that we can show, or too large as one. */
async function copyOf(imageUrl: string): Promise<Buffer | undefined> {
  try {
    const { bytes } = await fetchImage(imageUrl);
    const drawn = await reencodeImage(bytes, { side: SHOWN_PICTURE_SIDE, quality: QUALITY });
    return drawn && drawn.length <= SHOWN_PICTURE_BYTES_MAX ? drawn : undefined;
  } catch (error) {
    if (error instanceof ImageRefused) return undefined;
    throw error;
  }
}

/**
 * Makes our own copies of the pictures of posts that are shown, once of each: what stands at their addresses may be another
 * picture tomorrow, and whoever looks at the start page is no business of the servers there.
 */
export async function copyPictures(db: Db, now: Date): Promise<void> {
  const shown = await listTopPosts(db);
  const ids = shown.filter(({ hasPicture }) => !hasPicture).map(({ id }) => id);
  for (const { postId, imageUrl } of await claimMissing(db, ids, now)) {
    const bytes = await copyOf(imageUrl);
    if (bytes) await db.updateTable('landingPictures').set({ bytes }).where('postId', '=', postId).execute();
  }
}

/** The copy of the picture of a post, as long as everybody may see the post. */
export async function getPicture(db: Db, postId: string) {
  const isShown = (await listTopPosts(db)).some(({ id, hasPicture }) => id === postId && hasPicture);
  const found = isShown
    ? await db.selectFrom('landingPictures').select('bytes').where('postId', '=', postId).executeTakeFirst()
    : undefined;
  if (!found?.bytes) throw notFound('This picture');
  return { bytes: found.bytes, contentType: IMAGE_TYPE };
}
