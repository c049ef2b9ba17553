import type { Db } from '#app/db/client.ts';
import { daysLeft } from '#app/domain/linkedin/access/days-left.ts';
import { type Connection, getConnection } from '#app/domain/linkedin/connection.ts';
import type { ShellState } from '#app/domain/pages/shell.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatInstant, formatTimeZone } from '#app/domain/platform/dates.ts';
import { presentPost } from '#app/domain/posts/present.ts';
import { findTestPost } from '#app/domain/publishing/manual/test-post.ts';
import { explainPause, findPause } from '#app/domain/publishing/safety/pause.ts';
import { findMissed } from '#app/domain/publishing/slots/missed-while-disconnected.ts';
import { describeExpiry } from '#app/routes/layouts/status.ts';

function presentConnection(connection: Connection, timeZone: string, now: Date) {
  const formatDay = (at: Date) => ({ iso: at.toISOString(), text: formatDate(at, timeZone) });
  const { name, email, picture, scopes, isAlive, connectedAt, expiresAt } = connection;
  return {
    name,
    email,
    picture,
    scopes,
    isAlive,
    connectedAt: formatDay(connectedAt),
    expiresAt: formatDay(expiresAt),
    daysLeft: daysLeft(connection, now),
    isOver: expiresAt <= now,
  };
}

async function describeSendNow(db: Db, notBefore: Date | null, timeZone: string, now: Date): Promise<string> {
  if (await findPause(db, now)) return 'waits until publishing goes on';
  return notBefore && notBefore > now
    ? `goes out at ${formatInstant(notBefore, timeZone)}`
    : 'is published at once';
}

async function loadMissed(db: Db, actor: Actor, hasPlan: boolean, now: Date) {
  const missed = await findMissed(db, actor, now);
  if (!missed) return null;
  const at = (instant: Date) => ({
    iso: instant.toISOString(),
    text: formatInstant(instant, actor.timeZone),
  });
  return {
    asked: missed.asked.toISOString(),
    until: at(missed.until),
    posts: missed.posts.map(({ id, opening, dueAt }) => ({ id, opening, at: at(dueAt) })),
    hasMore: missed.hasMore,
    latestOutcome: await describeSendNow(db, missed.latestNotBefore, actor.timeZone, now),
    hasPlan,
  };
}

async function loadTest(db: Db, actor: Actor, now: Date) {
  const { nextAt: next, whyNotNow, post } = await findTestPost(db, actor, now);
  const nextAt = next && formatInstant(next, actor.timeZone);
  if (!post) return { nextAt, whyNotNow, post };
  const view = presentPost(post, actor.timeZone, now, { notAgain: whyNotNow });
  const { id, content, status, badge, url, isUnconfirmed, isConnected, isNext, putOff } = view;
  const { failure, canRetry, deletion, posted } = view;
  const pause = isNext ? await findPause(db, now) : undefined;
  return {
    nextAt,
    whyNotNow,
    post: {
      id,
      content,
      status,
      badge,
      url,
      isUnconfirmed,
      isConnected,
      isNext,
      putOff,
      failure,
      canRetry,
      deletion,
      at: posted?.text,
      pause: pause ? explainPause(pause, actor.timeZone) : null,
    },
  };
}

const REFRESH_SECONDS = { moving: 3, waiting: 60 };

/**
 * After how many seconds the page reloads itself without scripts; null if there is nothing to wait for. While the page
 * asks for a choice it doesn't wait for a pause to end: reloading would clear the choice.
 */
function refreshSeconds({ post }: PresentedTest, isAsking: boolean): number | null {
  if (!post) return null;
  if (post.isNext) return isAsking ? null : REFRESH_SECONDS.waiting;
  return post.status === 'publishing' || post.putOff?.isShort ? REFRESH_SECONDS.moving : null;
}

export async function loadPage(db: Db, actor: Actor, { trouble, hasActivePlan }: ShellState, now: Date) {
  const [stored, missed, test] = await Promise.all([
    getConnection(db, actor, now),
    loadMissed(db, actor, hasActivePlan, now),
    loadTest(db, actor, now),
  ]);
  const connection = stored && presentConnection(stored, actor.timeZone, now);
  const ending = trouble?.kind === 'ending' ? describeExpiry(trouble.days) : null;
  const seconds = refreshSeconds(test, missed !== null);
  return { zone: formatTimeZone(actor.timeZone), connection, ending, missed, test, seconds };
}

type Page = Awaited<ReturnType<typeof loadPage>>;
export type PresentedConnection = NonNullable<Page['connection']>;
export type PresentedMissed = NonNullable<Page['missed']>;
export type PresentedTest = Awaited<ReturnType<typeof loadTest>>;
