import type { Db } from '#app/db/client.ts';
import { POSTS_A_PAGE } from '#app/domain/pages/posts.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { cursorBefore, type Page, PageQuery } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { findPost, type Post } from '#app/domain/posts/lists/post.ts';
import { freshOf, keptOf } from '#app/http/forms/list-params.ts';
import { WAYS } from '#app/routes/posts/move/load.ts';
import { OPEN_FORMS } from './params.ts';

const MS = 1;

/** What opens at a post of a list: `?NAME=ID`. */
const OPENED = [...OPEN_FORMS, ...WAYS, 'confirm-publish', 'confirm-delete', 'open'];

/** Where the page begins that begins with a post: the queue is ordered by slots, the history by when posts were made. */
const CURSORS = {
  queue: ({ publishAt, id }: Post) => publishAt && cursorBefore({ at: publishAt, id }, -MS),
  history: ({ createdAt, id }: Post) => cursorBefore({ at: createdAt, id }, MS),
};
type List = keyof typeof CURSORS;

const cursorAt = (list: List, post: Post): string | null => CURSORS[list](post);

const pageOf = (query: URLSearchParams, cursor = query.get('cursor')) =>
  PageQuery.parse({ limit: POSTS_A_PAGE, cursor: cursor?.slice(0, 200) || undefined });

async function cursorTo(db: Db, actor: Actor, list: List, postId: string): Promise<string | null> {
  try {
    return cursorAt(list, await findPost(db, actor, postId));
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/**
 * The page of a list that an address asks for, and the address it stands at: one that opens something at a post
 * which is not on the first page leads to the page that begins with it.
 */
export async function readPage<Row extends Post>(
  db: Db,
  actor: Actor,
  query: URLSearchParams,
  list: List,
  read: (page: PageQuery) => Promise<Page<Row>>,
) {
  const asked = { page: await read(pageOf(query)), query };
  const id = OPENED.map((name) => query.get(name)).find(Boolean);
  const isThere = ({ rows }: Page<Row>) => rows.some((post) => post.id === id);
  if (!id || query.has('cursor') || !asked.page.nextCursor || isThere(asked.page)) return asked;
  const cursor = await cursorTo(db, actor, list, id);
  const page = cursor && (await read(pageOf(query, cursor)));
  if (!page || !isThere(page)) return asked;
  const there = new URLSearchParams(query);
  there.set('cursor', cursor);
  return { page, query: there };
}

/** The same page, the same with what was sent in view, and the one after it. */
export function linksOf(query: URLSearchParams, nextCursor: string | null) {
  const next = new URLSearchParams(query);
  if (nextCursor) next.set('cursor', nextCursor);
  return { search: keptOf(query), fresh: freshOf(query), next: nextCursor ? `?${keptOf(next, [])}` : null };
}
