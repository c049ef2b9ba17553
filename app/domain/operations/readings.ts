import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { type LinkedInQuota, readQuota } from '#app/domain/linkedin/daily-quota.ts';
import { isWaiting, LANES, type Lane, ticks } from '#app/domain/platform/jobs.ts';
import { listOperatorFaults } from '#app/domain/platform/operator-alerts.ts';
import { hasStopped, listTickTimes } from '#app/domain/platform/tick-times.ts';
import { isItsTurn } from '#app/domain/publishing/eligibility/eligibility.ts';
import { presentVersions } from '#app/domain/publishing/linkedin-alerts.ts';
import { isPublishingStopped } from '#app/domain/publishing/predicates.ts';
import { listWriterDays, readWriterLimits, type Usage } from '#app/domain/writing/usage.ts';
import { isDead, isLater, isRunning, tasksIn } from './job-rows.ts';

export const COUNTED_MAX = 10_000;

export type Reading = { count: number; oldest: Date | null };
type LaneReading = {
  lane: Lane;
  waiting: number;
  running: number;
  later: number;
  oldest: Date | null;
};
/** `last`: its latest start. `isLate`: it has been due for more than three minutes. */
type TickReading = { name: string; lane: Lane; timetable: string; last: Date | null; isLate: boolean };
export type Readings = {
  at: Date;
  isStopped: boolean;
  ticks: TickReading[];
  lanes: LaneReading[];
  /** Due posts that are not published; `oldest` is the first that is eligible. */
  due: Reading;
  /** Attempts with an unknown outcome, still to be confirmed. */
  unknown: Reading;
  unconfirmed: number;
  mails: Reading;
  dead: number;
  faults: number;
  linkedIn: LinkedInQuota & { versions: ReturnType<typeof presentVersions> };
  writer: Usage & { bounds: ReturnType<typeof readWriterLimits> };
};

type JobRow = Omit<LaneReading, 'lane'> & { task: string; dead: number };
type Row = {
  jobs: (Omit<JobRow, 'oldest'> & { oldest: string | null })[];
  isStopped: boolean;
  dueCount: number;
  dueOldest: Date | null;
  unknownCount: number;
  unknownOldest: Date | null;
  unconfirmed: number;
  mailsCount: number;
  mailsOldest: Date | null;
};

const countUpTo = (rows: ReturnType<typeof sql>) =>
  sql`(select count(*)::int from (${rows} limit ${COUNTED_MAX}) as counted)`;

/** All counts in one statement, which scans no table that grows with the users. */
export const countedRows = (now: Date) => sql<Row>`select
  (select coalesce(json_agg(t), '[]') from (
    select j.task_identifier as task, (count(*) filter (where ${isWaiting(now)}))::int as waiting,
      (count(*) filter (where ${isRunning(now)}))::int as running,
      (count(*) filter (where ${isLater(now)}))::int as later,
      (count(*) filter (where ${isDead}))::int as dead, min(j.run_at) filter (where ${isWaiting(now)}) as oldest
    from graphile_worker.jobs j group by j.task_identifier) t) as jobs,
  ${isPublishingStopped(now)} as is_stopped,
  ${countUpTo(sql`select from post_schedules where held_at is null and due_at <= ${now}`)} as due_count,
  (select post_schedules.due_at from post_schedules
      cross join lateral (select * from posts where posts.id = post_schedules.post_id offset 0) as posts
    where ${isItsTurn(now)} order by post_schedules.due_at limit 1) as due_oldest,
  ${countUpTo(sql`select from publish_attempts where resolved_at is null and state = 'unknown'`)} as unknown_count,
  (select started_at from publish_attempts where resolved_at is null and state = 'unknown'
    order by started_at limit 1) as unknown_oldest,
  ${countUpTo(sql`select from post_schedules where is_unconfirmed and deleted_at is null`)} as unconfirmed,
  ${countUpTo(sql`select from mails where sent_at is null and failed_at is null`)} as mails_count,
  (select created_at from mails where sent_at is null and failed_at is null
    order by created_at limit 1) as mails_oldest`;

const toDate = (text: string | null) => (text === null ? null : new Date(text));

function readLane(lane: Lane, rows: Row['jobs']): LaneReading {
  const laneJobs = rows.filter(({ task }) => tasksIn(lane).includes(task));
  const sum = (key: 'waiting' | 'running' | 'later') => laneJobs.reduce((all, row) => all + row[key], 0);
  const oldestRunAt = laneJobs
    .flatMap(({ oldest }) => oldest ?? [])
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))[0];
  const counts = { waiting: sum('waiting'), running: sum('running'), later: sum('later') };
  return { lane, ...counts, oldest: toDate(oldestRunAt ?? null) };
}

const NO_USAGE: Usage = { calls: 0, inputTokens: 0, outputTokens: 0 };

export async function readOperations(db: Db, now = new Date()): Promise<Readings> {
  const [{ rows }, tickTimes, linkedIn, faults, days] = await Promise.all([
    countedRows(now).execute(db),
    listTickTimes(db),
    readQuota(db, now),
    listOperatorFaults(db),
    listWriterDays(db, 1, now),
  ]);
  const row = rows[0]!;
  const times = new Map(tickTimes.map((time) => [time.name, time]));
  const { calls, inputTokens, outputTokens } = days[0] ?? NO_USAGE;
  return {
    at: now,
    isStopped: row.isStopped,
    faults: faults.length,
    unconfirmed: row.unconfirmed,
    ticks: Object.values(ticks).map(({ name, lane, timetable }) => {
      const time = times.get(name);
      const last = time?.lastAt ?? null;
      const isLate = time !== undefined && hasStopped(timetable, last ?? time.knownSince, now);
      return { name, lane, timetable, last, isLate };
    }),
    lanes: LANES.map((lane) => readLane(lane, row.jobs)),
    due: { count: row.dueCount, oldest: row.dueOldest },
    unknown: { count: row.unknownCount, oldest: row.unknownOldest },
    mails: { count: row.mailsCount, oldest: row.mailsOldest },
    dead: row.jobs.reduce((sum, { dead }) => sum + dead, 0),
    linkedIn: { ...linkedIn, versions: presentVersions(faults) },
    writer: { calls, inputTokens, outputTokens, bounds: readWriterLimits() },
  };
}
