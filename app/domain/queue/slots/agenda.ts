import { localDateOf, type Slot, slotKey, slotsAfter, type Timetable } from '#app/domain/automation/slots.ts';
import { lateAfterMs } from '#app/domain/posts/lateness.ts';
import type { Post, Span } from '#app/domain/posts/lists/post.ts';

const DAY_MS = 86_400_000;

/**
 * What stands at an instant of a user's days. A slot that has no post is open while it is to come, and empty when it
 * passed without one. It is `taken` when its post stands at another time, at which it went out or was sent by hand.
 */
export type Entry<P = Post> =
  | { kind: 'post'; at: Date; slot: Slot | null; post: P }
  | { kind: 'taken'; at: Date; slot: Slot; post: P }
  | { kind: 'open' | 'empty'; at: Date; slot: Slot };

/** What is asked of a post to find its place. */
type Placed = Pick<
  Post,
  'slotDate' | 'slotNumber' | 'publishAt' | 'postedAt' | 'dueAt' | 'isManual' | 'status'
>;

/** The slot that a post has, at the time it has it; null when it has none. */
const slotOfPost = ({ slotDate, slotNumber, publishAt }: Placed): Slot | null =>
  slotDate && slotNumber && publishAt ? { date: slotDate, number: slotNumber, at: publishAt } : null;

const isOf = ({ slotDate, slotNumber }: Placed, { date, number }: Slot) =>
  slotDate === date && slotNumber === number;

/** Whether what went out, or is sent, is what its slot shows: by hand or much later it stands at its own time. */
function isAtItsSlot({ status, isManual, postedAt }: Placed, slot: Slot): boolean {
  if (status !== 'published' || !postedAt) return !isManual;
  const late = postedAt.getTime() - slot.at.getTime();
  return late >= 0 && late <= lateAfterMs();
}

function entryOf<P extends Placed>(
  post: P,
  slot: Slot | null,
): Extract<Entry<P>, { kind: 'post' }> | undefined {
  if (slot && isAtItsSlot(post, slot)) return { kind: 'post', at: slot.at, slot, post };
  const at = post.postedAt ?? post.dueAt;
  return at ? { kind: 'post', at, slot: null, post } : undefined;
}

/** The entry of a slot that shows no post. `post`: the post that has the slot, but is shown at another time. */
function entryOfSlot<P>(slot: Slot, post: P | undefined, isToCome: boolean): Entry<P> {
  if (post) return { kind: 'taken', at: slot.at, slot, post };
  return { kind: isToCome ? 'open' : 'empty', at: slot.at, slot };
}

export type Within = { from: Date; to: Date };

/** Slots may lie on another date than the instant they come to, so those of the days beside a span are looked at, too. */
export function spanOf({ from, to }: Within, timeZone: string): Span {
  const dateOf = (at: Date) => localDateOf(at, timeZone);
  return {
    from,
    to,
    fromDate: dateOf(new Date(from.getTime() - 2 * DAY_MS)),
    toDate: dateOf(new Date(to.getTime() + 2 * DAY_MS)),
  };
}

function note(taken: Map<string, boolean[]>, { date, number }: Slot, isShown: boolean): void {
  const ofDay = taken.get(date) ?? [];
  ofDay[number] ||= isShown;
  if (ofDay.length === number + 1) taken.set(date, ofDay);
}

/** Posts and the slots between them, in order of time. Posts that lie outside are left out. */
export function layOut<P extends Placed>(
  found: P[],
  timetable: Timetable,
  { from, to }: Within,
  now: Date,
): Entry<P>[] {
  const entries: Entry<P>[] = [];
  // Numbers: to compare dates costs more than all else of a month.
  const [begin, end, present] = [from.getTime(), to.getTime(), now.getTime()];
  const isWithin = (at: number) => at >= begin && at < end;
  const away: P[] = [];
  /** The slots that posts have, by date and number, and whether each shows its post. */
  const taken = new Map<string, boolean[]>();
  for (const post of found) {
    const slot = slotOfPost(post);
    const entry = entryOf(post, slot);
    if (slot) note(taken, slot, Boolean(entry?.slot));
    if (slot && !entry?.slot) away.push(post);
    if (entry && isWithin(entry.at.getTime())) entries.push(entry);
  }
  for (const slot of slotsAfter(new Date(begin - 1), timetable)) {
    if (slot.at.getTime() >= end) break;
    const isShown = taken.get(slot.date)?.[slot.number];
    if (isShown) continue;
    const post = isShown === false ? away.find((each) => isOf(each, slot)) : undefined;
    entries.push(entryOfSlot(slot, post, slot.at.getTime() > present));
  }
  return entries.sort((a, b) => a.at.getTime() - b.at.getTime());
}

/**
 * The slots for which a post is being written: those that are named, and the soonest other ones for as many posts as
 * are written for no slot of their own.
 */
export function withToCome<P>(filling: Set<string>, entries: Entry<P>[], toCome: number): Set<string> {
  const open = entries.flatMap((entry) => (entry.kind === 'open' ? [slotKey(entry.slot)] : []));
  return new Set([...filling, ...open.filter((key) => !filling.has(key)).slice(0, toCome)]);
}
