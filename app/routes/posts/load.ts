import type { Db } from '#app/db/client.ts';
import { localDateOf } from '#app/domain/automation/slots.ts';
import {
  getHistory,
  getQueue,
  type HistoryPost,
  listHistoryPosts,
  listQueuedPosts,
} from '#app/domain/pages/posts.ts';
import type { ShellState } from '#app/domain/pages/shell.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { nameDay, zoneInWords } from '#app/domain/platform/dates.ts';
import { hasPosts } from '#app/domain/posts/counts/stats.ts';
import { POST_LISTS } from '#app/domain/posts/limits.ts';
import { afterTimeOf, describePost, type PostView, timeLabelOf } from '#app/domain/posts/present.ts';
import { refusedTests } from '#app/domain/publishing/manual/test-post.ts';
import { describeTimeline } from '#app/domain/publishing/timeline.ts';
import { nextMovesOf } from '#app/domain/queue/slots/upcoming-moves.ts';
import { keptOf, watchedOf } from '#app/http/forms/list-params.ts';
import { loadEditor, openAt } from '#app/routes/posts/editor/load.ts';
import { loadMade } from '#app/routes/posts/editor/present-provenance.ts';
import { describeUnderWay, isMoving } from '#app/routes/posts/queue/in-progress.ts';
import { openSlotsOf } from '#app/routes/posts/queue/open-slots.ts';
import { byDays, inQueue } from '#app/routes/posts/queue/present.ts';
import { explainHold, explainQueue, isUnpaid, type Standing, standingOf } from './holds.ts';
import { dialogsOf } from './load-dialogs.ts';
import { linksOf, readPage } from './pagination.ts';
import type { EntryView } from './present-entry.ts';

const without = (query: URLSearchParams, watched: string[], postId: string) =>
  `?${keptOf(
    query,
    watched.filter((id) => id !== postId),
  )}`;

type Around = {
  now: Date;
  standing: Standing;
  /** What decides where unapproved posts move, and when test posts may be sent again. */
  read: Pick<Awaited<ReturnType<typeof getHistory>>, 'movable' | 'timetable' | 'taken' | 'tests'>;
};

/** The posts of a page as it shows them, with every attempt at them, and what stands in the way of all that wait. */
async function describeAll(
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
    describePost(post, actor.timeZone, now, {
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
    attempts: describeTimeline(posts[nth]!, posts[nth]!.timeline, actor.timeZone, refused.has(view.id)),
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
export type ListedPost = Awaited<ReturnType<typeof describeAll>>['posts'][number];

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
  const { posts, isPlanned } = await describeAll(db, actor, page.rows, query, { now, standing, read });
  const dialogs = await dialogsOf(db, actor, posts, query, now);
  const known = new Map(page.rows.map(({ id, specificity }) => [id, specificity]));
  const today = localDateOf(now, actor.timeZone);
  const headingOf = ({ publishAt, isByHand, isTest }: ListedPost) =>
    publishAt ? nameDay(publishAt.day, today) : isByHand || isTest ? 'Sent by hand' : 'No slot yet';
  const isLater = query.has('cursor');
  const open = isLater ? [] : openSlotsOf(actor, page.rows, read, standing, now);
  const writing = isLater ? null : await describeUnderWay(db, read.run, now);
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
    zone: zoneInWords(actor.timeZone),
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
  const { posts, isPlanned } = await describeAll(db, actor, page.rows, query, { now, standing, read });
  const dialogs = await dialogsOf(db, actor, posts, query, now);
  return {
    posts,
    totals: read.totals,
    status: status ?? null,
    zone: zoneInWords(actor.timeZone),
    isPlanned,
    hasTopics: read.hasTopics,
    hasPosts: posts.length > 0 || (await hasPosts(db, actor)),
    ...dialogs,
    ...linksOf(query, page.nextCursor),
    isLater: query.has('cursor'),
    isMoving: isMoving({ posts }),
  };
}
