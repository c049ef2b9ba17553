import {
  instantOf,
  type LocalDay,
  type Slot,
  slotKey,
  slotKeyOfPost,
  slotsOfRun,
} from '#app/domain/automation/slots.ts';
import type { FullTimetable } from '#app/domain/automation/timetable.ts';
import type { Stats } from '#app/domain/posts/counts/stats.ts';
import type { Post } from '#app/domain/posts/lists/post.ts';
import type { DayRun } from '#app/domain/writing/runs/list-for-dashboard.ts';
import type { EntryView } from '#app/routes/posts/present-entry.ts';

export type Writing = {
  timetable: FullTimetable;
  stats: Stats;
  runs: DayRun[];
  /** Posts that have a slot before `until`. */
  posts: Post[];
  until: Date;
  now: Date;
  paidAt: (at: Date) => number;
};

type RowText = { isDone: boolean; detail: string };

function slotsFrom(at: Date, { timetable, posts, until, paidAt }: Writing) {
  const taken = new Set(posts.map(slotKeyOfPost));
  const slots = slotsOfRun(at, timetable);
  const isFree = (slot: Slot) => !taken.has(slotKey(slot));
  return {
    count: slots.length,
    isComplete: slots.every((slot) => slot.at < until),
    needed: slots.filter((slot) => paidAt(slot.at) > 0).length,
    free: slots.filter((slot) => paidAt(slot.at) > 0 && isFree(slot)).length,
    written: slots.length - slots.filter(isFree).length,
  };
}

function describeRun({ status, requested, done, failed }: DayRun, count: number): RowText {
  if (status === 'complete' && failed === 0)
    return { isDone: true, detail: requested === 0 ? 'Written before' : 'Done' };
  const all = count || requested;
  const written = Math.max(0, all - requested + done);
  return { isDone: false, detail: `${written} of ${all} written` };
}

function describeWriting(at: Date, run: DayRun | undefined, writing: Writing): RowText {
  const { timetable, stats, now, paidAt } = writing;
  const perDay = timetable.publishTimes.length;
  const { count, isComplete, needed, free, written } = slotsFrom(run?.scheduledFor ?? at, writing);
  if (isComplete && free === 0 && (needed > 0 || stats.generatedToday >= perDay))
    return { isDone: true, detail: at <= now && stats.generatedToday > 0 ? 'Done' : 'Written before' };
  if (run) return describeRun(run, count);
  const pending = (detail: string) => ({ isDone: false, detail });
  if (paidAt(at) === 0) return pending(at <= now ? 'Before your plan' : 'After your plan');
  if (!timetable.isEnabled) return pending('Paused');
  if (stats.activeTopics === 0)
    return pending(stats.pausedTopics > 0 ? 'Topics are paused' : 'No active topic');
  if (at > now) return pending('Waiting');
  return pending(isComplete ? `${written} of ${count} written` : 'Not written today');
}

/** Presents the writing of a day. It is done when its run wrote what was missing, or nothing was missing. */
export function presentWriting({ date, start, end }: LocalDay, writing: Writing): EntryView {
  const { contentCreationTime, publishTimes, timeZone } = writing.timetable;
  const at = instantOf(date, contentCreationTime, timeZone);
  // A run before that time belongs to settings that have changed since.
  const run = writing.runs.find(
    ({ scheduledFor }) =>
      at <= writing.now && scheduledFor !== null && scheduledFor >= start && scheduledFor < end,
  );
  const { isDone, detail } = describeWriting(at, run, writing);
  return {
    key: 'writing',
    time: { iso: at.toISOString(), text: contentCreationTime },
    slot: null,
    isPast: at <= writing.now,
    state: isDone ? 'written' : 'to_write',
    title: publishTimes.length === 1 ? 'Write 1 post' : `Write ${publishTimes.length} posts`,
    detail,
    tone: 'quiet',
    post: null,
  };
}
