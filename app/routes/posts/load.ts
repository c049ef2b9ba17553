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
import { hasPosts } from '#app/domain/posts/counts/stats.ts';
import { POST_LISTS } from '#app/domain/posts/limits.ts';
import type { Post } from '#app/domain/posts/lists/post.ts';
import { afterTimeOf, type PostView, presentPost, timeLabelOf } from '#app/domain/posts/present.ts';
import { refusedTests } from '#app/domain/publishing/manual/test-post.ts';
import { nextMovesOf } from '#app/domain/publishing/slots/upcoming-moves.ts';
import { presentTimeline } from '#app/domain/publishing/timeline.ts';
import { listParamsOf, refreshUrlOf, watchedOf } from '#app/http/forms/list-params.ts';
import { loadEditor, openAt } from '#app/routes/posts/editor/load.ts';
import { loadProvenance } from '#app/routes/posts/editor/present-provenance.ts';
import { MOVE_MODES } from '#app/routes/posts/move/load.ts';
import { presentInProgress, shouldRefresh } from '#app/routes/posts/queue/in-progress.ts';
import { openSlotsOf } from '#app/routes/posts/queue/open-slots.ts';
import { groupByDay, presentQueued } from '#app/routes/posts/queue/present.ts';
import { findOwnPost } from './find-own-post.ts';
import { type AccountState, accountStateOf, explainHold, explainQueue, isUnpaid } from './holds.ts';
import { loadDialogs } from './load-dialogs.ts';
import { OPEN_FORMS } from './params.ts';
import type { EntryView } from './present-entry.ts';

const MS = 1;

/** Query parameters that name the post on which something is open: `?NAME=POST_ID`. */
const OPEN_PARAMS = [...OPEN_FORMS, ...MOVE_MODES, 'confirm-publish', 'confirm-delete', 'open'];

/** The cursor of the page that starts with a post. The queue is ordered by slot, the history by creation time. */
const CURSORS = {
  queue: ({ publishAt, id }: Post) => publishAt && cursorBefore({ at: publishAt, id }, -MS),
  history: ({ createdAt, id }: Post) => cursorBefore({ at: createdAt, id }, MS),
};
type List = keyof typeof CURSORS;

const pageOf = (query: URLSearchParams, cursor = query.get('cursor')) =>
  PageQuery.parse({ limit: POSTS_PER_PAGE, cursor: cursor?.slice(0, 200) || undefined });

/**
 * Reads the requested page of a list. If the URL opens something on a post that is not on the first page, reads the
 * page that starts with that post, and returns the query that leads to it.
 */
async function readPage<Row extends Post>(
  db: Db,
  actor: Actor,
  query: URLSearchParams,
  list: List,
  read: (page: PageQuery) => Promise<Page<Row>>,
) {
  const first = { page: await read(pageOf(query)), query };
  const id = OPEN_PARAMS.map((name) => query.get(name)).find(Boolean);
  const includesPost = ({ rows }: Page<Row>) => rows.some((post) => post.id === id);
  if (!id || query.has('cursor') || !first.page.nextCursor || includesPost(first.page)) return first;
  const post = await findOwnPost(db, actor, id);
  const cursor = post && CURSORS[list](post);
  const page = cursor && (await read(pageOf(query, cursor)));
  if (!page || !includesPost(page)) return first;
  const opened = new URLSearchParams(query);
  opened.set('cursor', cursor);
  return { page, query: opened };
}

function linksOf(query: URLSearchParams, nextCursor: string | null) {
  const next = new URLSearchParams(query);
  if (nextCursor) next.set('cursor', nextCursor);
  return {
    search: listParamsOf(query),
    fresh: refreshUrlOf(query),
    next: nextCursor ? `?${listParamsOf(next, [])}` : null,
  };
}

const dismissUrl = (query: URLSearchParams, watched: string[], postId: string) =>
  `?${listParamsOf(
    query,
    watched.filter((id) => id !== postId),
  )}`;

type PageState = {
  now: Date;
  account: AccountState;
  read: Pick<Awaited<ReturnType<typeof getHistory>>, 'movable' | 'timetable' | 'taken' | 'tests'>;
};

/**
 * Presents the posts of a page with their attempts. `isPlanned`: something blocks the whole queue, so no publish time
 * is promised.
 */
