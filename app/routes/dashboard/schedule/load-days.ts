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
import { layOut, type Within, withToCome } from '#app/domain/queue/slots/agenda.ts';
import { type Moving, nextMovesOf } from '#app/domain/queue/slots/upcoming-moves.ts';
import type { DayRun } from '#app/domain/writing/runs/list-for-dashboard.ts';
import { type EntryContext, type EntryView, presentEntry } from '#app/routes/posts/present-entry.ts';
import { presentWriting } from './writing-row.ts';

export type Day = { heading: string; date: string; rows: EntryView[]; isLeftOut: boolean };

/** From when to when today and tomorrow last. */
export function bothDays(now: Date, timeZone: string): Within {
  const { start, end } = localDayOf(now, timeZone);
  return { from: start, to: localDayOf(end, timeZone).end };
}

/** What stands in the slots of today and tomorrow, and what became of the writing of today. */
export function presentDays(
  moving: Moving & { timetable: FullTimetable },
  stats: Stats,
  known: Omit<EntryContext, 'movesTo'> & { runs: DayRun[]; toCome: number },
  found: Post[],
): Day[] {
  const { now } = known;
  const { timetable } = moving;
  const { timeZone } = timetable;
  const [today, tomorrow] = localDays(localDateOf(now, timeZone), 2, timeZone) as [LocalDay, LocalDay];
  const entries = layOut(found, timetable, { from: today.start, to: tomorrow.end }, now);
  const posts = entries.flatMap((entry) => (entry.kind === 'post' ? [entry.post] : []));
  const filling = withToCome(known.filling, entries, known.toCome);
  const around = { ...known, filling, movesTo: nextMovesOf(posts, moving, now) };
  const dayOf = ({ date, start, end }: LocalDay): Day => {
    const rows = entries
      .filter(({ at }) => at >= start && at < end)
      .map((entry) => presentEntry(entry, around));
    const heading = nameDay(date, today.date);
    return { heading, date, rows, isLeftOut: !isPublishDay(date, timetable) };
  };
  const [first, second] = [dayOf(today), dayOf(tomorrow)];
  const writing = { ...known, timetable, stats, posts: found, until: tomorrow.end };
  const rows = [...first.rows, presentWriting(today, writing)];
  return [{ ...first, rows: rows.toSorted((a, b) => a.time.iso.localeCompare(b.time.iso)) }, second];
}
