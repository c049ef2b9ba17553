import { db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { listTakenOff } from '#app/domain/posts/landing/exclusions.ts';
import { pictureOf } from '#app/domain/posts/landing/images.ts';
import { listTopPosts } from '#app/domain/posts/landing/top-posts.ts';

/** What everybody sees of posts on the start page, and what admins took off it. */
export async function loadStartPage({ timeZone }: Actor) {
  const [shown, takenOff] = await Promise.all([listTopPosts(db()), listTakenOff(db())]);
  return {
    shown: shown.map(({ id, topicName, content, url, altText, hasPicture }) => {
      return { id, topicName, content, url, altText, picture: pictureOf({ id, hasPicture }) };
    }),
    takenOff: takenOff.map(({ id, topicName, content, url, reason, barredAt, by }) => {
      const said = `Taken off on ${formatInstant(barredAt, timeZone)} by ${by ?? 'a deleted account'}`;
      return { id, topicName: topicName ?? 'No topic', content, url, reason, said };
    }),
  };
}
