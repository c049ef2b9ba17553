import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { repeatUntilFewer } from '#app/domain/platform/batches.ts';
import { env } from '#app/env.ts';
import { USAGE_KEPT_DAYS } from './limits.ts';

const AT_ONCE = 5_000;

/** Of calls of the writer: how many, and the tokens that it read and wrote. */
export type Usage = { calls: number; inputTokens: number; outputTokens: number };
export type UsageOfDay = Usage & { day: string };
export type UsageOfUser = Usage & { userId: string; name: string; email: string };

/** US dollars for a million tokens; null where they are not configured. */
export type Prices = { input: number; output: number } | null;

/** What the writer was asked in all on the last days (UTC), the latest first; days on which it was asked nothing are left out. */
export async function listWriterDays(db: Db, days: number, now = new Date()): Promise<UsageOfDay[]> {
  const { rows } =
    await sql<UsageOfDay>`select to_char(d.day, 'YYYY-MM-DD') as day, d.calls, d.input_tokens::float8 as input_tokens,
      d.output_tokens::float8 as output_tokens from writer_days d
    where d.day > (${now}::timestamptz at time zone 'utc')::date - ${days}::int order by d.day desc`.execute(
      db,
    );
  return rows;
}

/** Who had it asked on a day (YYYY-MM-DD), the most tokens first. Nobody knows that of those who deleted their account. */
export async function listWriterUsers(db: Db, day: string, most: number): Promise<UsageOfUser[]> {
  const { rows } =
    await sql<UsageOfUser>`select c.user_id, u.name, u.email, c.calls, c.input_tokens::float8 as input_tokens,
      c.output_tokens::float8 as output_tokens
    from writer_calls c join users u on u.id = c.user_id where c.day = ${day}::date
    order by c.input_tokens + c.output_tokens desc, c.calls desc, c.user_id limit ${most}`.execute(db);
  return rows;
}

/** What was begun last, of everybody, with what it has cost so far. */
export const listLatestRuns = (db: Db, most: number) =>
  db
    .selectFrom('generationRuns')
    .innerJoin('users', 'users.id', 'generationRuns.userId')
    .select([
      'generationRuns.id',
      'generationRuns.status',
      'generationRuns.requested',
      'generationRuns.done',
      'generationRuns.error',
    ])
    .select([
      'generationRuns.postId',
      'generationRuns.scheduledFor',
      'generationRuns.createdAt',
      'generationRuns.model',
    ])
    .select(['generationRuns.inputTokens', 'generationRuns.outputTokens', 'users.name', 'users.email'])
    .orderBy('generationRuns.createdAt', 'desc')
    .limit(most)
    .execute();

/** What all may ask in a day, and the price of it. */
export function readWriterBounds(): { calls: number; tokens: number; prices: Prices } {
  const { WRITER_CALLS_A_DAY: calls, WRITER_TOKENS_A_DAY: tokens, ...prices } = env();
  const { WRITER_INPUT_PRICE: input, WRITER_OUTPUT_PRICE: output } = prices;
  const isPriced = input !== undefined && output !== undefined;
  return { calls, tokens, prices: isPriced ? { input, output } : null };
}

/** Forgets what single users asked of the writer on days long ago. What all asked together stays. */
export async function deleteOldUsage(db: Db, now: Date): Promise<void> {
  await repeatUntilFewer(AT_ONCE, () =>
    sql`delete from writer_calls where (user_id, day) in (
      select user_id, day from writer_calls
      where day < (${now}::timestamptz at time zone 'utc')::date - ${USAGE_KEPT_DAYS}::int
      order by day limit ${AT_ONCE} for update skip locked)`.execute(db),
  );
}
