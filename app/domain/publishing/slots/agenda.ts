import { localDateOf, type Slot, slotKey, slotsAfter, type Timetable } from '#app/domain/automation/slots.ts';
import { lateAfterMs } from '#app/domain/posts/lateness.ts';
import type { Post, Span } from '#app/domain/posts/lists/post.ts';

const DAY_MS = 86_400_000;

/**
 * An entry of the agenda. A slot without a post is `open` before its time and `empty` after it. It is `taken` when its
 * post is shown at another time, at which it was published or is sent manually.
 */
export type Entry<P = Post> =
  | { kind: 'post'; at: Date; slot: Slot | null; post: P }
  | { kind: 'taken'; at: Date; slot: Slot; post: P }
  | { kind: 'open' | 'empty'; at: Date; slot: Slot };

type AgendaPost = Pick<
  Post,
  'slotDate' | 'slotNumber' | 'publishAt' | 'postedAt' | 'dueAt' | 'isManual' | 'status'
>;

const slotOfPost = ({ slotDate, slotNumber, publishAt }: AgendaPost): Slot | null =>
  slotDate && slotNumber && publishAt ? { date: slotDate, number: slotNumber, at: publishAt } : null;

const hasSlot = ({ slotDate, slotNumber }: AgendaPost, { date, number }: Slot) =>
  slotDate === date && slotNumber === number;

/** A post is shown at its slot unless it was sent manually or was published much later. */
function isAtItsSlot({ status, isManual, postedAt }: AgendaPost, slot: Slot): boolean {
  if (status !== 'published' || !postedAt) return !isManual;
  const late = postedAt.getTime() - slot.at.getTime();
  return late >= 0 && late <= lateAfterMs();
}

function entryOf<P extends AgendaPost>(
  post: P,
  slot: Slot | null,
): Extract<Entry<P>, { kind: 'post' }> | undefined {
  if (slot && isAtItsSlot(post, slot)) return { kind: 'post', at: slot.at, slot, post };
  const at = post.postedAt ?? post.dueAt;
  return at ? { kind: 'post', at, slot: null, post } : undefined;
}

/** `post` has the slot, but is shown at another time. */
function entryOfSlot<P>(slot: Slot, post: P | undefined, isUpcoming: boolean): Entry<P> {
  if (post) return { kind: 'taken', at: slot.at, slot, post };
  return { kind: isUpcoming ? 'open' : 'empty', at: slot.at, slot };
}

export type Within = { from: Date; to: Date };

/** The dates include two more days on both sides, because the local date of a slot may differ from that of its instant. */
export function spanOf({ from, to }: Within, timeZone: string): Span {
  const dateOf = (at: Date) => localDateOf(at, timeZone);
  return {
    from,
    to,
    fromDate: dateOf(new Date(from.getTime() - 2 * DAY_MS)),
    toDate: dateOf(new Date(to.getTime() + 2 * DAY_MS)),
  };
}

function markTaken(taken: Map<string, boolean[]>, { date, number }: Slot, isShown: boolean): void {
  const ofDay = taken.get(date) ?? [];
  ofDay[number] ||= isShown;
  if (ofDay.length === number + 1) taken.set(date, ofDay);
}

/** Returns the posts and the other slots of a span, in order of time. */
export function toAgenda<P extends AgendaPost>(
  found: P[],
  timetable: Timetable,
  { from, to }: Within,
  now: Date,
): Entry<P>[] {
  const entries: Entry<P>[] = [];
  // Numbers, because comparing dates would dominate the time for a month.
  const [begin, end, present] = [from.getTime(), to.getTime(), now.getTime()];
  const isWithin = (at: number) => at >= begin && at < end;
  /** Posts that have a slot but are shown at another time. */
  const elsewhere: P[] = [];
  /** By date and number of the slots of posts: whether the post is shown at its slot. */
  const taken = new Map<string, boolean[]>();
  for (const post of found) {
    const slot = slotOfPost(post);
    const entry = entryOf(post, slot);
    if (slot) markTaken(taken, slot, Boolean(entry?.slot));
    if (slot && !entry?.slot) elsewhere.push(post);
    if (entry && isWithin(entry.at.getTime())) entries.push(entry);
  }
  for (const slot of slotsAfter(new Date(begin - 1), timetable)) {
    if (slot.at.getTime() >= end) break;
    const isShown = taken.get(slot.date)?.[slot.number];
    if (isShown) continue;
    const post = isShown === false ? elsewhere.find((each) => hasSlot(each, slot)) : undefined;
    entries.push(entryOfSlot(slot, post, slot.at.getTime() > present));
  }
  return entries.sort((a, b) => a.at.getTime() - b.at.getTime());
}

/**
 * Returns the slots for which a post is being generated: those in `filling`, and the next open slots for `unassigned`
 * posts that are generated without a slot.
 */
export function slotsBeingFilled<P>(
  filling: Set<string>,
  entries: Entry<P>[],
  unassigned: number,
): Set<string> {
  const open = entries.flatMap((entry) => (entry.kind === 'open' ? [slotKey(entry.slot)] : []));
  return new Set([...filling, ...open.filter((key) => !filling.has(key)).slice(0, unassigned)]);
}
