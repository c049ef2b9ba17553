import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { repeatUntilFewer } from '#app/domain/platform/batches.ts';
import { env } from '#app/env.ts';
import { USAGE_KEPT_DAYS } from './limits.ts';

const BATCH = 5_000;

export type Usage = { calls: number; inputTokens: number; outputTokens: number };
export type UsageOfDay = Usage & { day: string };
export type UsageOfUser = Usage & { userId: string; name: string; email: string };

/** US dollars for a million tokens; null when they are not configured. */
export type Prices = { input: number; output: number } | null;

/** Lists the usage of all users on the last days (UTC), newest first. Days without calls are left out. */
export async function listWriterDays(db: Db, days: number, now = new Date()): Promise<UsageOfDay[]> {
  const { rows } =
    await sql<UsageOfDay>`select to_char(d.day, 'YYYY-MM-DD') as day, d.calls, d.input_tokens::float8 as input_tokens,
      d.output_tokens::float8 as output_tokens from writer_days d
    where d.day > (${now}::timestamptz at time zone 'utc')::date - ${days}::int order by d.day desc`.execute(
      db,
    );
  return rows;
}

/** Lists the users with calls on a day (YYYY-MM-DD), most tokens first. Deleted accounts are not among them. */
export async function listWriterUsers(db: Db, day: string, limit: number): Promise<UsageOfUser[]> {
  const { rows } =
    await sql<UsageOfUser>`select c.user_id, u.name, u.email, c.calls, c.input_tokens::float8 as input_tokens,
      c.output_tokens::float8 as output_tokens
    from writer_calls c join users u on u.id = c.user_id where c.day = ${day}::date
    order by c.input_tokens + c.output_tokens desc, c.calls desc, c.user_id limit ${limit}`.execute(db);
  return rows;
}

export const listLatestRuns = (db: Db, limit: number) =>
  db
    .selectFrom('generationRuns')
    .innerJoin('users', 'users.id', 'generationRuns.userId')
    .select([
      'generationRuns.id',
      'generationRuns.status',
      'generationRuns.requested',
      'generationRuns.done',
      'generationRuns.error',
      'generationRuns.postId',
      'generationRuns.scheduledFor',
      'generationRuns.createdAt',
      'generationRuns.model',
      'generationRuns.inputTokens',
      'generationRuns.outputTokens',
      'users.name',
      'users.email',
    ])
    .orderBy('generationRuns.createdAt', 'desc')
    .limit(limit)
    .execute();

/** Returns the daily limits of all users together, and the prices. */
export function readWriterLimits(): { calls: number; tokens: number; prices: Prices } {
  const { WRITER_CALLS_A_DAY: calls, WRITER_TOKENS_A_DAY: tokens, ...prices } = env();
  const { WRITER_INPUT_PRICE: input, WRITER_OUTPUT_PRICE: output } = prices;
  const isPriced = input !== undefined && output !== undefined;
  return { calls, tokens, prices: isPriced ? { input, output } : null };
}

/** Deletes the old usage of single users. The usage of all users together stays. */
export async function deleteOldUsage(db: Db, now: Date): Promise<void> {
  await repeatUntilFewer(BATCH, () =>
    sql`delete from writer_calls where (user_id, day) in (
      select user_id, day from writer_calls
      where day < (${now}::timestamptz at time zone 'utc')::date - ${USAGE_KEPT_DAYS}::int
      order by day limit ${BATCH} for update skip locked)`.execute(db),
  );
}
