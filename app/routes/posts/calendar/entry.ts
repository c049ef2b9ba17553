import { type LocalDay, slotKey } from '#app/domain/automation/slots.ts';
import { formatTime } from '#app/domain/platform/dates.ts';
import { POST_WAITS, type PostBadge } from '#app/domain/posts/limits.ts';
import type { PostOutline } from '#app/domain/posts/lists/outlines.ts';
import { badgeOf, canMove } from '#app/domain/posts/present.ts';
import { openingOf } from '#app/domain/publishing/mails.ts';
import type { Entry } from '#app/domain/publishing/slots/agenda.ts';

type PostState = PostBadge | 'held';
type SlotState = 'open' | 'filling' | 'missed';
export type CalendarState = PostState | SlotState;

export type CalendarPost = {
  id: string;
  time: string;
  state: PostState;
  hook: string;
  /** Its slot, if another post can be moved there. */
  slot: string | null;
  canMove: boolean;
};

export type CalendarSlot = { slot: string; time: string; state: SlotState };

export type CalendarEntry = CalendarPost | CalendarSlot;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const twoDigits = (number: number) => String(number).padStart(2, '0');

/**
 * The local time at an instant. Only computed by the formatter on days when the clock changes, because that is slow.
 */
function timeOn({ start, end }: LocalDay, at: Date, timeZone: string): string {
  if (end.getTime() - start.getTime() !== DAY_MS) return formatTime(at, timeZone);
  const minutes = Math.floor((at.getTime() - start.getTime()) / MINUTE_MS);
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

function stateOf(post: PostOutline): PostState {
  const badge = badgeOf(post);
  return post.heldAt && POST_WAITS[post.status] && badge !== 'publishing' ? 'held' : badge;
}

export type CalendarContext = {
  timeZone: string;
  now: Date;
  /** Slots for which a post is being written. */
  filling: Set<string>;
  canChoose: (at: Date) => boolean;
  /** How many posts a day a plan has, or had, at an instant. */
  paidAt: (at: Date) => number;
};

/** Presents an entry; null if the calendar doesn't show it, such as slots that no plan covers. */
export function presentCalendarEntry(
  entry: Entry<PostOutline>,
  day: LocalDay,
  context: CalendarContext,
): CalendarEntry | null {
  const time = timeOn(day, entry.at, context.timeZone);
  if (entry.kind === 'post') {
    const { post, slot } = entry;
    const isMovable = canMove(post);
    const isOffered = slot !== null && slot.at > context.now && isMovable && !post.isManual;
    return {
      id: post.id,
      time,
      state: stateOf(post),
      hook: openingOf(post.content),
      slot: isOffered ? slotKey(slot) : null,
      canMove: isMovable,
    };
  }
  if (entry.kind === 'taken') return null;
  const slot = slotKey(entry.slot);
  const paid = context.paidAt(entry.at);
  // Another plan may have had fewer posts a day.
  if (entry.kind === 'empty') return entry.slot.number <= paid ? { slot, time, state: 'missed' } : null;
  if (paid === 0 || !context.canChoose(entry.at)) return null;
  return { slot, time, state: context.filling.has(slot) ? 'filling' : 'open' };
}
