import {
  isPublishDay,
  type LocalDay,
  localDateOf,
  localDayOf,
  localDays,
} from '#app/domain/automation/slots.ts';
import type { FullTimetable } from '#app/domain/automation/timetable.ts';
import { nameDay } from '#app/domain/platform/dates.ts';
import type { Stats } from '#app/domain/posts/counts/stats.ts';
import type { Post } from '#app/domain/posts/lists/post.ts';
import { slotsBeingFilled, toAgenda, type Within } from '#app/domain/publishing/slots/agenda.ts';
import { type Moving, nextMovesOf } from '#app/domain/publishing/slots/upcoming-moves.ts';
import type { DayRun } from '#app/domain/writing/runs/list-for-dashboard.ts';
import { type EntryContext, type EntryView, presentEntry } from '#app/routes/posts/present-entry.ts';
import { presentWriting } from './writing-row.ts';

export type Day = { heading: string; date: string; rows: EntryView[]; isLeftOut: boolean };

export function bothDays(now: Date, timeZone: string): Within {
  const { start, end } = localDayOf(now, timeZone);
  return { from: start, to: localDayOf(end, timeZone).end };
}

export function presentDays(
  moves: Moving & { timetable: FullTimetable },
  stats: Stats,
  context: Omit<EntryContext, 'movesTo'> & { runs: DayRun[]; toCome: number },
  posts: Post[],
): Day[] {
  const { now } = context;
  const { timetable } = moves;
  const { timeZone } = timetable;
  const [today, tomorrow] = localDays(localDateOf(now, timeZone), 2, timeZone) as [LocalDay, LocalDay];
  const entries = toAgenda(posts, timetable, { from: today.start, to: tomorrow.end }, now);
  const entryPosts = entries.flatMap((entry) => (entry.kind === 'post' ? [entry.post] : []));
  const filling = slotsBeingFilled(context.filling, entries, context.toCome);
  const entryContext = { ...context, filling, movesTo: nextMovesOf(entryPosts, moves, now) };
  const dayOf = ({ date, start, end }: LocalDay): Day => {
    const rows = entries
      .filter(({ at }) => at >= start && at < end)
      .map((entry) => presentEntry(entry, entryContext));
    const heading = nameDay(date, today.date);
    return { heading, date, rows, isLeftOut: !isPublishDay(date, timetable) };
  };
  const [first, second] = [dayOf(today), dayOf(tomorrow)];
  const writing = { ...context, timetable, stats, posts, until: tomorrow.end };
  const rows = [...first.rows, presentWriting(today, writing)];
  return [{ ...first, rows: rows.toSorted((a, b) => a.time.iso.localeCompare(b.time.iso)) }, second];
}
