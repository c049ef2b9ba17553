import type { Db } from '#app/db/client.ts';
import { findNextRunAt } from '#app/domain/automation/due-users.ts';
import { type Settings, toSettings } from '#app/domain/automation/settings.ts';
import type { Slot } from '#app/domain/automation/slots.ts';
import { getDashboard } from '#app/domain/pages/dashboard.ts';
import type { ShellState } from '#app/domain/pages/shell.ts';
import { formatPrice } from '#app/domain/payments/money.ts';
import { paidAt } from '#app/domain/payments/subscription/coverage.ts';
import type { Subscription } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import {
  formatDate,
  formatInstant,
  formatTime,
  formatTimeZone,
  formatUntil,
} from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import type { Stats } from '#app/domain/posts/counts/stats.ts';
import { listPostsAround } from '#app/domain/posts/lists/around-now.ts';
import { findPost, type Post } from '#app/domain/posts/lists/post.ts';
import { afterTimeOf, type PostView, presentPost, timeLabelOf } from '#app/domain/posts/present.ts';
import { spanOf } from '#app/domain/queue/slots/agenda.ts';
import { findVoice } from '#app/domain/voice/voice.ts';
import { isFixedInTopic } from '#app/domain/writing/generate/bad-outputs.ts';
import { findFreePosts } from '#app/domain/writing/quota.ts';
import { whyUnwritten } from '#app/domain/writing/runs/list-for-dashboard.ts';
import { secondsLeft, wordsOfWriting } from '#app/domain/writing/runs/progress.ts';
import type { Run } from '#app/domain/writing/runs/start.ts';
import { asRead } from '#app/http/forms/list-params.ts';
import { zoneOptions } from '#app/routes/account/profile/time-zone-options.ts';
import { bothDays, presentDays } from '#app/routes/dashboard/schedule/load-days.ts';
import {
  nextOf,
  presentNextPost,
  whyPostWaits,
  whyQueueWaits,
} from '#app/routes/dashboard/schedule/present-next-post.ts';
import { presentNext, presentSettings } from '#app/routes/dashboard/settings/present.ts';
import { presentFree } from '#app/routes/payments/billing-status.ts';
import { type PostHold, standingOf } from '#app/routes/posts/holds.ts';

const SLOW_MS = 120_000;

function presentPlan(plan: Subscription, { timeZone }: Actor) {
  const { postsPerDay, fullPriceMinor, currencyCode: code, endsAt } = plan;
  return {
    postsPerDay,
    price: formatPrice(fullPriceMinor, { code }),
    endsOn: endsAt && formatDate(endsAt, timeZone),
  };
}

function wordsOfMissing({ failed, requested }: Run): string {
  if (failed === 0) return 'A topic was passed over the last time';
  return failed >= requested
    ? 'No post was written the last time'
    : `${failed} of ${requested} posts ${failed === 1 ? 'was' : 'were'} not written the last time`;
}

const TOPICS = '/app/topics';

/** Where something can be done about what was not written. */
const mendedAt = ({ error }: Run) => (isFixedInTopic(error) ? TOPICS : null);

/** Why nothing is written, or was not the last time; what was asked for says so itself. */
function presentAlert({ activeTopics, pausedTopics }: Stats, run: Run | undefined, isAsked: boolean) {
  if (activeTopics === 0 && pausedTopics > 0) {
    const text = 'Every active topic is paused. The page Topics says why, and resumes them.';
    return { title: 'Nothing new is written', text, to: TOPICS };
  }
  if (run?.status !== 'complete' || isAsked || run.error === null) return null;
  return { title: wordsOfMissing(run), text: `${run.error}.`, to: mendedAt(run) };
}

type FreeInput = { isAsked: boolean; left: number | null };

function presentRun(run: Run, { isAsked, left }: FreeInput, timeZone: string, now: Date) {
  const { id, status, requested, done, failed, error, createdAt, insteadAt } = run;
  const isOpen = status !== 'complete';
  const elsewhere =
    insteadAt && `The time you chose was gone. It is planned for ${formatInstant(insteadAt, timeZone)}.`;
  return {
    id,
    requested,
    done,
    isOpen,
    isAsked,
    mendedAt: mendedAt(run),
    dealtWith: done + failed,
    words: wordsOfWriting(run, left),
    told: [elsewhere, error && `${error}.`].filter(Boolean).join(' '),
    isSlow: isOpen && now.getTime() - createdAt.getTime() > SLOW_MS,
  };
}

