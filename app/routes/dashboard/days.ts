import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { instantOf, isPublishDay, localDateOf, localDayOf } from '#app/domain/automation/slots.ts';
import type { FullTimetable } from '#app/domain/automation/timetable.ts';
import { nameDay } from '#app/domain/dates.ts';
import type { Post } from '#app/domain/posts/posts.ts';
import type { Stats } from '#app/domain/posts/stats.ts';
import { layOut, type Within } from '#app/domain/queue/agenda.ts';
import { findNextMoves } from '#app/domain/queue/next-moves.ts';
import { type Around, describeEntry, type EntryView } from '../posts/describe-entry.ts';

export type Day = { heading: string; date: string; rows: EntryView[]; isLeftOut: boolean };

/** From when to when today and tomorrow last. */
export function bothDays(now: Date, timeZone: string): Within {
  const { start, end } = localDayOf(now, timeZone);
  return { from: start, to: localDayOf(end, timeZone).end };
}

/** What stands in the slots of today and tomorrow, and what became of the writing of today. */
export async function loadDays(
  db: Db,
  actor: Actor,
  timetable: FullTimetable,
  stats: Stats,
  known: Omit<Around, 'movesTo'>,
  found: Post[],
): Promise<Day[]> {
  const { now } = known;
  const { timeZone } = timetable;
  const today = localDayOf(now, timeZone);
  const tomorrow = localDayOf(today.end, timeZone);
  const entries = layOut(found, timetable, { from: today.start, to: tomorrow.end }, now);
  const posts = entries.flatMap((entry) => (entry.kind === 'post' ? [entry.post] : []));
  const around = { ...known, movesTo: await findNextMoves(db, actor, posts, now) };
  const dayOf = ({ start, end }: typeof today): Day => {
    const date = localDateOf(start, timeZone);
    const rows = entries
      .filter(({ at }) => at >= start && at < end)
      .map((entry) => describeEntry(entry, around));
    const heading = nameDay(date, localDateOf(now, timeZone));
    return { heading, date, rows, isLeftOut: !isPublishDay(date, timetable) };
  };
  const [first, second] = [dayOf(today), dayOf(tomorrow)];
  const rows = [...first.rows, describeWriting(timetable, stats, first.date, around)];
  return [{ ...first, rows: rows.toSorted((a, b) => a.time.iso.localeCompare(b.time.iso)) }, second];
}

/** The writing of a day: done when as many posts were written as the plan has for a day. */
function describeWriting(
  timetable: FullTimetable,
  stats: Stats,
  date: string,
  { now }: Pick<Around, 'now'>,
): EntryView {
  const { contentCreationTime, publishTimes, timeZone, isEnabled } = timetable;
  const at = instantOf(date, contentCreationTime, timeZone);
  const wanted = publishTimes.length;
  const written = Math.min(stats.generatedToday, wanted);
  const isDone = written >= wanted;
  // What goes out after days that were left out was written before them.
  const isEnough = stats.scheduledPosts + stats.publishedToday >= wanted;
  const missed = isEnough ? 'Written before' : `${written} of ${wanted} written`;
  const waits = at > now ? 'Waiting' : missed;
  return {
    key: 'writing',
    time: { iso: at.toISOString(), text: contentCreationTime },
    slot: null,
    isPast: at <= now,
    state: isDone ? 'written' : 'to_write',
    title: wanted === 1 ? 'Write 1 post' : `Write ${wanted} posts`,
    detail: isDone ? 'Done' : !isEnabled ? 'Paused' : stats.activeTopics > 0 ? waits : 'No active topic',
    tone: 'quiet',
    post: null,
  };
}
