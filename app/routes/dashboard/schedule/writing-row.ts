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
  /** Those that have a slot until `until`. */
  posts: Post[];
  until: Date;
  now: Date;
  paidAt: (at: Date) => number;
};

type RowText = { isDone: boolean; detail: string };

/** The slots that the posts of a run are written for, and which of them have none. */
function slotsFrom(at: Date, { timetable, posts, until, paidAt }: Writing) {
  const held = new Set(posts.map(slotKeyOfPost));
  const slots = slotsOfRun(at, timetable);
  const isWithout = (slot: Slot) => !held.has(slotKey(slot));
  return {
    count: slots.length,
    isKnown: slots.every((slot) => slot.at < until),
    wanted: slots.filter((slot) => paidAt(slot.at) > 0).length,
    without: slots.filter((slot) => paidAt(slot.at) > 0 && isWithout(slot)).length,
    written: slots.length - slots.filter(isWithout).length,
  };
}

/** Of a run that is there: what it found to write, it has written or not. */
function ofRun({ status, requested, done, failed }: DayRun, count: number): RowText {
  if (status === 'complete' && failed === 0)
    return { isDone: true, detail: requested === 0 ? 'Written before' : 'Done' };
  const all = count || requested;
  const written = Math.max(0, all - requested + done);
  return { isDone: false, detail: `${written} of ${all} written` };
}

function textOf(at: Date, run: DayRun | undefined, writing: Writing): RowText {
  const { timetable, stats, now, paidAt } = writing;
  const ofDay = timetable.publishTimes.length;
  const { count, isKnown, wanted, without, written } = slotsFrom(run?.scheduledFor ?? at, writing);
  if (isKnown && without === 0 && (wanted > 0 || stats.generatedToday >= ofDay))
    return { isDone: true, detail: at <= now && stats.generatedToday > 0 ? 'Done' : 'Written before' };
  if (run) return ofRun(run, count);
  const not = (detail: string) => ({ isDone: false, detail });
  if (paidAt(at) === 0) return not(at <= now ? 'Before your plan' : 'After your plan');
  if (!timetable.isEnabled) return not('Paused');
  if (stats.activeTopics === 0) return not(stats.pausedTopics > 0 ? 'Topics are paused' : 'No active topic');
  if (at > now) return not('Waiting');
  return not(isKnown ? `${written} of ${count} written` : 'Not written today');
}

/** The writing of a day: done when its run has written what was missing, or nothing is missing in the slots that it is for. */
export function presentWriting({ date, start, end }: LocalDay, writing: Writing): EntryView {
  const { contentCreationTime, publishTimes, timeZone } = writing.timetable;
  const at = instantOf(date, contentCreationTime, timeZone);
  // A run of before its time, as of settings that were changed since, is not the one that comes then.
  const run = writing.runs.find(
    ({ scheduledFor }) =>
      at <= writing.now && scheduledFor !== null && scheduledFor >= start && scheduledFor < end,
  );
  const { isDone, detail } = textOf(at, run, writing);
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
