import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { localDateOf } from '#app/domain/automation/slots.ts';
import { formatInstant, nameDay } from '#app/domain/dates.ts';
import { PageQuery } from '#app/domain/paging.ts';
import { recentActivityUrl } from '#app/domain/posts/addresses.ts';
import { describePost, type PostView } from '#app/domain/posts/describe.ts';
import { listAttempts, listPosts, listScheduled } from '#app/domain/posts/posts.ts';
import { getTotals } from '#app/domain/posts/stats.ts';
import { explainHold, explainQueue, loadStanding } from './holds.ts';

const PER_PAGE = 25;
const STATUSES = ['generated', 'pending', 'published', 'failed'] as const;

const pageOf = (query: URLSearchParams) =>
  PageQuery.parse({ limit: PER_PAGE, cursor: query.get('cursor')?.slice(0, 200) || undefined });

/** The parameters that stay while dialogs of a page open and close. */
export function keptOf(query: URLSearchParams): string {
  const kept = ['status', 'cursor'].flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value]] : [];
  });
  return new URLSearchParams(kept).toString();
}

function linksOf(query: URLSearchParams, nextCursor: string | null) {
  const search = keptOf(query);
  const next = new URLSearchParams(search);
  if (nextCursor) next.set('cursor', nextCursor);
  return { search, next: nextCursor ? `?${next}` : null };
}

/** The post that an open dialog or edit is about, when it stands on the page. */
function openOnes(posts: PostView[], query: URLSearchParams) {
  const find = (name: string) => posts.find(({ id }) => id === query.get(name));
  return { editing: find('edit'), publishing: find('confirm-publish'), deleting: find('confirm-delete') };
}

/** The queue by local days, soonest first. */
export async function loadQueue(db: Db, actor: Actor, query: URLSearchParams, now = new Date()) {
  const [page, standing] = await Promise.all([
    listScheduled(db, actor, pageOf(query)),
    loadStanding(db, actor, now),
  ]);
  const views = page.rows.map((row) => describePost(row, actor.timeZone));
  const posts = views.map((post) => ({ ...post, hold: explainHold(post, standing) }));
  const today = localDateOf(now, actor.timeZone);
  const days = [...Map.groupBy(posts, ({ publishAt }) => publishAt?.day)].map(([day, ofDay]) => ({
    heading: day ? nameDay(day, today) : 'No slot yet',
    posts: ofDay,
  }));
  return {
    days,
    ...openOnes(posts, query),
    ...linksOf(query, page.nextCursor),
    isLater: query.has('cursor'),
    banner: explainQueue(posts, standing),
    isMoving: standing.pause === null && posts.some(({ status }) => status === 'publishing'),
  };
}
export type QueuedPost = Awaited<ReturnType<typeof loadQueue>>['days'][number]['posts'][number];

/** The history, newest first, with every attempt at its posts. */
export async function loadHistory(db: Db, actor: Actor, query: URLSearchParams) {
  const status = STATUSES.find((name) => name === query.get('status'));
  const [page, totals] = await Promise.all([
    listPosts(db, actor, { ...pageOf(query), status }),
    getTotals(db, actor),
  ]);
  const ids = page.rows.map(({ id }) => id);
  const attempts = (await listAttempts(db, actor, ids)).map(({ finishedAt, startedAt, ...attempt }) => ({
    ...attempt,
    at: formatInstant(finishedAt ?? startedAt, actor.timeZone),
    iso: (finishedAt ?? startedAt).toISOString(),
  }));
  const views = page.rows.map((row) => describePost(row, actor.timeZone));
  const posts = views.map((post) => ({
    ...post,
    attempts: attempts.filter(({ postId }) => postId === post.id),
    profileUrl: post.isUnconfirmed ? recentActivityUrl() : null,
  }));
  return {
    posts,
    total: totals.posts,
    status: status ?? null,
    ...openOnes(posts, query),
    ...linksOf(query, page.nextCursor),
    isLater: query.has('cursor'),
    isMoving: posts.some((post) => post.status === 'publishing'),
  };
}
export type PastPost = Awaited<ReturnType<typeof loadHistory>>['posts'][number];
