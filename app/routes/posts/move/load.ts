import { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import { instantOf, localDateOf, slotKeyOfPost } from '#app/domain/automation/slots.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatTimeZone, nameDay } from '#app/domain/platform/dates.ts';
import { isCursor } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { listScheduled } from '#app/domain/posts/lists/list.ts';
import { findPost, type Post } from '#app/domain/posts/lists/post.ts';
import { presentPost } from '#app/domain/posts/present.ts';
import { openingOf } from '#app/domain/queue/mails.ts';
import { listFreeSlots } from '#app/domain/queue/slots/slot-key.ts';
import { MoveDialog } from './move.lazy.ts';

/** The two ways to give a post another time, each at an address: `?move=ID`, `?swap=ID`; `from` goes on later. */
export const WAYS = ['move', 'swap'] as const;
export type Way = (typeof WAYS)[number];

const SLOTS = 12;
const POSTS = 12;

export type Choice = { key: string; iso: string; time: string; postId?: string; opening?: string };
/** `later`: where the choices go on. */
type Choices = { days: { heading: string; choices: Choice[] }[]; later: string | null };

export type Moving = NonNullable<Awaited<ReturnType<typeof loadMove>>>;

/** What the dialog shows that moves or swaps a post of the actor; null when none is asked for. */
export async function loadMove(db: Db, actor: Actor, query: URLSearchParams, now: Date) {
  const way = WAYS.find((name) => query.has(name));
  const post = way && (await findOwn(db, actor, query.get(way)!));
  if (!post) return null;
  await MoveDialog.load();
  const view = presentPost(post, actor.timeZone, now);
  const why = view.canMove
    ? await whyNot(db, actor, way, view.canSwap, now)
    : 'This post does not wait for its time.';
  const from = query.get('from')?.slice(0, 100) || undefined;
  const choices = why ? { days: [], later: null } : await CHOICES[way](db, actor, post, from, now);
  const isOver = way === 'move' && choices.days.length === 0 && !from;
  return {
    way,
    why: why ?? (isOver ? PLAN_ENDS : null),
    ...choices,
    isLater: from !== undefined,
    id: post.id,
    opening: openingOf(post.content),
    slot: slotKeyOfPost(post),
    when: view.publishAt && { iso: view.publishAt.iso, text: view.publishAt.text },
    zone: formatTimeZone(actor.timeZone),
    isPending: post.status === 'pending',
  };
}

const PLAN_ENDS =
  'Your plan ends before your next free time. Once it is renewed, there are more to choose from.';

async function findOwn(db: Db, actor: Actor, postId: string): Promise<Post | undefined> {
  try {
    return await findPost(db, actor, postId);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Why a post that waits has nothing to choose from; null when it has. */
async function whyNot(db: Db, actor: Actor, way: Way, canSwap: boolean, now: Date): Promise<string | null> {
  if (way === 'swap') return canSwap ? null : 'Only a post with a time that is still to come can be swapped.';
  const hasPlan = await findActivePlan(db, actor.userId, now);
  return hasPlan ? null : 'Without an active plan there are no times to move it to.';
}

type Choose = (db: Db, actor: Actor, post: Post, from: string | undefined, now: Date) => Promise<Choices>;
const CHOICES: Record<Way, Choose> = { move: chooseSlot, swap: choosePost };

/** The next free times, of whole days; those before LinkedIn takes the post are left out. */
async function chooseSlot(
  db: Db,
  actor: Actor,
  post: Post,
  from: string | undefined,
  now: Date,
): Promise<Choices> {
  const { data: day } = z.iso.date().safeParse(from);
  const begin = [day && instantOf(day, '00:00', actor.timeZone), post.notBefore];
  const after = Math.max(now.getTime(), ...begin.map((at) => (at ? at.getTime() - 1 : 0)));
  const slots = await listFreeSlots(db, actor.userId, SLOTS + 1, now, new Date(after));
  const later = slots[SLOTS]?.day ?? null;
  return {
    days: byDay(
      slots.filter((slot) => slot.day !== later),
      actor,
      now,
    ),
    later,
  };
}

/** The other posts that wait for a time to come. */
async function choosePost(
  db: Db,
  actor: Actor,
  post: Post,
  from: string | undefined,
  now: Date,
): Promise<Choices> {
  const cursor = from && isCursor(from) ? from : undefined;
  const { rows, nextCursor } = await listScheduled(db, actor, { limit: POSTS, cursor }, now);
  const others = rows.flatMap((other) => {
    const { publishAt, canSwap } = presentPost(other, actor.timeZone, now);
    if (!canSwap || !publishAt || other.id === post.id) return [];
    const { iso, day, time } = publishAt;
    return [
      { key: slotKeyOfPost(other)!, iso, day, time, postId: other.id, opening: openingOf(other.content) },
    ];
  });
  return { days: byDay(others, actor, now), later: nextCursor };
}

function byDay(choices: (Choice & { day: string })[], { timeZone }: Actor, now: Date) {
  const today = localDateOf(now, timeZone);
  return [...Map.groupBy(choices, ({ day }) => nameDay(day, today))].map(([heading, ofDay]) => ({
    heading,
    choices: ofDay,
  }));
}
