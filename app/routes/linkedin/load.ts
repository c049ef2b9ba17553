import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { formatInstant, formatTime } from '#app/domain/dates.ts';
import { type Connection, getConnection } from '#app/domain/linkedin/connection.ts';
import { daysLeft } from '#app/domain/linkedin/days-left.ts';
import { describePost } from '#app/domain/posts/describe.ts';
import { findTestPost } from '#app/domain/publishing/test-post.ts';
import { findMissed } from '#app/domain/queue/missed.ts';
import { getShellState } from '#app/domain/shell-state.ts';

/** The first letters of a name, for whoever has no picture. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const ends = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return ends.map((word) => [...word][0]!.toUpperCase()).join('');
}

function describeConnection(found: Connection, timeZone: string, now: Date) {
  const days = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone });
  const day = (at: Date) => ({ iso: at.toISOString(), text: days.format(at) });
  const { name, email, picture, scopes, isAlive, connectedAt, expiresAt } = found;
  return {
    ...{ name, email, picture, scopes, isAlive, initials: initialsOf(name) },
    connectedAt: day(connectedAt),
    expiresAt: day(expiresAt),
    daysLeft: daysLeft(found, now),
  };
}

async function loadMissed(db: Db, actor: Actor, now: Date) {
  const [missed, shell] = await Promise.all([findMissed(db, actor, now), getShellState(db, actor, now)]);
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
    hasPlan: shell.hasActivePlan,
  };
}

async function loadTest(db: Db, actor: Actor, now: Date) {
  const { nextAt: next, post } = await findTestPost(db, actor, now);
  const nextAt = next && formatInstant(next, actor.timeZone);
  if (!post) return { nextAt, post };
  const { id, status, badge, reason, url, isUnconfirmed, isHeld, isNext } = describePost(
    post,
    actor.timeZone,
  );
  const at = post.postedAt && formatTime(post.postedAt, actor.timeZone);
  return { nextAt, post: { id, status, badge, reason, url, isUnconfirmed, isHeld, isNext, at } };
}

export async function loadPage(db: Db, actor: Actor, now = new Date()) {
  const [found, missed, test] = await Promise.all([
    getConnection(db, actor, now),
    loadMissed(db, actor, now),
    loadTest(db, actor, now),
  ]);
  return { connection: found && describeConnection(found, actor.timeZone, now), missed, test };
}

type Page = Awaited<ReturnType<typeof loadPage>>;
export type ShownConnection = NonNullable<Page['connection']>;
export type ShownMissed = NonNullable<Page['missed']>;
export type ShownTest = Page['test'];
