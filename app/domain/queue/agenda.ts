import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { localDateOf, type Slot, slotsAfter, type Timetable } from '#app/domain/automation/slots.ts';
import { lateAfterMs } from '#app/domain/posts/lateness.ts';
import { listPostsOf, type Post } from '#app/domain/posts/posts.ts';

const DAY_MS = 86_400_000;

/**
 * What stands at an instant of a user's days. A slot that has no post to show there is open while it is to come,
 * `taken` when its post went out at another time, and empty when it passed without one.
 */
export type Entry =
  | { kind: 'post'; at: Date; slot: Slot | null; post: Post }
  | { kind: 'open' | 'taken' | 'empty'; at: Date; slot: Slot };

const keyOf = ({ date, number }: Pick<Slot, 'date' | 'number'>) => `${date} ${number}`;

/** The slot that a post has, at the time it has it; null when it has none. */
const slotOfPost = ({ slotDate, slotNumber, publishAt }: Post): Slot | null =>
  slotDate && slotNumber && publishAt ? { date: slotDate, number: slotNumber, at: publishAt } : null;

/** Whether what went out, or is sent, is what its slot shows: by hand or much later it stands at its own time. */
function isAtItsSlot({ status, isByHand, postedAt }: Post, slot: Slot): boolean {
  if (status !== 'published' || !postedAt) return !isByHand;
  const late = postedAt.getTime() - slot.at.getTime();
  return late >= 0 && late <= lateAfterMs();
}

function entryOf(post: Post): Entry | undefined {
  const slot = slotOfPost(post);
  if (slot && isAtItsSlot(post, slot)) return { kind: 'post', at: slot.at, slot, post };
  const at = post.postedAt ?? post.dueAt;
  return at ? { kind: 'post', at, slot: null, post } : undefined;
}

/** The slots and posts of a user from one instant until before another, in order of time. */
export async function readAgenda(
  db: Db,
  actor: Actor,
  timetable: Timetable,
  { from, to }: { from: Date; to: Date },
  now: Date,
): Promise<Entry[]> {
  const dateOf = (at: Date) => localDateOf(at, timetable.timeZone);
  const fromDate = dateOf(new Date(from.getTime() - 2 * DAY_MS));
  const toDate = dateOf(new Date(to.getTime() + 2 * DAY_MS));
  const found = await listPostsOf(db, actor, { from, to, fromDate, toDate });
  const posts = found.flatMap((post) => entryOf(post) ?? []);
  const shown = new Set(posts.flatMap(({ slot }) => (slot ? [keyOf(slot)] : [])));
  const taken = new Set(found.flatMap((post) => (slotOfPost(post) ? [keyOf(slotOfPost(post)!)] : [])));
  const rest: Entry[] = [];
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