type NoneInput = { stats: Stats; isReady: boolean; run: Run | undefined };

/** What stands where none of the latest posts does. */
async function presentNone(
  db: Db,
  { userId, timeZone }: Actor,
  { stats, isReady, run }: NoneInput,
  now: Date,
) {
  if (stats.totalPosts > 0) return 'Your posts stand above. Those of other days follow here.';
  const isWaiting = isReady && (run?.status ?? 'complete') === 'complete';
  const firstAt = isWaiting && (await findNextRunAt(db, userId));
  return firstAt
    ? `No posts yet. The first ones are written ${formatUntil(firstAt, now)}, at ${formatTime(firstAt, timeZone)}.`
    : 'No posts yet. What is written for you stands here.';
}

const PREVIEW = 280;

/** Words, and after them an instant, with what follows it, or a way on. */
type When = {
  words: string;
  at?: { iso: string; text: string };
  after?: string;
  link?: { to: string; label: string };
};

/** When a post went out or goes out, or what keeps it. */
function whenOf(post: PostView, isPlanned: boolean): When {
  const { id, status, badge, date, isManual, isConnected, isNext, putOff, turn, publishAt } = post;
  if (status === 'published') return { words: `Published ${date}` };
  if (badge === 'unconfirmed') {
    const link = { to: `/app/posts?status=failed#post-${id}`, label: 'Decide' };
    return { words: 'May be on LinkedIn.', link };
  }
  if (status === 'failed') {
    return { words: 'Not published.', link: { to: `/app/posts?status=${badge}`, label: 'See why' } };
  }
  if (status === 'publishing') return { words: '' };
  if (isManual && !isConnected) return { words: 'Not sent: LinkedIn is not connected' };
  if (isNext) return { words: 'Waits until publishing goes on' };
  if (putOff) return { words: 'Not before', at: { iso: putOff.iso, text: putOff.at } };
  if (turn && !isPlanned) {
    if (turn.isLateThen) return { words: 'Late: takes your next free time' };
    return { words: 'Waits its turn: goes out about', at: { iso: turn.iso, text: turn.at } };
  }
  if (!publishAt) return { words: isManual ? 'Sent by hand' : 'No slot yet' };
  const at = { iso: publishAt.iso, text: publishAt.text };
  return { words: timeLabelOf(post, isPlanned), at, after: afterTimeOf(post) };
}

/** How many of the latest posts are shown. */
const RECENT = 3;

/** The latest posts in short, but for those that stand above. */
function presentLatest(posts: Post[], above: (string | undefined)[], timeZone: string, isPlanned: boolean) {
  const others = posts.filter(({ id }) => !above.includes(id));
  return others.slice(0, RECENT).map((post) => presentRecent(post, timeZone, isPlanned));
}

/** One of them.  `isPlanned`: something stands in the way of the whole queue. */
function presentRecent(post: Post, timeZone: string, isPlanned: boolean) {
  const view = presentPost(post, timeZone);
  const { id, content, imageUrl, altText, status, badge, topicName, isTest, url, engagement } = view;
  const text = content.length > PREVIEW ? `${content.slice(0, PREVIEW).trimEnd()}…` : content;
  return {
    id,
    text,
    imageUrl,
    altText,
    status,
    badge,
    topicName,
    isTest,
    url,
    when: whenOf(view, isPlanned),
    counted: engagement && `${engagement.words}, typed in by you`,
  };
}

export type DashboardData = Awaited<ReturnType<typeof loadDashboard>>;

