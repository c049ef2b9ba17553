import type { Db } from '#app/db/client.ts';
import { localDateOf } from '#app/domain/automation/slots.ts';
import {
  getHistory,
  getQueue,
  type HistoryPost,
  listHistoryPosts,
  listQueuedPosts,
  POSTS_PER_PAGE,
} from '#app/domain/pages/posts.ts';
import type { ShellState } from '#app/domain/pages/shell.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatTimeZone, nameDay } from '#app/domain/platform/dates.ts';
import { cursorBefore, type Page, PageQuery } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { hasPosts } from '#app/domain/posts/counts/stats.ts';
import { POST_LISTS } from '#app/domain/posts/limits.ts';
import { findPost, type Post } from '#app/domain/posts/lists/post.ts';
import { afterTimeOf, type PostView, presentPost, timeLabelOf } from '#app/domain/posts/present.ts';
import { refusedTests } from '#app/domain/publishing/manual/test-post.ts';
import { presentTimeline } from '#app/domain/publishing/timeline.ts';
import { nextMovesOf } from '#app/domain/queue/slots/upcoming-moves.ts';
import { freshOf, listParamsOf, watchedOf } from '#app/http/forms/list-params.ts';
import { loadEditor, openAt } from '#app/routes/posts/editor/load.ts';
import { loadMade } from '#app/routes/posts/editor/present-provenance.ts';
import { WAYS } from '#app/routes/posts/move/load.ts';
import { isMoving, presentInProgress } from '#app/routes/posts/queue/in-progress.ts';
import { openSlotsOf } from '#app/routes/posts/queue/open-slots.ts';
import { byDays, inQueue } from '#app/routes/posts/queue/present.ts';
import { explainHold, explainQueue, isUnpaid, type PostHold, standingOf } from './holds.ts';
import { dialogsOf } from './load-dialogs.ts';
import { OPEN_FORMS } from './params.ts';
import type { EntryView } from './present-entry.ts';

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
  PageQuery.parse({ limit: POSTS_PER_PAGE, cursor: cursor?.slice(0, 200) || undefined });

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
async function readPage<Row extends Post>(
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
function linksOf(query: URLSearchParams, nextCursor: string | null) {
  const next = new URLSearchParams(query);
  if (nextCursor) next.set('cursor', nextCursor);
  return {
    search: listParamsOf(query),
    fresh: freshOf(query),
    next: nextCursor ? `?${listParamsOf(next, [])}` : null,
  };
}

const without = (query: URLSearchParams, watched: string[], postId: string) =>
  `?${listParamsOf(
    query,
    watched.filter((id) => id !== postId),
  )}`;

type Around = {
  now: Date;
  standing: PostHold;
  /** What decides where unapproved posts move, and when test posts may be sent again. */
  read: Pick<Awaited<ReturnType<typeof getHistory>>, 'movable' | 'timetable' | 'taken' | 'tests'>;
};

/** The posts of a page as it shows them, with every attempt at them, and what stands in the way of all that wait. */
async function presentAll(
  db: Db,
  actor: Actor,
  posts: HistoryPost[],
  query: URLSearchParams,
  { now, standing, read }: Around,
) {
  const refused = refusedTests(posts, read.tests, actor, now);
  const moves = nextMovesOf(posts, read, now);
  const watched = watchedOf(query);
  const views = posts.map((post) =>
    presentPost(post, actor.timeZone, now, {
      movesTo: moves.get(post.id),
      notAgain: refused.get(post.id),
    }),
  );
  const waiting = views.filter(({ isWaiting }) => isWaiting);
  const isPlanned = explainQueue(waiting, standing) !== null;
  const [author, made] = await Promise.all([
    loadEditor(db, actor, views, query),
    loadMade(db, actor, views, query),
  ]);
  const isDoubtful = (view: PostView) => isPlanned || isUnpaid(view, standing);
  const listed = views.map((view, nth) => ({
    ...view,
    // Nothing is set aside for want of an answer while nothing can go out.
    approval: isDoubtful(view) ? null : view.approval,
    afterTime: isUnpaid(view, standing) ? '' : afterTimeOf(view),
    attempts: presentTimeline(posts[nth]!, posts[nth]!.timeline, actor.timeZone, refused.has(view.id)),
    timeLabel: timeLabelOf(view, isDoubtful(view)),
    turn: isPlanned ? null : view.turn,
    hold: explainHold(view, standing),
    open: openAt(view, query),
    /** Whose profile the preview of its editor shows. */
    author: openAt(view, query) === 'edit' ? author : null,
    made: openAt(view, query) === 'edit' ? made : null,
    /** Without this post the list is what it was: where "Dismiss" leads. */
    dismissed: watched.includes(view.id) ? without(query, watched, view.id) : null,
  }));
  return { posts: listed, isPlanned };
}
export type ListedPost = Awaited<ReturnType<typeof presentAll>>['posts'][number];

/** The queue by local days, soonest first. */
export async function loadQueue(
  db: Db,
  actor: Actor,
  asked: URLSearchParams,
  readShell: Promise<ShellState>,
  now = new Date(),
) {
  const [{ page, query }, read, shell] = await Promise.all([
    readPage(db, actor, asked, 'queue', (at) =>
      listQueuedPosts(db, actor, { ...at, kept: watchedOf(asked) }, now),
    ),
    getQueue(db, actor, now),
    readShell,
  ]);
  const standing = standingOf(shell, actor);
  const { posts, isPlanned } = await presentAll(db, actor, page.rows, query, { now, standing, read });
  const dialogs = await dialogsOf(db, actor, posts, query, now);
  const known = new Map(page.rows.map(({ id, specificity }) => [id, specificity]));
  const today = localDateOf(now, actor.timeZone);
  const headingOf = ({ publishAt, isManual, isTest }: ListedPost) =>
    publishAt ? nameDay(publishAt.day, today) : isManual || isTest ? 'Sent by hand' : 'No slot yet';
  const isLater = query.has('cursor');
  const open = isLater ? [] : openSlotsOf(actor, page.rows, read, standing, now);
  const writing = isLater ? null : await presentInProgress(db, read.run, now);
  const isWriting = writing !== null || open.some(({ state }) => state === 'filling');
  const dayOf = ({ time }: EntryView) => nameDay(localDateOf(new Date(time.iso), actor.timeZone), today);
  const days = byDays(
    posts.map((post) => ({
      heading: headingOf(post),
      post: inQueue(post, query, known.get(post.id) ?? undefined),
    })),
    open.map((slot) => ({ heading: dayOf(slot), slot })),
  );
  return {
    days,
    author: shell.author,
    zone: formatTimeZone(actor.timeZone),
    ...dialogs,
    ...linksOf(query, page.nextCursor),
    isLater,
    isPlanned,
    hasTopics: read.hasTopics,
    trusted: asked.has('cursor') ? null : read.trusted,
    writing,
    isMoving: isMoving({ posts, dialogs, isWriting }),
    isConnected: standing.isConnected,
    sentWhile: standing.sentWhile,
  };
}

/** Posts that were put away are stored as failed ones. */
const statusOf = (list: (typeof POST_LISTS)[number] | undefined) =>
  list === 'set_aside' || list === 'failed'
    ? { status: 'failed' as const, isSetAside: list === 'set_aside' }
    : { status: list };

/** The history, newest first, with every attempt at its posts. */
export async function loadHistory(
  db: Db,
  actor: Actor,
  asked: URLSearchParams,
  readShell: Promise<ShellState>,
  now = new Date(),
) {
  const status = POST_LISTS.find((name) => name === asked.get('status'));
  const [{ page, query }, read, shell] = await Promise.all([
    readPage(db, actor, asked, 'history', (at) =>
      listHistoryPosts(db, actor, { ...at, ...statusOf(status), kept: watchedOf(asked) }, now),
    ),
    getHistory(db, actor, now),
    readShell,
  ]);
  const standing = standingOf(shell, actor);
  const { posts, isPlanned } = await presentAll(db, actor, page.rows, query, { now, standing, read });
  const dialogs = await dialogsOf(db, actor, posts, query, now);
  return {
    posts,
    totals: read.totals,
    status: status ?? null,
    zone: formatTimeZone(actor.timeZone),
    isPlanned,
    hasTopics: read.hasTopics,
    hasPosts: posts.length > 0 || (await hasPosts(db, actor)),
    ...dialogs,
    ...linksOf(query, page.nextCursor),
    isLater: query.has('cursor'),
    isMoving: isMoving({ posts }),
  };
}
