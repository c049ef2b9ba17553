import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { jsonReader } from '#app/db/json-rows.ts';
import { type Slot, slotKey, slotsOfRun } from '#app/domain/automation/slots.ts';
import type { FullTimetable } from '#app/domain/automation/timetable.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { slotsWrittenBy } from '#app/domain/posts/predicates.ts';
import { slotKeysOfRuns } from './fill-slot.ts';
import { RUN_COLUMNS, type Run } from './start.ts';

const HOUR_MS = 3_600_000;
const LATEST_WITHIN_MS = 24 * HOUR_MS;
/** The run for the first slot of a day may have started on the day before. Each of the two has at most 25 hours. */
const TWO_DAYS_MS = 50 * HOUR_MS;

/** `writtenSlots`: the keys of the slots that a run with an error has written for. */
export type DayRun = Run & { scheduledFor: Date | null; writtenSlots: string[] };

type RunsInput = { userId: string; runId: string | null; latestSince: Date; daysSince: Date };

/** Returns the parameters of `dashboardRunsOf`. `urlRunId`: the run that the URL names. */
export const runsInput = (urlRunId: string | null, now: Date): Omit<RunsInput, 'userId'> => ({
  runId: urlRunId && isId(urlRunId) ? urlRunId : null,
  latestSince: new Date(now.getTime() - LATEST_WITHIN_MS),
  daysSince: new Date(now.getTime() - TWO_DAYS_MS),
});

/** Selects the runs that `toDashboardRuns` sorts, newest first. */
export const dashboardRunsOf = (db: Db, { userId, runId, latestSince, daysSince }: RunsInput) =>
  db
    .selectFrom('generationRuns')
    .select([...RUN_COLUMNS, 'scheduledFor'])
    .select(
      sql<string[]>`case when error is null then '{}' else ${slotsWrittenBy('generationRuns.id')} end`.as(
        'writtenSlots',
      ),
    )
    .where(
      sql<boolean>`id in (
        (select id from generation_runs where user_id = ${userId} and post_id is null and created_at > ${latestSince}
          order by status = 'complete', created_at desc limit 1)
        union (select id from generation_runs where user_id = ${userId} and id = ${runId}::uuid)
        union (select id from generation_runs where user_id = ${userId} and created_at > ${daysSince}
          and (scheduled_for is not null or (slot_date is not null and error is not null)))
        union (select id from generation_runs where user_id = ${userId} and slot_date is not null and status <> 'complete'))`,
    )
    .orderBy('createdAt', 'desc');

export const readDashboardRun = jsonReader<DayRun>({
  createdAt: true,
  insteadAt: true,
  scheduledFor: true,
});

/**
 * Sorts runs by what a page shows of them.
 *
 * - `shown`: the run that the URL names; without one, the run that is being written, else the latest of the last 24
 *   hours
 * - `slotRuns`: the runs that were to fill slots of the last days, newest first
 * - `filling`: the slots for which a post is being written, as keys such as "2027-03-01 1"
 * - `remaining`: how many posts will take the next free slots once they are written
 */
export function toDashboardRuns(runs: DayRun[], urlRunId: string | null, now: Date) {
  const { runId, latestSince } = runsInput(urlRunId, now);
  const recent = runs.filter(({ createdAt }) => createdAt > latestSince);
  const latest = recent.find(({ status }) => status !== 'complete') ?? recent[0];
  const slotRuns = runs.filter(({ scheduledFor, slotDate }) => scheduledFor !== null || slotDate !== null);
  const shown = urlRunId ? runs.find(({ id }) => id === runId) : latest;
  return { shown, slotRuns, filling: slotKeysOfRuns(runs), remaining: latest ? remainingOf(latest) : 0 };
}

const remainingOf = ({ status, scheduledFor, slotDate, requested, done, failed }: DayRun) =>
  status === 'complete' || scheduledFor !== null || slotDate !== null ? 0 : requested - done - failed;

function wasFor(
  { scheduledFor, slotDate, slotNumber }: DayRun,
  slot: Slot,
  timetable: FullTimetable,
): boolean {
  if (!scheduledFor) return slotDate === slot.date && slotNumber === slot.number;
  if (scheduledFor >= slot.at) return false;
  return slotsOfRun(scheduledFor, timetable).some(
    ({ date, number }) => date === slot.date && number === slot.number,
  );
}

/** Returns why the last run for a slot did not fill it; null when it did, or has no error. */
export function whyUnwritten(runs: DayRun[], slot: Slot, timetable: FullTimetable): string | null {
  const run = runs.find((run) => wasFor(run, slot, timetable));
  return run && !run.writtenSlots.includes(slotKey(slot)) ? run.error : null;
}
