import { type RawBuilder, sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import { clearFaults, reportFault } from '#app/domain/platform/operator-alerts.ts';
import {
  beginCall,
  endCall,
  type ItemCall,
  type TokenUsage,
} from '#app/domain/writing/runs/call-accounting.ts';
import { env } from '#app/env.ts';
import { WriterBusy } from '#app/integrations/openai/errors.ts';
import {
  FREE_CALLS_A_DAY_MAX,
  FREE_TOKENS_A_DAY_MAX,
  PLAN_CALLS_A_DAY_MAX,
  PLAN_TOKENS_A_DAY_MAX,
} from './limits.ts';

type UsageLimit = { calls: number; tokens: number };

const FREE: UsageLimit = { calls: FREE_CALLS_A_DAY_MAX, tokens: FREE_TOKENS_A_DAY_MAX };
const WITH_PLAN: UsageLimit = { calls: PLAN_CALLS_A_DAY_MAX, tokens: PLAN_TOKENS_A_DAY_MAX };
const FAULT = 'writer-ceiling';
const FULL = 'The writer has been asked as much as it may be today.';
const CURE = 'WRITER_CALLS_A_DAY or WRITER_TOKENS_A_DAY may be raised.';
const FREE_REACHED =
  'Nothing more can be written today without a plan. You can go on tomorrow, or at once with a plan';
const PLAN_REACHED = 'Nothing more can be written for your account today. You can go on tomorrow';
const SERVICE_REACHED =
  'There is no more room for writing today. We know about it, and you can go on tomorrow';

/** The writer is not called again on this day (UTC). The message is for the user, without its full stop. */
export class UsageLimitReached extends WriterBusy {}
/** The limit of all users together, for which the user is not responsible. */
export class ServiceLimitReached extends UsageLimitReached {}

/** `now()` is the same throughout a transaction, so both counters use one day. */
const utcNow = sql`(now() at time zone 'utc')`;
const today = sql`${utcNow}::date`;
const untilTomorrow = sql<number>`extract(epoch from date_trunc('day', ${utcNow}) + interval '1 day' - ${utcNow})::float8`;

/**
 * Counts a call of the writer before it begins, for the user, for the service and for the item. Throws
 * UsageLimitReached when the calls or tokens of the day are used up, and Cancelled when the run was stopped; then
 * nothing is counted. A call counts even when it fails.
 */
export async function countCall(db: Db, userId: string, item?: ItemCall): Promise<void> {
  const hasPlan = (await findActivePlan(db, userId)) !== undefined;
  const { WRITER_CALLS_A_DAY: calls, WRITER_TOKENS_A_DAY: tokens } = env();
  const ofUser = sql`insert into writer_calls as counted (user_id, day, calls) values (${userId}, ${today}, 1)
    on conflict (user_id, day)`;
  const ofService = sql`insert into writer_days as counted (day, calls) values (${today}, 1) on conflict (day)`;
  const callsToday = await transact(db, async (trx) => {
    if (item) await beginCall(trx, item);
    if (!(await increment(trx, ofUser, hasPlan ? WITH_PLAN : FREE))) {
      throw new UsageLimitReached(hasPlan ? PLAN_REACHED : FREE_REACHED, await secondsLeft(trx));
    }
    const count = await increment(trx, ofService, { calls, tokens });
    if (!count) throw new ServiceLimitReached(SERVICE_REACHED, await secondsLeft(trx));
    return count;
  }).catch(async (error) => {
    if (error instanceof ServiceLimitReached) await reportFault(db, FAULT, `${FULL} ${CURE}`);
    throw error;
  });
  if (callsToday === 1) await clearFaults(db, FAULT);
}

/** Adds a call to the counter that `insert` inserts or finds. Returns the new count, or undefined at the limit. */
async function increment(
  db: Db,
  insert: RawBuilder<unknown>,
  { calls, tokens }: UsageLimit,
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

/** Counts the tokens of a response on the current day, for the user, for the service and for the run. */
export async function countTokens(db: Db, userId: string, usage: TokenUsage, item?: ItemCall): Promise<void> {
  const { inputTokens, outputTokens } = usage;
  const add = sql`do update set input_tokens = counted.input_tokens + excluded.input_tokens,
    output_tokens = counted.output_tokens + excluded.output_tokens`;
  await transact(db, async (trx) => {
    if (item) await endCall(trx, item, usage);
    await sql`insert into writer_calls as counted (user_id, day, input_tokens, output_tokens)
      values (${userId}, ${today}, ${inputTokens}, ${outputTokens}) on conflict (user_id, day) ${add}`.execute(
      trx,
    );
    await sql`insert into writer_days as counted (day, input_tokens, output_tokens)
      values (${today}, ${inputTokens}, ${outputTokens}) on conflict (day) ${add}`.execute(trx);
  });
}