/** Loads what every dashboard shows, in parallel. */
async function readDashboard(
  db: Db,
  actor: Actor,
  query: URLSearchParams,
  readShell: Promise<ShellState>,
  now: Date,
) {
  const span = spanOf(bothDays(now, actor.timeZone), actor.timeZone);
  const [read, around, shell] = await Promise.all([
    getDashboard(db, actor, query.get('run'), now),
    listPostsAround(db, actor, span, now),
    readShell,
  ]);
  return { ...read, around, shell, standing: standingOf(shell, actor) };
}
type Read = Awaited<ReturnType<typeof readDashboard>>;

export async function loadDashboard(
  db: Db,
  actor: Actor,
  query: URLSearchParams,
  readShell: Promise<ShellState>,
  now = new Date(),
) {
  const read = await readDashboard(db, actor, query, readShell, now);
  const { subscription, shell, timetable, stats, around, topics, standing } = read;
  const { shown: run } = read.runs;
  const isAsked = run !== undefined && query.get('run') === run.id;
  const left = run ? await secondsLeft(db, run, now) : null;
  const next = nextOf(around.soonest);
  const plan = subscription?.status === 'active' ? presentPlan(subscription, actor) : null;
  const free = plan ? null : await findFreePosts(db, actor, now);
  const isConnected = shell.isLinkedInConnected;
  const whyWaits = whyQueueWaits(standing);
  // Who has lost LinkedIn keeps what they have set up.
  const isReady = plan !== null && topics.length > 0 && (shell.hasConnection || stats.totalPosts > 0);
  const days = isReady ? daysOf(actor, read, now) : [];
  const settings = toSettings(timetable, now);
  const above = [next?.id, ...days.flatMap(({ rows }) => rows.map(({ post }) => post?.id))];
  return {
    name: actor.name.split(/\s+/)[0] || actor.name,
    plan,
    hasPending: subscription?.status === 'pending',
    free: free && presentFree(free, actor, now),
    isConnected,
    isReady,
    settings: presentSettings(settings, now),
    stats,
    topics,
    trusted: read.trusted,
    freePosts: free?.left ?? 0,
    key: crypto.randomUUID(),
    days,
    next: next ? presentNextPost(next, shell.author, actor, whyPostWaits(next, standing), now) : null,
    publishing: await publishingOf(db, actor, query, standing),
    recent: presentLatest(around.posts, above, actor.timeZone, whyWaits !== null),
    noneRecent: await presentNone(db, actor, { stats, isReady, run }, now),
    zone: formatTimeZone(actor.timeZone),
    form: isReady && query.get('settings') === '' ? formOf(settings, now) : null,
    run: run ? presentRun(run, { isAsked, left }, actor.timeZone, now) : null,
    alert: presentAlert(stats, run, isAsked),
    isHeld: standing.pause !== null || !isConnected,
    /** Who is still setting up is offered the questions. */
    isAsked: !isReady && (await findVoice(db, actor.userId)).interviewedAt === null,
  };
}

/** What the form of the settings shows besides them. */
const formOf = (settings: Settings, now: Date) => ({
  next: presentNext(settings, now),
  zones: zoneOptions(),
});

function daysOf({ timeZone }: Actor, read: Read, now: Date) {
  const { covered, standing, runs, timetable, stats, around } = read;
  const known = {
    timeZone,
    now,
    standing,
    filling: runs.filling,
    toCome: runs.toCome,
    runs: runs.ofDays,
    paidAt: (at: Date) => paidAt(covered, at),
    whyUnwritten: (slot: Slot) => whyUnwritten(runs.ofDays, slot, timetable),
  };
  return presentDays(read, stats, known, around.posts);
}

/** The post that the dialog of the address is about, and what is asked about it. */
async function publishingOf(db: Db, actor: Actor, query: URLSearchParams, standing: PostHold) {
  const post = await findNamed(db, actor, query.get('confirm-publish'));
  if (!post) return null;
  const { isConnected, sentWhile } = standing;
  return { post: asRead(presentPost(post, actor.timeZone), query), isConnected, sentWhile };
}

const isNoRefusal = (error: unknown) => {
  if (error instanceof Refusal) return undefined;
  throw error;
};

/** A post that an address names; undefined when it is not the actor's. */
const findNamed = async (db: Db, actor: Actor, postId: string | null) =>
  postId === null ? undefined : findPost(db, actor, postId).catch(isNoRefusal);
