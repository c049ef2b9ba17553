import { localDayOf } from '#app/domain/automation/slots.ts';
import type { getQueue } from '#app/domain/pages/posts.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import type { Post } from '#app/domain/posts/lists/post.ts';
import { freeSlotsAfter } from '#app/domain/publishing/slots/free-slots.ts';
import type { AccountState } from '#app/routes/posts/holds.ts';
import { type EntryView, presentEntry } from '#app/routes/posts/present-entry.ts';

const AHEAD_MS = 7 * 86_400_000;

type Queue = Pick<Awaited<ReturnType<typeof getQueue>>, 'timetable' | 'taken' | 'filling'>;

/** The open slots up to the day of the last post on the page, as far as automation could fill them. */
export function openSlotsOf(
  { timeZone }: Actor,
  posts: Post[],
  { timetable, taken, filling }: Queue,
  account: AccountState,
  now: Date,
): EntryView[] {
  const latest = Math.max(...posts.flatMap(({ publishAt }) => publishAt?.getTime() ?? []));
  const { planEndsAt } = account;
  if (!planEndsAt || latest < now.getTime()) return [];
  const last = new Date(Math.min(latest, now.getTime() + AHEAD_MS));
  const { end } = localDayOf(last, timeZone);
  const until = end < planEndsAt ? end : planEndsAt;
  const context = { timeZone, now, account, filling, movesTo: new Map(), paidAt: () => 0 };
  const open: EntryView[] = [];
  for (const slot of freeSlotsAfter(now, timetable, taken)) {
    if (slot.at >= until) break;
    const entry = { kind: 'open' as const, at: slot.at, slot };
    open.push(presentEntry(entry, { ...context, whyUnwritten: () => null }));
  }
  return open;
}
