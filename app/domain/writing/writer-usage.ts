import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';

/** A calendar day in UTC, YYYY-MM-DD, and what was asked and answered on it. */
export type WriterDay = { day: string; calls: number; inputTokens: number; outputTokens: number };
export type WriterUser = Omit<WriterDay, 'day'> & { userId: string; name: string; email: string };

/** What the writer was asked in all, the latest day first; days without a call are left out. */
export async function listWriterDays(db: Db, days: number): Promise<WriterDay[]> {
  const { rows } = await sql<WriterDay>`
    select to_char(day, 'YYYY-MM-DD') as day, calls, input_tokens::float8 as input_tokens, output_tokens::float8 as output_tokens
    from writer_days where day > (now() at time zone 'utc')::date - ${days}::int order by writer_days.day desc`.execute(
    db,
  );
  return rows;
}

/** Who had it asked on a day (YYYY-MM-DD), the most tokens first. Whoever has deleted their account is not among them. */
export async function listWriterUsers(db: Db, day: string, most: number): Promise<WriterUser[]> {
  const { rows } = await sql<WriterUser>`
    select c.user_id, u.name, u.email, c.calls, c.input_tokens::float8 as input_tokens, c.output_tokens::float8 as output_tokens
    from writer_calls c join users u on u.id = c.user_id where c.day = ${day}::date
    order by c.input_tokens + c.output_tokens desc, c.calls desc, c.user_id limit ${most}`.execute(db);
  return rows;
}

/** What was written last, of everybody, with what it has cost so far. */
export const listLatestRuns = (db: Db, most: number) =>
  db
    .selectFrom('runs')
    .innerJoin('users', 'users.id', 'runs.userId')
    .select(['runs.id', 'runs.status', 'runs.requested', 'runs.done', 'runs.failed', 'runs.error'])
    .select(['runs.postId', 'runs.scheduledFor', 'runs.createdAt', 'runs.model'])
    .select(['runs.inputTokens', 'runs.outputTokens', 'users.name', 'users.email'])
    .orderBy('runs.createdAt', 'desc')
    .limit(most)
    .execute();
