import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { localDateOf, type Slot, slotsAfter, type Timetable } from '#app/domain/automation/slots.ts';
import { lateAfterMs } from '#app/domain/posts/lateness.ts';
import { listPostsOf, type Post, type Span } from '#app/domain/posts/posts.ts';

const DAY_MS = 86_400_000;

/**
 * What stands at an instant of a user's days. A slot that has no post to show there is open while it is to come,
 * `taken` when its post went out at another time, and empty when it passed without one.
 */
export type Entry<P = Post> =
  | { kind: 'post'; at: Date; slot: Slot | null; post: P }
  | { kind: 'open' | 'taken' | 'empty'; at: Date; slot: Slot };

/** What is asked of a post to find its place. */
type Placed = Pick<
  Post,
  'slotDate' | 'slotNumber' | 'publishAt' | 'postedAt' | 'dueAt' | 'isByHand' | 'status'
>;

const keyOf = ({ date, number }: Pick<Slot, 'date' | 'number'>) => `${date} ${number}`;

/** The slot that a post has, at the time it has it; null when it has none. */
const slotOfPost = ({ slotDate, slotNumber, publishAt }: Placed): Slot | null =>
  slotDate && slotNumber && publishAt ? { date: slotDate, number: slotNumber, at: publishAt } : null;

/** Whether what went out, or is sent, is what its slot shows: by hand or much later it stands at its own time. */
function isAtItsSlot({ status, isByHand, postedAt }: Placed, slot: Slot): boolean {
  if (status !== 'published' || !postedAt) return !isByHand;
  const late = postedAt.getTime() - slot.at.getTime();
  return late >= 0 && late <= lateAfterMs();
}

function entryOf<P extends Placed>(post: P): Extract<Entry<P>, { kind: 'post' }> | undefined {
  const slot = slotOfPost(post);
  if (slot && isAtItsSlot(post, slot)) return { kind: 'post', at: slot.at, slot, post };
  const at = post.postedAt ?? post.dueAt;
  return at ? { kind: 'post', at, slot: null, post } : undefined;
}

export type Within = { from: Date; to: Date };

/** Slots may lie on another date than the instant they come to, so those of the days beside a span are looked at, too. */
export function spanOf({ from, to }: Within, timeZone: string): Span {
  const dateOf = (at: Date) => localDateOf(at, timeZone);
  return {
    ...{ from, to, fromDate: dateOf(new Date(from.getTime() - 2 * DAY_MS)) },
    toDate: dateOf(new Date(to.getTime() + 2 * DAY_MS)),
  };
}

/** Posts and the slots between them, in order of time. Posts that lie outside are left out. */
export function layOut<P extends Placed>(
  found: P[],
  timetable: Timetable,
  { from, to }: Within,
  now: Date,
): Entry<P>[] {
  const posts = found.flatMap((post) => entryOf(post) ?? []);
  const shown = new Set(posts.flatMap(({ slot }) => (slot ? [keyOf(slot)] : [])));
  const taken = new Set(found.flatMap((post) => (slotOfPost(post) ? [keyOf(slotOfPost(post)!)] : [])));
  const rest: Entry<P>[] = [];
  for (const slot of slotsAfter(new Date(from.getTime() - 1), timetable)) {
    if (slot.at >= to) break;
    if (shown.has(keyOf(slot))) continue;
    const kind = taken.has(keyOf(slot)) ? 'taken' : slot.at > now ? 'open' : 'empty';
    rest.push({ kind, at: slot.at, slot });
  }
  return [...posts.filter(({ at }) => at >= from && at < to), ...rest].sort(
    (a, b) => a.at.getTime() - b.at.getTime(),
  );
}

/** The slots and posts of a user from one instant until before another, in order of time. */
export async function readAgenda(
  db: Db,
  actor: Actor,
  timetable: Timetable,
  within: Within,
  now: Date,
): Promise<Entry[]> {
  return layOut(await listPostsOf(db, actor, spanOf(within, timetable.timeZone)), timetable, within, now);
}
