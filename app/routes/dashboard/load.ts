import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { toSettings } from '#app/domain/automation/settings.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { formatDate, formatInstant, zoneInWords } from '#app/domain/dates.ts';
import { getConnection } from '#app/domain/linkedin/connection.ts';
import { PageQuery } from '#app/domain/paging.ts';
import { formatPrice } from '#app/domain/payments/money.ts';
import { findSubscription, type Subscription } from '#app/domain/payments/subscription.ts';
import { describePost } from '#app/domain/posts/describe.ts';
import { findPost, listPosts } from '#app/domain/posts/posts.ts';
import { getStats } from '#app/domain/posts/stats.ts';
import { findPause } from '#app/domain/publishing/pause.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { getShellState } from '#app/domain/shell-state.ts';
import { listTopicNames } from '#app/domain/topics/topics.ts';
import { countFreePosts, findLatestRun, findRun, type Run } from '#app/domain/writing/start-run.ts';
import { type Standing, standingOf } from '../posts/holds.ts';
import { loadDays } from './days.ts';
import { describeSettings } from './describe-next.ts';
import { describeRecent } from './describe-recent.ts';
import { describeNextPost, findNext } from './next.ts';

const RECENT = 3;
const SLOW_MS = 120_000;

export type Dashboard = Awaited<ReturnType<typeof loadDashboard>>;

/** Everything the page asks the database for, at once. */
async function readDashboard(db: Db, actor: Actor, query: URLSearchParams, now: Date) {
  const [subscription, connection, timetable, stats, recent, run, topics, pause, freePosts, shell, soonest] =
    await Promise.all([
      findSubscription(db, actor, now),
      getConnection(db, actor, now),
      readTimetable(db, actor.userId, now),
      getStats(db, actor, now),
      listPosts(db, actor, PageQuery.parse({ limit: RECENT })),
      findShownRun(db, actor, query.get('run'), now),
      listTopicNames(db, actor),
      findPause(db, now),
      countFreePosts(db, actor, now),
      getShellState(db, actor, now),
      findNext(db, actor),
    ]);
  const read = { subscription, connection, timetable, stats, recent, run, topics, freePosts, soonest };
  const hasTopics = topics.length > 0;
  return {
    ...read,
    standing: standingOf({ shell, isEnabled: timetable.isEnabled, hasTopics, pause }, actor),
  };
}
type Read = Awaited<ReturnType<typeof readDashboard>>;

export async function loadDashboard(db: Db, actor: Actor, query: URLSearchParams, now = new Date()) {
  const read = await readDashboard(db, actor, query, now);
  const { subscription, connection, timetable, stats, recent, run, topics, standing, soonest } = read;
  const plan = subscription?.status === 'active' ? describePlan(subscription, actor) : null;
  const isConnected = connection?.isAlive ?? false;
  const isPlanned = Boolean(standing.pause) || !isConnected || !plan || !timetable.isEnabled;
  // Who has lost LinkedIn keeps what they have set up.
  const isReady = plan !== null && topics.length > 0 && (connection !== null || stats.totalPosts > 0);
  return {
    name: actor.name.split(/\s+/)[0] || actor.name,
    plan,
    hasPending: subscription?.status === 'pending',
    isConnected,
    isReady,
    settings: describeSettings(toSettings(timetable, now), now),
    stats,
    topics,
    freePosts: read.freePosts,
    days: isReady ? await loadDays(db, actor, timetable, stats, aroundOf(read, actor, now)) : [],
    next: soonest ? await describeNextPost(db, actor, soonest, isPlanned, now) : null,
    publishing: await publishingOf(db, actor, query, standing),
    recent: recent.rows.map((post) => describeRecent(post, actor.timeZone, isPlanned)),
    zone: zoneInWords(actor.timeZone),
    run: run ? describeRun(run, query.get('run') === run.id, actor.timeZone, now) : null,
    pause: standing.pause,
  };
}

const aroundOf = ({ subscription, standing, run }: Read, { timeZone }: Actor, now: Date) => ({
  ...{ timeZone, now, standing },
  plannedSince: subscription?.status === 'active' ? subscription.startsAt : null,
  whyUnwritten: run?.error ?? null,
});

/** The post that the dialog of the address is about, and what is asked about it. */
async function publishingOf(db: Db, actor: Actor, query: URLSearchParams, standing: Standing) {
  const post = await findNamed(db, actor, query.get('confirm-publish'));
  if (!post) return null;
  const { isConnected, sentWhile } = standing;
  return { post: describePost(post, actor.timeZone), isConnected, sentWhile };
}

const isNoRefusal = (error: unknown) => {
  if (error instanceof Refusal) return undefined;
  throw error;
};

/** A post that an address names; undefined when it is not the actor's. */
const findNamed = async (db: Db, actor: Actor, postId: string | null) =>
  postId === null ? undefined : findPost(db, actor, postId).catch(isNoRefusal);

/** The run of the address; one that is not the actor's counts as none. */
async function findShownRun(db: Db, actor: Actor, runId: string | null, now: Date): Promise<Run | undefined> {
  if (!runId) return findLatestRun(db, actor, now);
  return findRun(db, actor, runId).catch(isNoRefusal);
}

function describePlan(plan: Subscription, { timeZone }: Actor) {
  const { postsPerDay, fullPriceMinor, currencySymbol, endsAt } = plan;
  return {
    postsPerDay,
    price: formatPrice(fullPriceMinor, { symbol: currencySymbol }),
    endsOn: endsAt && formatDate(endsAt, timeZone),
  };
}

const wordsOfMissing = ({ failed, requested }: Run) =>
  failed >= requested
    ? 'No post was written the last time'
    : `${failed} of ${requested} posts ${failed === 1 ? 'was' : 'were'} not written the last time`;

function describeRun(run: Run, isAsked: boolean, timeZone: string, now: Date) {
  const { id, status, requested, done, failed, error, createdAt, insteadAt } = run;
  const isOpen = status !== 'complete';
  return {
    ...{ id, requested, done, failed, error, isOpen, isAsked },
    missing: wordsOfMissing(run),
    instead:
      insteadAt && `The time you chose was gone. It is planned for ${formatInstant(insteadAt, timeZone)}.`,
    isSlow: isOpen && now.getTime() - createdAt.getTime() > SLOW_MS,
  };
}
