import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { getSettings } from '#app/domain/automation/settings.ts';
import { formatInstant, zoneInWords } from '#app/domain/dates.ts';
import { getConnection } from '#app/domain/linkedin/connection.ts';
import { PageQuery } from '#app/domain/paging.ts';
import { formatPrice } from '#app/domain/payments/money.ts';
import { findSubscription, type Subscription } from '#app/domain/payments/subscription.ts';
import { listPosts } from '#app/domain/posts/posts.ts';
import { getStats } from '#app/domain/posts/stats.ts';
import { explainPause, findPause } from '#app/domain/publishing/pause.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { listTopicNames } from '#app/domain/topics/topics.ts';
import { countFreePosts, findLatestRun, findRun, type Run } from '#app/domain/writing/start-run.ts';
import { describeRecent } from './describe-recent.ts';
import { planToday } from './today.ts';

const RECENT = 3;
const SLOW_MS = 120_000;

export type Dashboard = Awaited<ReturnType<typeof loadDashboard>>;

export async function loadDashboard(db: Db, actor: Actor, query: URLSearchParams, now = new Date()) {
  const [subscription, connection, settings, stats, recent, run, topics, pause, freePosts] =
    await Promise.all([
      findSubscription(db, actor, now),
      getConnection(db, actor, now),
      getSettings(db, actor, now),
      getStats(db, actor, now),
      listPosts(db, actor, PageQuery.parse({ limit: RECENT })),
      findShownRun(db, actor, query.get('run'), now),
      listTopicNames(db, actor),
      findPause(db, now),
      countFreePosts(db, actor, now),
    ]);
  const plan = subscription?.status === 'active' ? describePlan(subscription) : null;
  const isConnected = connection?.isAlive ?? false;
  const isPlanned = Boolean(pause) || !isConnected || !plan || !settings.enabled;
  const isReady = plan !== null && isConnected && topics.length > 0;
  return {
    name: actor.name.split(/\s+/)[0] || actor.name,
    plan,
    hasPending: subscription?.status === 'pending',
    isConnected,
    isReady,
    settings,
    stats,
    topics,
    freePosts,
    today: planToday(settings, stats, now),
    recent: recent.rows.map((post) => describeRecent(post, actor.timeZone, isPlanned)),
    zone: zoneInWords(actor.timeZone),
    run: run ? describeRun(run, query.get('run') === run.id, actor.timeZone, now) : null,
    pause: pause ? explainPause(pause, actor.timeZone) : null,
  };
}

/** The run of the address; one that is not the actor's counts as none. */
async function findShownRun(db: Db, actor: Actor, runId: string | null, now: Date): Promise<Run | undefined> {
  if (!runId) return findLatestRun(db, actor, now);
  return findRun(db, actor, runId).catch((error) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
}

function describePlan({ postsPerDay, fullPriceMinor, currencySymbol }: Subscription) {
  return { postsPerDay, price: formatPrice(fullPriceMinor, { symbol: currencySymbol }) };
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
