import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { IMAGE_TYPE, reencodeImage } from '#app/domain/platform/images.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { SHOWN_PICTURE_BYTES_MAX, SHOWN_PICTURE_SIDE } from '#app/domain/posts/limits.ts';
import { fetchImage, ImageRefused } from '#app/integrations/http/fetch-image.ts';
import { listTopPosts } from './top-posts.ts';

const BATCH = 3;
const QUALITY = 72;

export const pictureOf = ({ id, hasPicture }: { id: string; hasPicture: boolean }): string | null =>
  hasPicture ? `/shown-pictures/${id}` : null;

type MissingImage = { postId: string; imageUrl: string };

/** Claims pictures without a copy for a day, so that a failing one is not fetched every minute. */
async function claimMissing(db: Db, shownIds: string[], now: Date): Promise<MissingImage[]> {
  const { rows } = await sql<MissingImage>`
    with missing as (
      select posts.id, image_url from posts
      left join landing_pictures as pictures on pictures.post_id = posts.id
      where posts.id = any(${shownIds}::uuid[]) and image_url is not null and bytes is null
        and coalesce(tried_at < ${now}::timestamptz - interval '1 day', true)
      limit ${BATCH}
    ), claimed as (
      insert into landing_pictures as pictures (post_id, tried_at) select id, ${now}::timestamptz from missing
      on conflict (post_id) do update set tried_at = excluded.tried_at
        where pictures.bytes is null and pictures.tried_at < excluded.tried_at - interval '1 day'
      returning post_id
    )
    select post_id, image_url from claimed join missing on missing.id = claimed.post_id`.execute(db);
  return rows;
}

/** Returns undefined when the image can't be decoded or is too large. */
async function copyOf(imageUrl: string): Promise<Buffer | undefined> {
  try {
    const { bytes } = await fetchImage(imageUrl);
    const encoded = await reencodeImage(bytes, { side: SHOWN_PICTURE_SIDE, quality: QUALITY });
    return encoded && encoded.length <= SHOWN_PICTURE_BYTES_MAX ? encoded : undefined;
  } catch (error) {
    if (error instanceof ImageRefused) return undefined;
    throw error;
  }
}

/**
 * Copies the pictures of the posts on the start page, each once. The picture at the original URL may change, and the
 * start page must not reveal its visitors to other servers.
 */
export async function copyPictures(db: Db, now: Date): Promise<void> {
  const shown = await listTopPosts(db);
  const ids = shown.filter(({ hasPicture }) => !hasPicture).map(({ id }) => id);
  for (const { postId, imageUrl } of await claimMissing(db, ids, now)) {
    const bytes = await copyOf(imageUrl);
    if (bytes) await db.updateTable('landingPictures').set({ bytes }).where('postId', '=', postId).execute();
  }
}

/** Returns the copy of the picture of a post while the post is on the start page. */
export async function getPicture(db: Db, postId: string) {
  const isShown = (await listTopPosts(db)).some(({ id, hasPicture }) => id === postId && hasPicture);
  const found = isShown
    ? await db.selectFrom('landingPictures').select('bytes').where('postId', '=', postId).executeTakeFirst()
    : undefined;
  if (!found?.bytes) throw notFound('This picture');
  return { bytes: found.bytes, contentType: IMAGE_TYPE };
}
