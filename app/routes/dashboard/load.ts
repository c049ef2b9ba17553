import type { Db } from '#app/db/client.ts';
import { findNextRunAt } from '#app/domain/automation/due-users.ts';
import { toSettings } from '#app/domain/automation/settings.ts';
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
import type { Stats } from '#app/domain/posts/counts/stats.ts';
import { listPostsAround } from '#app/domain/posts/lists/around-now.ts';
import type { Post } from '#app/domain/posts/lists/post.ts';
import { afterTimeOf, type PostView, presentPost, timeLabelOf } from '#app/domain/posts/present.ts';
import { spanOf } from '#app/domain/publishing/slots/agenda.ts';
import { findVoice } from '#app/domain/voice/voice.ts';
import { isFixedInTopic } from '#app/domain/writing/generate/bad-outputs.ts';
import { findFreePosts } from '#app/domain/writing/quota.ts';
import { whyUnwritten } from '#app/domain/writing/runs/list-for-dashboard.ts';
import { progressText, secondsLeft } from '#app/domain/writing/runs/progress.ts';
import type { Run } from '#app/domain/writing/runs/start.ts';
import { atRequestedRevision } from '#app/http/forms/list-params.ts';
import { zoneOptions } from '#app/routes/account/profile/time-zone-options.ts';
import { bothDays, presentDays } from '#app/routes/dashboard/schedule/load-days.ts';
import {
  findNextPost,
  presentNextPost,
  whyPostWaits,
  whyQueueWaits,
} from '#app/routes/dashboard/schedule/present-next-post.ts';
import { presentNext, presentSettings } from '#app/routes/dashboard/settings/present.ts';
import { presentFree } from '#app/routes/payments/billing-status.ts';
import { findOwnPost } from '#app/routes/posts/find-own-post.ts';
import { type AccountState, accountStateOf } from '#app/routes/posts/holds.ts';

const SLOW_MS = 120_000;

function presentPlan(plan: Subscription, { timeZone }: Actor) {
  const { postsPerDay, fullPriceMinor, currencyCode: code, endsAt } = plan;
  return {
    postsPerDay,
    price: formatPrice(fullPriceMinor, { code }),
    endsOn: endsAt && formatDate(endsAt, timeZone),
  };
}

function describeMissing({ failed, requested }: Run): string {
  if (failed === 0) return 'A topic was passed over the last time';
  return failed >= requested
    ? 'No post was written the last time'
    : `${failed} of ${requested} posts ${failed === 1 ? 'was' : 'were'} not written the last time`;
}

const TOPICS = '/app/topics';

const fixUrlFor = ({ error }: Run) => (isFixedInTopic(error) ? TOPICS : null);

/** Why nothing is written, or was not the last time. A run that the user requested shows its own result. */
function presentAlert({ activeTopics, pausedTopics }: Stats, run: Run | undefined, isRequested: boolean) {
  if (activeTopics === 0 && pausedTopics > 0) {
    const text = 'Every active topic is paused. The page Topics says why, and resumes them.';
    return { title: 'Nothing new is written', text, to: TOPICS };
  }
  if (run?.status !== 'complete' || isRequested || run.error === null) return null;
  return { title: describeMissing(run), text: `${run.error}.`, to: fixUrlFor(run) };
}

type RunInput = { isRequested: boolean; secondsRemaining: number | null };

function presentRun(run: Run, { isRequested, secondsRemaining }: RunInput, timeZone: string, now: Date) {
  const { id, status, requested, done, failed, error, createdAt, insteadAt } = run;
  const isOpen = status !== 'complete';
  const moved =
    insteadAt && `The time you chose was gone. It is planned for ${formatInstant(insteadAt, timeZone)}.`;
  return {
    id,
    requested,
    done,
    isOpen,
    isRequested,
    fixUrl: fixUrlFor(run),
    processed: done + failed,
    progressText: progressText(run, secondsRemaining),
    message: [moved, error && `${error}.`].filter(Boolean).join(' '),
    isSlow: isOpen && now.getTime() - createdAt.getTime() > SLOW_MS,
  };
}

type NoRecentInput = { stats: Stats; isReady: boolean; run: Run | undefined };

async function presentNoRecent(
  db: Db,
  { userId, timeZone }: Actor,
  { stats, isReady, run }: NoRecentInput,
  now: Date,
) {
  if (stats.totalPosts > 0) return 'Your posts stand above. Those of other days follow here.';
  const isWaiting = isReady && (run?.status ?? 'complete') === 'complete';
  const firstAt = isWaiting && (await findNextRunAt(db, userId));
  return firstAt
    ? `No posts yet. The first ones are written ${formatUntil(firstAt, now)}, at ${formatTime(firstAt, timeZone)}.`
    : 'No posts yet. What is written for you stands here.';
}

const PREVIEW_LENGTH = 280;

type PostTime = {
  text: string;
  at?: { iso: string; text: string };
  after?: string;
  link?: { to: string; label: string };
};

