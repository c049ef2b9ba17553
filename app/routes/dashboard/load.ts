import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { type Settings, toSettings } from '#app/domain/automation/settings.ts';
import type { Slot } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { zoneInWords } from '#app/domain/dates.ts';
import { authorOf } from '#app/domain/linkedin/author.ts';
import { getConnection } from '#app/domain/linkedin/connection.ts';
import { coverOf, paidAt } from '#app/domain/payments/covered.ts';
import { findSubscription } from '#app/domain/payments/subscription.ts';
import { describePost } from '#app/domain/posts/describe.ts';
import { findPost } from '#app/domain/posts/posts.ts';
import { listPostsAround } from '#app/domain/posts/posts-around.ts';
import { getStats } from '#app/domain/posts/stats.ts';
import { findPause } from '#app/domain/publishing/pause.ts';
import { spanOf } from '#app/domain/queue/agenda.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { getShellState } from '#app/domain/shell-state.ts';
import { listTopicNames } from '#app/domain/topics/topics.ts';
import { findVoice } from '#app/domain/voice/voice.ts';
import { findFreePosts } from '#app/domain/writing/allowance.ts';
import { secondsLeft } from '#app/domain/writing/run-progress.ts';
import { listShownRuns, whyUnwritten } from '#app/domain/writing/shown-runs.ts';
import { asRead } from '../kept.ts';
import { describeFree } from '../money-line.ts';
import { type Standing, standingOf } from '../posts/holds.ts';
import { zoneOptions } from '../zone-options.ts';
import { bothDays, loadDays } from './days.ts';
import { describeNext, describeSettings } from './describe-next.ts';
import { describeAlert, describePlan, describeRun } from './describe-plan.ts';
import { describeLatest } from './describe-recent.ts';
import { describeNextPost, nextOf, whyPostWaits, whyQueueWaits } from './next.ts';
import { sayNone } from './none-recent.ts';

export type Dashboard = Awaited<ReturnType<typeof loadDashboard>>;

/** Who the page is for, and what they have set up. */
async function readOwner(db: Db, actor: Actor, now: Date) {
  const [subscription, connection, timetable, topics, pause, shell] = await Promise.all([
    findSubscription(db, actor, now),
    getConnection(db, actor, now),
    readTimetable(db, actor.userId, now),
    listTopicNames(db, actor),
    findPause(db, now),
    getShellState(db, actor, now),
  ]);
  const standing = standingOf({ shell, pause }, actor);
  const author = authorOf({ name: actor.name, headline: shell.headline }, connection);
  return { subscription, connection, timetable, topics, author, standing };
}

/** What has been written, went out and goes out. */
async function readPosts(db: Db, actor: Actor, query: URLSearchParams, now: Date) {
  const span = spanOf(bothDays(now, actor.timeZone), actor.timeZone);
  const [stats, around, runs] = await Promise.all([
    getStats(db, actor, now),
    listPostsAround(db, actor, span, now),
    listShownRuns(db, actor, query.get('run'), now),
  ]);
  return { stats, around, runs };
}

/** Everything the page asks the database for, at once. */
async function readDashboard(db: Db, actor: Actor, query: URLSearchParams, now: Date) {
  const [owner, posts] = await Promise.all([readOwner(db, actor, now), readPosts(db, actor, query, now)]);
  return { ...owner, ...posts };
}
type Read = Awaited<ReturnType<typeof readDashboard>>;

export async function loadDashboard(db: Db, actor: Actor, query: URLSearchParams, now = new Date()) {
  const read = await readDashboard(db, actor, query, now);
  const { subscription, connection, timetable, stats, around, topics, standing, author } = read;
  const { shown: run } = read.runs;
  const isAsked = run !== undefined && query.get('run') === run.id;
  const left = run ? await secondsLeft(db, run, now) : null;
  const next = nextOf(around.soonest);
  const plan = subscription?.status === 'active' ? describePlan(subscription, actor) : null;
  const free = plan ? null : await findFreePosts(db, actor, now);
  const isConnected = connection?.isAlive ?? false;
  const whyWaits = whyQueueWaits(standing);
  // Who has lost LinkedIn keeps what they have set up.
  const isReady = plan !== null && topics.length > 0 && (connection !== null || stats.totalPosts > 0);
  const days = isReady ? await daysOf(db, actor, read, now) : [];
  const settings = toSettings(timetable, now);
  const above = [next?.id, ...days.flatMap(({ rows }) => rows.map(({ post }) => post?.id))];
  return {
    name: actor.name.split(/\s+/)[0] || actor.name,
    plan,
    hasPending: subscription?.status === 'pending',
    free: free && describeFree(free, actor, now),
    isConnected,
    isReady,
    settings: describeSettings(settings, now),
    stats,
    topics,
    freePosts: free?.left ?? 0,
    key: crypto.randomUUID(),
    days,
    next: next ? describeNextPost(next, author, actor, whyPostWaits(next, standing), now) : null,
    publishing: await publishingOf(db, actor, query, standing),
    recent: describeLatest(around.posts, above, actor.timeZone, whyWaits !== null),
    noneRecent: await sayNone(db, actor, { stats, isReady, run }, now),
    zone: zoneInWords(actor.timeZone),
    form: isReady && query.get('settings') === '' ? formOf(settings, now) : null,
    run: run ? describeRun(run, { isAsked, left }, actor.timeZone, now) : null,
    alert: describeAlert(stats, run, isAsked),
    isHeld: standing.pause !== null || !isConnected,
    /** Who is still setting up is offered the questions. */
    isAsked: !isReady && (await findVoice(db, actor.userId)).interviewedAt === null,
  };
}

/** What the form of the settings shows besides them. */
const formOf = (settings: Settings, now: Date) => ({
  next: describeNext(settings, now),
  zones: zoneOptions(),
});

async function daysOf(db: Db, actor: Actor, read: Read, now: Date) {
  const { subscription, standing, runs, timetable, stats, around } = read;
  const { userId, timeZone } = actor;
  const covered = await coverOf(db, userId, subscription, bothDays(now, timeZone));
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
  return loadDays(db, actor, timetable, stats, known, around.posts);
}

/** The post that the dialog of the address is about, and what is asked about it. */
async function publishingOf(db: Db, actor: Actor, query: URLSearchParams, standing: Standing) {
  const post = await findNamed(db, actor, query.get('confirm-publish'));
  if (!post) return null;
  const { isConnected, sentWhile } = standing;
  return { post: asRead(describePost(post, actor.timeZone), query), isConnected, sentWhile };
}

const isNoRefusal = (error: unknown) => {
  if (error instanceof Refusal) return undefined;
  throw error;
};

/** A post that an address names; undefined when it is not the actor's. */
const findNamed = async (db: Db, actor: Actor, postId: string | null) =>
  postId === null ? undefined : findPost(db, actor, postId).catch(isNoRefusal);
