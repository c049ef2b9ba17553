import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { BYTE_ORDER_MARK, type CsvValue, csvLine, formatIsoInZone } from '#app/domain/platform/csv.ts';
import { PRESENCES, presenceOf } from '#app/domain/posts/failures.ts';
import { POST_WORDS } from '#app/domain/posts/limits.ts';
import { postUrl } from '#app/domain/posts/linkedin-urls.ts';
import { presentBadge } from '#app/domain/posts/present.ts';
import { listPosts } from './list.ts';
import type { Post } from './post.ts';

const BATCH = 500;
/** Not "Publishing…", which lasts only a moment. */
const statusOf = (post: Post) => POST_WORDS[presentBadge({ ...post, isPublishing: false })];

const AUDIENCES = { PUBLIC: 'Everybody', CONNECTIONS: 'Your connections only (test post)' };

const COLUMNS: Record<string, (post: Post, timeZone: string) => CsvValue> = {
  Created: ({ createdAt }, zone) => formatIsoInZone(createdAt, zone),
  Status: statusOf,
  Topic: ({ topicName }) => topicName,
  Text: ({ content }) => content,
  Hashtags: ({ hashtags }) => hashtags.map((tag) => `#${tag}`).join(' '),
  'Image address': ({ imageUrl }) => imageUrl,
  'Image description': ({ altText }) => altText,
  'Scheduled for': ({ publishAt }, zone) => formatIsoInZone(publishAt, zone),
  'Published at': ({ postedAt }, zone) => formatIsoInZone(postedAt, zone),
  'On LinkedIn': (post) => PRESENCES[presenceOf(post)],
  'Link on LinkedIn': ({ networkUrn }) => postUrl(networkUrn),
  Reason: ({ reason }) => reason,
  'Likes (typed in)': ({ likes }) => likes,
  'Comments (typed in)': ({ comments }) => comments,
  'Shares (typed in)': ({ shares }) => shares,
  'Impressions (typed in)': ({ impressions }) => impressions,
  Audience: ({ visibility }) => AUDIENCES[visibility],
};

export async function* exportPosts(db: Db, actor: Actor): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(Object.keys(COLUMNS));
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await listPosts(db, actor, { limit: BATCH, cursor });
    const columns = Object.values(COLUMNS);
    yield rows.map((post) => csvLine(columns.map((column) => column(post, actor.timeZone)))).join('');
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}