function whenOf(post: PostView, isPlanned: boolean): PostTime {
  const { id, status, badge, date, isManual, isConnected, isNext, putOff, turn, publishAt } = post;
  if (status === 'published') return { text: `Published ${date}` };
  if (badge === 'unconfirmed') {
    const link = { to: `/app/posts?status=failed#post-${id}`, label: 'Decide' };
    return { text: 'May be on LinkedIn.', link };
  }
  if (status === 'failed') {
    return { text: 'Not published.', link: { to: `/app/posts?status=${badge}`, label: 'See why' } };
  }
  if (status === 'publishing') return { text: '' };
  if (isManual && !isConnected) return { text: 'Not sent: LinkedIn is not connected' };
  if (isNext) return { text: 'Waits until publishing goes on' };
  if (putOff) return { text: 'Not before', at: { iso: putOff.iso, text: putOff.at } };
  if (turn && !isPlanned) {
    if (turn.isLateThen) return { text: 'Late: takes your next free time' };
    return { text: 'Waits its turn: goes out about', at: { iso: turn.iso, text: turn.at } };
  }
  if (!publishAt) return { text: isManual ? 'Sent by hand' : 'No slot yet' };
  const at = { iso: publishAt.iso, text: publishAt.text };
  return { text: timeLabelOf(post, isPlanned), at, after: afterTimeOf(post) };
}

const RECENT_COUNT = 3;

/** `isPlanned`: something blocks the whole queue, so no publish time is promised. */
function presentRecent(post: Post, timeZone: string, isPlanned: boolean) {
  const view = presentPost(post, timeZone);
  const { id, content, imageUrl, altText, status, badge, topicName, isTest, url, engagement } = view;
  const text = content.length > PREVIEW_LENGTH ? `${content.slice(0, PREVIEW_LENGTH).trimEnd()}…` : content;
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
    engagement: engagement && `${engagement.words}, typed in by you`,
  };
}

export type DashboardData = Awaited<ReturnType<typeof loadDashboard>>;

async function readDashboard(
  db: Db,
  actor: Actor,
  query: URLSearchParams,
  readShell: Promise<ShellState>,
  now: Date,
) {
  const span = spanOf(bothDays(now, actor.timeZone), actor.timeZone);
  const [read, nearby, shell] = await Promise.all([
    getDashboard(db, actor, query.get('run'), now),
    listPostsAround(db, actor, span, now),
    readShell,
  ]);
  return { ...read, nearby, shell, account: accountStateOf(shell, actor) };
}
type DashboardReads = Awaited<ReturnType<typeof readDashboard>>;

export async function loadDashboard(
  db: Db,
  actor: Actor,
  query: URLSearchParams,
  readShell: Promise<ShellState>,
  now = new Date(),
) {
  const read = await readDashboard(db, actor, query, readShell, now);
  const { subscription, shell, timetable, stats, nearby, topics, account } = read;
  const { shown: run } = read.runs;
  const isRequested = run !== undefined && query.get('run') === run.id;
  const secondsRemaining = run ? await secondsLeft(db, run, now) : null;
  const next = findNextPost(nearby.soonest);
  const plan = subscription?.status === 'active' ? presentPlan(subscription, actor) : null;
  const free = plan ? null : await findFreePosts(db, actor, now);
  const isConnected = shell.isLinkedInConnected;
  const whyWaits = whyQueueWaits(account);
  // A user who lost the LinkedIn connection keeps what they set up.
  const isReady = plan !== null && topics.length > 0 && (shell.hasConnection || stats.totalPosts > 0);
  const days = isReady ? daysOf(actor, read, now) : [];
  const settings = toSettings(timetable, now);
  const shownAbove = [next?.id, ...days.flatMap(({ rows }) => rows.map(({ post }) => post?.id))];
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
    next: next ? presentNextPost(next, shell.author, actor, whyPostWaits(next, account), now) : null,
    publishing: await loadPublishing(db, actor, query, account),
    recent: nearby.posts
      .filter(({ id }) => !shownAbove.includes(id))
      .slice(0, RECENT_COUNT)
      .map((post) => presentRecent(post, actor.timeZone, whyWaits !== null)),
    noRecentText: await presentNoRecent(db, actor, { stats, isReady, run }, now),
    zone: formatTimeZone(actor.timeZone),
    form:
      isReady && query.get('settings') === ''
        ? { next: presentNext(settings, now), zones: zoneOptions() }
        : null,
    run: run ? presentRun(run, { isRequested, secondsRemaining }, actor.timeZone, now) : null,
    alert: presentAlert(stats, run, isRequested),
    isHeld: account.pause !== null || !isConnected,
    isInterviewOffered: !isReady && (await findVoice(db, actor.userId)).interviewedAt === null,
  };
}

function daysOf({ timeZone }: Actor, read: DashboardReads, now: Date) {
  const { covered, account, runs, timetable, stats, nearby } = read;
  const context = {
    timeZone,
    now,
    account,
    filling: runs.filling,
    toCome: runs.remaining,
    runs: runs.slotRuns,
    paidAt: (at: Date) => paidAt(covered, at),
    whyUnwritten: (slot: Slot) => whyUnwritten(runs.slotRuns, slot, timetable),
  };
  return presentDays(read, stats, context, nearby.posts);
}

async function loadPublishing(db: Db, actor: Actor, query: URLSearchParams, account: AccountState) {
  const post = await findOwnPost(db, actor, query.get('confirm-publish'));
  if (!post) return null;
  const { isConnected, sentWhile } = account;
  return { post: atRequestedRevision(presentPost(post, actor.timeZone), query), isConnected, sentWhile };
}
