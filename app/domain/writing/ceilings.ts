import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { databaseClock } from '#app/db/clock.ts';
import { clearFaults, reportFault } from '#app/domain/operator-faults.ts';
import { findActivePlan } from '#app/domain/payments/subscription.ts';
import { env } from '#app/env.ts';
import { WriterBusy } from '#app/integrations/writer-errors.ts';
import {
  FREE_CALLS_A_DAY_MAX,
  FREE_TOKENS_A_DAY_MAX,
  PLAN_CALLS_A_DAY_MAX,
  PLAN_TOKENS_A_DAY_MAX,
} from './limits.ts';

type Ceiling = { calls: number; tokens: number };
type Spent = { inputTokens: number; outputTokens: number };

const FREE: Ceiling = { calls: FREE_CALLS_A_DAY_MAX, tokens: FREE_TOKENS_A_DAY_MAX };
const WITH_PLAN: Ceiling = { calls: PLAN_CALLS_A_DAY_MAX, tokens: PLAN_TOKENS_A_DAY_MAX };
const FAULT = 'writer-ceiling';
const FREE_REACHED =
  'Nothing more can be written today without a plan. You can go on tomorrow, or at once with a plan';
const PLAN_REACHED = 'Nothing more can be written for your account today. You can go on tomorrow';
const SERVICE_REACHED =
  'There is no more room for writing today. We know about it, and you can go on tomorrow';

/** The writer is asked nothing more before the day (UTC) is over; the message is for the one who waits, without its full stop. */
export class CeilingReached extends WriterBusy {}

const today = sql`(${databaseClock} at time zone 'utc')::date`;
const untilTomorrow = sql<number>`extract(epoch from date_trunc('day', ${databaseClock} at time zone 'utc') + interval '1 day' - (${databaseClock} at time zone 'utc'))::float8`;

/**
 * Counts a call of the writer that is about to begin, for its user and for all. Throws CeilingReached when the day has
 * had as many, or as many tokens, as it may: calls count, whatever comes of them.
 */
export async function takeCall(db: Db, userId: string): Promise<void> {
  const hasPlan = (await findActivePlan(db, userId)) !== undefined;
  const own = sql`insert into writer_calls as counted (user_id, day, calls) values (${userId}, ${today}, 1)
    on conflict (user_id, day)`;
  if (!(await take(db, own, hasPlan ? WITH_PLAN : FREE))) {
    throw new CeilingReached(hasPlan ? PLAN_REACHED : FREE_REACHED, await secondsLeft(db));
  }
  const { WRITER_CALLS_A_DAY: calls, WRITER_TOKENS_A_DAY: tokens } = env();
  const all = sql`insert into writer_days as counted (day, calls) values (${today}, 1) on conflict (day)`;
  const taken = await take(db, all, { calls, tokens });
  // The first of a day.
  if (taken === 1) await clearFaults(db, FAULT);
  if (taken) return;
  const cure = 'WRITER_CALLS_A_DAY or WRITER_TOKENS_A_DAY may be raised.';
  await reportFault(db, FAULT, `The writer has been asked as much as it may be today. ${cure}`);
  throw new CeilingReached(SERVICE_REACHED, await secondsLeft(db));
}

/** Adds a call to the row that `insert` makes or meets; answers how many there are, or undefined at the ceiling. */
async function take(
  db: Db,
  insert: RawBuilder<unknown>,
  { calls, tokens }: Ceiling,
): Promise<number | undefined> {
  const { rows } = await sql<{ calls: number }>`${insert} do update set calls = counted.calls + 1
    where counted.calls < ${calls} and counted.input_tokens + counted.output_tokens < ${tokens}
    returning counted.calls`.execute(db);
  return rows[0]?.calls;
}

async function secondsLeft(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`select ${untilTomorrow} as seconds`.execute(db);
  return rows[0]!.seconds;
}

/** Counts what a call has cost, on the day on which it ended. */
export async function countTokens(
  db: Db,
  userId: string,
  { inputTokens, outputTokens }: Spent,
): Promise<void> {
  const more = sql`do update set input_tokens = counted.input_tokens + excluded.input_tokens,
    output_tokens = counted.output_tokens + excluded.output_tokens`;
  await sql`insert into writer_calls as counted (user_id, day, input_tokens, output_tokens)
    values (${userId}, ${today}, ${inputTokens}, ${outputTokens}) on conflict (user_id, day) ${more}`.execute(
    db,
  );
  await sql`insert into writer_days as counted (day, input_tokens, output_tokens)
    values (${today}, ${inputTokens}, ${outputTokens}) on conflict (day) ${more}`.execute(db);
}

type Day = Spent & { day: string; calls: number };

/** What the writer was asked in all, the latest day first. */
export async function listWriterDays(db: Db, days: number): Promise<Day[]> {
  const { rows } = await sql<Day>`
    select to_char(day, 'YYYY-MM-DD') as day, calls, input_tokens::float8 as input_tokens, output_tokens::float8 as output_tokens
    from writer_days order by writer_days.day desc limit ${days}`.execute(db);
  return rows;
}

/** Who had it asked on a day (YYYY-MM-DD), the most tokens first. */
export async function listWriterUsers(
  db: Db,
  day: string,
  most: number,
): Promise<(Omit<Day, 'day'> & { userId: string })[]> {
  const { rows } = await sql<Omit<Day, 'day'> & { userId: string }>`
    select user_id, calls, input_tokens::float8 as input_tokens, output_tokens::float8 as output_tokens
    from writer_calls where day = ${day}::date order by writer_calls.input_tokens + writer_calls.output_tokens desc limit ${most}`.execute(
    db,
  );
  return rows;
}
