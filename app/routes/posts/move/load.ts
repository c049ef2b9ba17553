import { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import { instantOf, localDateOf, slotKeyOfPost } from '#app/domain/automation/slots.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatTimeZone, nameDay } from '#app/domain/platform/dates.ts';
import { isCursor } from '#app/domain/platform/paging.ts';
import { listScheduled } from '#app/domain/posts/lists/list.ts';
import type { Post } from '#app/domain/posts/lists/post.ts';
import { presentPost } from '#app/domain/posts/present.ts';
import { openingOf } from '#app/domain/publishing/mails.ts';
import { listFreeSlots } from '#app/domain/publishing/slots/slot-key.ts';
import { findOwnPost } from '#app/routes/posts/find-own-post.ts';
import { MoveDialog } from './move.lazy.ts';

/** Two ways to change a post's time: `?move=ID` and `?swap=ID`. `from` selects the next page of choices. */
export const MOVE_MODES = ['move', 'swap'] as const;
export type MoveMode = (typeof MOVE_MODES)[number];

const SLOTS = 12;
const POSTS = 12;

export type Choice = { key: string; iso: string; time: string; postId?: string; opening?: string };
/** `later`: the cursor of the next choices. */
type Choices = { days: { heading: string; choices: Choice[] }[]; later: string | null };

export type Moving = NonNullable<Awaited<ReturnType<typeof loadMove>>>;

/** Loads the dialog that moves or swaps a post; null if the URL opens none. */
export async function loadMove(db: Db, actor: Actor, query: URLSearchParams, now: Date) {
  const mode = MOVE_MODES.find((name) => query.has(name));
  const post = mode && (await findOwnPost(db, actor, query.get(mode)));
  if (!post) return null;
  await MoveDialog.load();
  const view = presentPost(post, actor.timeZone, now);
  const why = view.canMove
    ? await explainNoChoices(db, actor, mode, view.canSwap, now)
    : 'This post does not wait for its time.';
  const from = query.get('from')?.slice(0, 100) || undefined;
  const choices = why ? { days: [], later: null } : await CHOICES[mode](db, actor, post, from, now);
  const isExhausted = mode === 'move' && choices.days.length === 0 && !from;
  return {
    mode,
    why: why ?? (isExhausted ? PLAN_ENDS : null),
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

async function explainNoChoices(
  db: Db,
  actor: Actor,
  mode: MoveMode,
  canSwap: boolean,
  now: Date,
): Promise<string | null> {
  if (mode === 'swap')
    return canSwap ? null : 'Only a post with a time that is still to come can be swapped.';
  const hasPlan = await findActivePlan(db, actor.userId, now);
  return hasPlan ? null : 'Without an active plan there are no times to move it to.';
}

type LoadChoices = (
  db: Db,
  actor: Actor,
  post: Post,
  from: string | undefined,
  now: Date,
) => Promise<Choices>;
const CHOICES: Record<MoveMode, LoadChoices> = { move: chooseSlot, swap: choosePost };

/** The next free times, of whole days, without those at which LinkedIn doesn't accept the post yet. */
async function chooseSlot(
  db: Db,
  actor: Actor,
  post: Post,
  from: string | undefined,
  now: Date,
): Promise<Choices> {
  const { data: day } = z.iso.date().safeParse(from);
  const earliest = [day && instantOf(day, '00:00', actor.timeZone), post.notBefore];
  const after = Math.max(now.getTime(), ...earliest.map((at) => (at ? at.getTime() - 1 : 0)));
  const slots = await listFreeSlots(db, actor.userId, SLOTS + 1, now, new Date(after));
  const later = slots[SLOTS]?.day ?? null;
  const shown = slots.filter((slot) => slot.day !== later);
  return { days: groupByDay(shown, actor, now), later };
}

async function choosePost(
  db: Db,
  actor: Actor,
  post: Post,
  from: string | undefined,
  now: Date,
): Promise<Choices> {
  const cursor = from && isCursor(from) ? from : undefined;
  const { rows, nextCursor } = await listScheduled(db, actor, { limit: POSTS, cursor }, now);
  const otherPosts = rows.flatMap((other) => {
    const { publishAt, canSwap } = presentPost(other, actor.timeZone, now);
    if (!canSwap || !publishAt || other.id === post.id) return [];
    const { iso, day, time } = publishAt;
    const opening = openingOf(other.content);
    return [{ key: slotKeyOfPost(other)!, iso, day, time, postId: other.id, opening }];
  });
  return { days: groupByDay(otherPosts, actor, now), later: nextCursor };
}

function groupByDay(choices: (Choice & { day: string })[], { timeZone }: Actor, now: Date) {
  const today = localDateOf(now, timeZone);
  return [...Map.groupBy(choices, ({ day }) => nameDay(day, today))].map(([heading, ofDay]) => ({
    heading,
    choices: ofDay,
  }));
}
