import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { postUrl } from './addresses.ts';
import { shownBadgeOf } from './describe.ts';
import { PRESENCES, presenceOf } from './failures.ts';
import { POST_WORDS } from './limits.ts';
import { listPosts, type Post } from './posts.ts';

const POSTS_AT_A_TIME = 500;
/** Without it spreadsheets take UTF-8 for something else. */
const BYTE_ORDER_MARK = '\uFEFF';

/** "2026-11-24T09:00:00+01:00" in the user's zone. */
const inZone = (at: Date | null, timeZone: string) =>
  at &&
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: 'never', smallestUnit: 'second' });

/** A file outlives the moment in which a worker is at a post. */
const statusOf = (post: Post) => POST_WORDS[shownBadgeOf({ ...post, isPublishing: false })];

const AUDIENCES = { PUBLIC: 'Everybody', CONNECTIONS: 'Your connections only (test post)' };

type Value = string | number | null;

const COLUMNS: Record<string, (post: Post, timeZone: string) => Value> = {
  Created: ({ createdAt }, zone) => inZone(createdAt, zone),
  Status: statusOf,
  Topic: ({ topicName }) => topicName,
  Text: ({ content }) => content,
  Hashtags: ({ hashtags }) => hashtags.map((tag) => `#${tag}`).join(' '),
  'Image address': ({ imageUrl }) => imageUrl,
  'Image description': ({ altText }) => altText,
  'Scheduled for': ({ publishAt }, zone) => inZone(publishAt, zone),
  'Published at': ({ postedAt }, zone) => inZone(postedAt, zone),
  'On LinkedIn': (post) => PRESENCES[presenceOf(post)],
  'Link on LinkedIn': ({ networkUrn }) => postUrl(networkUrn),
  Reason: ({ reason }) => reason,
  'Likes (typed in)': ({ likes }) => likes,
  'Comments (typed in)': ({ comments }) => comments,
  'Shares (typed in)': ({ shares }) => shares,
  'Impressions (typed in)': ({ impressions }) => impressions,
  Audience: ({ visibility }) => AUDIENCES[visibility],
};

/**
 * A spreadsheet whose separator is ";" (Excel in much of Europe) reads a quote within a line as itself, so for it
 * every line of a text, and what follows a ";", is a cell of its own. Such a piece is taken for a formula that can
 * do something when it begins with "=", or with another sign and has what a call of a function, another sheet or
 * another program needs. Without that it computes no more than what it says, and stays as people write it:
 * "- a list item", "@Ada, thank you". The last piece goes on into the cells beside it, which come as a string, by the
 * quote that ends ours: only behind an operator is that a formula, or where an apostrophe there opens the name of a
 * sheet, which may hold what ends our cell and ends in a later one. As double-quoted text a piece may begin with
 * quotes of its own.
 */
const FORMULA_WITHIN =
  /(?<=[;\t\r\n])(?="*(?:[=＝]|[+\-@＋－＠](?:[^;\t\r\n]*[(|!（｜！]|(?:[^;\t\r\n]*[-+*/^&=<>,{@＋－＊／＾＆＝＜＞，])?["\s]*(?:'(?:[^']|'')*)?$)))/g;

/**
 * A cell that a spreadsheet would take for a formula becomes text by an apostrophe (OWASP, CSV injection); one
 * that it might take for several stays one by its quotes.
 */
function cell(value: Value): string {
  const text = String(value ?? '').replaceAll(FORMULA_WITHIN, "'");
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const line = (values: Value[]) => `${values.map(cell).join(',')}\r\n`;

/** Every post of the actor, newest first, as CSV (RFC 4180), a few hundred at a time. */
export async function* exportPosts(db: Db, actor: Actor): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + line(Object.keys(COLUMNS));
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await listPosts(db, actor, { limit: POSTS_AT_A_TIME, cursor });
    const columns = Object.values(COLUMNS);
    yield rows.map((post) => line(columns.map((of) => of(post, actor.timeZone)))).join('');
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}