async function presentPosts(
  db: Db,
  actor: Actor,
  posts: HistoryPost[],
  query: URLSearchParams,
  { now, account, read }: PageState,
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
  const isPlanned = explainQueue(waiting, account) !== null;
  const [author, provenance] = await Promise.all([
    loadEditor(db, actor, views, query),
    loadProvenance(db, actor, views, query),
  ]);
  const isDoubtful = (view: PostView) => isPlanned || isUnpaid(view, account);
  const listed = views.map((view, nth) => ({
    ...view,
    // While nothing can be published, no post is set aside because its approval is missing.
    approval: isDoubtful(view) ? null : view.approval,
    afterTime: isUnpaid(view, account) ? '' : afterTimeOf(view),
    attempts: presentTimeline(posts[nth]!, posts[nth]!.timeline, actor.timeZone, refused.has(view.id)),
    timeLabel: timeLabelOf(view, isDoubtful(view)),
    turn: isPlanned ? null : view.turn,
    hold: explainHold(view, account),
    open: openAt(view, query),
    author: openAt(view, query) === 'edit' ? author : null,
    provenance: openAt(view, query) === 'edit' ? provenance : null,
    /** Where "Dismiss" leads: the list without watching this post. Null if the post isn't watched. */
    dismissed: watched.includes(view.id) ? dismissUrl(query, watched, view.id) : null,
  }));
  return { posts: listed, isPlanned };
}
export type ListedPost = Awaited<ReturnType<typeof presentPosts>>['posts'][number];

export async function loadQueue(
  db: Db,
  actor: Actor,
  requested: URLSearchParams,
  readShell: Promise<ShellState>,
  now = new Date(),
) {
  const [{ page, query }, read, shell] = await Promise.all([
    readPage(db, actor, requested, 'queue', (page) =>
      listQueuedPosts(db, actor, { ...page, kept: watchedOf(requested) }, now),
    ),
    getQueue(db, actor, now),
    readShell,
  ]);
  const account = accountStateOf(shell, actor);
  const { posts, isPlanned } = await presentPosts(db, actor, page.rows, query, { now, account, read });
  const dialogs = await loadDialogs(db, actor, posts, query, now);
  const specificityById = new Map(page.rows.map(({ id, specificity }) => [id, specificity]));
  const today = localDateOf(now, actor.timeZone);
  const headingOf = ({ publishAt, isManual, isTest }: ListedPost) =>
    publishAt ? nameDay(publishAt.day, today) : isManual || isTest ? 'Sent by hand' : 'No slot yet';
  const isLater = query.has('cursor');
  const open = isLater ? [] : openSlotsOf(actor, page.rows, read, account, now);
  const writing = isLater ? null : await presentInProgress(db, read.run, now);
  const isWriting = writing !== null || open.some(({ state }) => state === 'filling');
  const dayOf = ({ time }: EntryView) => nameDay(localDateOf(new Date(time.iso), actor.timeZone), today);
  const days = groupByDay(
    posts.map((post) => ({
      heading: headingOf(post),
      post: presentQueued(post, query, specificityById.get(post.id) ?? undefined),
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
    trusted: requested.has('cursor') ? null : read.trusted,
    writing,
    isMoving: shouldRefresh({ posts, dialogs, isWriting }),
    isConnected: account.isConnected,
    sentWhile: account.sentWhile,
  };
}

/** Posts that were set aside are stored as failed. */
const statusOf = (list: (typeof POST_LISTS)[number] | undefined) =>
  list === 'set_aside' || list === 'failed'
    ? { status: 'failed' as const, isSetAside: list === 'set_aside' }
    : { status: list };

export async function loadHistory(
  db: Db,
  actor: Actor,
  requested: URLSearchParams,
  readShell: Promise<ShellState>,
  now = new Date(),
) {
  const status = POST_LISTS.find((name) => name === requested.get('status'));
  const [{ page, query }, read, shell] = await Promise.all([
    readPage(db, actor, requested, 'history', (page) =>
      listHistoryPosts(db, actor, { ...page, ...statusOf(status), kept: watchedOf(requested) }, now),
    ),
    getHistory(db, actor, now),
    readShell,
  ]);
  const account = accountStateOf(shell, actor);
  const { posts, isPlanned } = await presentPosts(db, actor, page.rows, query, { now, account, read });
  const dialogs = await loadDialogs(db, actor, posts, query, now);
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
    isMoving: shouldRefresh({ posts }),
  };
}
