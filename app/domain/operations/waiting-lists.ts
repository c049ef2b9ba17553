import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { isWaiting, type Lane } from '#app/domain/platform/jobs.ts';
import { type Page, type PageQuery, readCursor, toPage } from '#app/domain/platform/paging.ts';
import { isLater, isRunning, tasksIn } from './job-rows.ts';

export type Waits = { id: string; at: Date; name: string | null; email: string | null; what: string };

type PageOf = Pick<PageQuery, 'limit' | 'cursor'>;

async function pageOf(
  db: Db,
  { limit, cursor }: PageOf,
  read: (after: ReturnType<typeof sql>) => typeof empty,
) {
  const after = readCursor(cursor);
  const { rows } =
    await sql<Waits>`${read(after ? sql`(${after.at}::timestamptz, ${after.id}::uuid)` : empty)}
    limit ${limit + 1}`.execute(db);
  return toPage(rows, limit, ({ at, id }) => ({ at, id }));
}

const empty = sql``;
const isFirstPage = (after: unknown) => after === empty;

export const listDue = (db: Db, page: PageOf, now = new Date()): Promise<Page<Waits>> =>
  pageOf(
    db,
    page,
    (after) => sql`select d.post_id as id, d.due_at as at, u.name, u.email,
      case when d.lease_until > ${now} then 'taken' when d.not_before > ${now} then 'tries_later'
        when d.is_manual then 'by_hand' else 'waits' end as what
    from post_schedules d join users u on u.id = d.user_id
    where d.held_at is null and d.due_at <= ${now} ${isFirstPage(after) ? empty : sql`and (d.due_at, d.post_id) > ${after}`}
    order by d.due_at, d.post_id`,
  );

/** Attempts with an unknown outcome, still to be confirmed. */
export const listUnknown = (db: Db, page: PageOf): Promise<Page<Waits>> =>
  pageOf(
    db,
    page,
    (after) => sql`select p.id, p.started_at as at, u.name, u.email,
      case when p.confirms_id is null then 'attempt' else 'resend' end as what
    from publish_attempts p join users u on u.id = p.user_id
    where p.resolved_at is null and p.state = 'unknown'
      ${isFirstPage(after) ? empty : sql`and (p.started_at, p.id) > ${after}`}
    order by p.started_at, p.id`,
  );

export const listUnsentMails = (db: Db, page: PageOf): Promise<Page<Waits>> =>
  pageOf(
    db,
    page,
    (after) => sql`select m.id, m.created_at as at, u.name, m.to_address as email, m.kind as what
    from mails m left join users u on u.id = m.user_id
    where m.sent_at is null and m.failed_at is null
      ${isFirstPage(after) ? empty : sql`and (m.created_at, m.id) > ${after}`}
    order by m.created_at, m.id`,
  );

/** Posts with an unconfirmed attempt, about which their user has not decided. */
export async function listUnconfirmed(db: Db, { limit, cursor }: PageOf): Promise<Page<Waits>> {
  const after = readCursor(cursor)?.id ?? null;
  const { rows } =
    await sql<Waits>`select d.post_id as id, coalesce(a.started_at, p.created_at) as at, u.name,
      u.email, 'asked' as what
    from (select post_id, user_id from post_schedules where is_unconfirmed and deleted_at is null
        and (${after}::uuid is null or post_id > ${after}::uuid) order by post_id limit ${limit + 1}) d
      join users u on u.id = d.user_id join posts p on p.id = d.post_id
      left join lateral (select max(started_at) as started_at from publish_attempts
        where publish_attempts.post_id = d.post_id) a on true
    order by d.post_id`.execute(db);
  return toPage(rows, limit, ({ at, id }) => ({ at, id }));
}

export type QueuedJob = {
  id: string;
  task: string;
  at: Date;
  state: 'running' | 'waiting' | 'later';
  attempts: number;
  maxAttempts: number;
};

const STATE_CONDITIONS = { running: isRunning, waiting: isWaiting, later: isLater };
type Jobs = { lane: Lane; state?: QueuedJob['state'] | undefined };

/** The jobs of a lane, in the order of their creation. `after` is the last id of the previous page. */
export async function listJobs(
  db: Db,
  { lane, state }: Jobs,
  limit: number,
  after?: string,
  now = new Date(),
) {
  const page = state ? [STATE_CONDITIONS[state]] : Object.values(STATE_CONDITIONS);
  const isNumber = after !== undefined && /^\d{1,18}$/.test(after);
  const { rows } = await sql<QueuedJob>`select j.id::text as id, j.task_identifier as task, j.run_at as at,
      j.attempts::int as attempts, j.max_attempts::int as max_attempts,
      case when ${isRunning(now)} then 'running' when ${isWaiting(now)} then 'waiting' else 'later' end as state
    from graphile_worker.jobs j
    where j.task_identifier = any(${tasksIn(lane)}) and (${sql.join(
      page.map((condition) => condition(now)),
      sql` or `,
    )})
      ${isNumber ? sql`and j.id > ${after}` : empty}
    order by j.id limit ${limit + 1}`.execute(db);
  const listed = rows.slice(0, limit);
  return { rows: listed, next: rows.length > limit ? listed.at(-1)!.id : null };
}
