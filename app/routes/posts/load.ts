import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { localDateOf } from '#app/domain/automation/slots.ts';
import { nameDay, zoneInWords } from '#app/domain/dates.ts';
import { findAuthor } from '#app/domain/linkedin/author.ts';
import { afterTimeOf, describePost, type PostView, timeLabelOf } from '#app/domain/posts/describe.ts';
import { POST_LISTS } from '#app/domain/posts/limits.ts';
import { listPosts, listScheduled } from '#app/domain/posts/list-posts.ts';
import type { Post } from '#app/domain/posts/posts.ts';
import { getTotals, hasPosts } from '#app/domain/posts/stats.ts';
import { findRefusedTests } from '#app/domain/publishing/test-post.ts';
import { listTimelines } from '#app/domain/publishing/timeline.ts';
import { findNextMoves } from '#app/domain/queue/next-moves.ts';
import { listTopicNames } from '#app/domain/topics/topics.ts';
import { listSpecificity } from '#app/domain/writing/briefs.ts';
import { keptOf, watchedOf } from '../kept.ts';
import type { EntryView } from './describe-entry.ts';
import { loadMade } from './describe-made.ts';
import { explainHold, explainQueue, isUnpaid, loadStanding, type Standing } from './holds.ts';
import { loadEditor, openAt } from './open-at.ts';
import { dialogsOf } from './open-dialogs.ts';
import { listOpenSlots } from './open-slots.ts';
import { linksOf, readPage } from './page-at.ts';
import { byDays, inQueue } from './queue-view.ts';
import { isMoving, loadWriting } from './under-way.ts';

const without = (query: URLSearchParams, watched: string[], postId: string) =>
  `?${keptOf(
    query,
    watched.filter((id) => id !== postId),
  )}`;

type Moment = { now: Date; standing: Standing };

/** The posts of a page as it shows them, with every attempt at them, and what stands in the way of all that wait. */
async function describeAll(db: Db, actor: Actor, posts: Post[], query: URLSearchParams, at: Moment) {
  const { now, standing } = at;
  const refused = await findRefusedTests(db, actor, posts, now);
  const [timelines, moves, topics] = await Promise.all([
    listTimelines(db, actor, posts, refused),
    findNextMoves(db, actor, posts, now),
    listTopicNames(db, actor),
  ]);
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
  const listed = views.map((view) => ({
    ...view,
    // Nothing is set aside for want of an answer while nothing can go out.
    approval: isDoubtful(view) ? null : view.approval,
    afterTime: isUnpaid(view, standing) ? '' : afterTimeOf(view),
    attempts: timelines.get(view.id) ?? [],
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
  return { posts: listed, isPlanned, hasTopics: topics.length > 0 };
}
export type ListedPost = Awaited<ReturnType<typeof describeAll>>['posts'][number];

/** The queue by local days, soonest first. */
export async function loadQueue(db: Db, actor: Actor, asked: URLSearchParams, now = new Date()) {
  const [{ page, query }, standing] = await Promise.all([
    readPage(db, actor, asked, 'queue', (at) => listScheduled(db, actor, { ...at, kept: watchedOf(asked) })),
    loadStanding(db, actor, now),
  ]);
  const { posts, ...kept } = await describeAll(db, actor, page.rows, query, { now, standing });
  const [dialogs, known, writing] = await Promise.all([
    dialogsOf(db, actor, posts, query, now),
    listSpecificity(db, actor.userId, posts),
    loadWriting(db, actor, now),
  ]);
  const today = localDateOf(now, actor.timeZone);
  const headingOf = ({ publishAt, isByHand, isTest }: ListedPost) =>
    publishAt ? nameDay(publishAt.day, today) : isByHand || isTest ? 'Sent by hand' : 'No slot yet';
  const open = query.has('cursor') ? [] : await listOpenSlots(db, actor, page.rows, standing, now);
  const told = query.has('cursor') ? null : writing;
  const isWriting = told !== null || open.some(({ state }) => state === 'filling');
  const dayOf = ({ time }: EntryView) => nameDay(localDateOf(new Date(time.iso), actor.timeZone), today);
  const days = byDays(
    posts.map((post) => ({ heading: headingOf(post), post: inQueue(post, query, known.get(post.id)) })),
    open.map((slot) => ({ heading: dayOf(slot), slot })),
  );
  return {
    days,
    author: await findAuthor(db, actor),
    zone: zoneInWords(actor.timeZone),
    ...dialogs,
    ...linksOf(query, page.nextCursor),
    isLater: query.has('cursor'),
    ...kept,
    writing: told,
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
export async function loadHistory(db: Db, actor: Actor, asked: URLSearchParams, now = new Date()) {
  const status = POST_LISTS.find((name) => name === asked.get('status'));
  const [{ page, query }, totals, standing] = await Promise.all([
    readPage(db, actor, asked, 'history', (at) =>
      listPosts(db, actor, { ...at, ...statusOf(status), kept: watchedOf(asked) }),
    ),
    getTotals(db, actor),
    loadStanding(db, actor, now),
  ]);
  const { posts, ...kept } = await describeAll(db, actor, page.rows, query, { now, standing });
  const dialogs = await dialogsOf(db, actor, posts, query, now);
  return {
    posts,
    totals,
    status: status ?? null,
    zone: zoneInWords(actor.timeZone),
    ...kept,
    hasPosts: posts.length > 0 || (await hasPosts(db, actor)),
    ...dialogs,
    ...linksOf(query, page.nextCursor),
    isLater: query.has('cursor'),
    isMoving: isMoving({ posts }),
  };
}
