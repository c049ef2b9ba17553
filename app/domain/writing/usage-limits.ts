import { type RawBuilder, sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import { clearFaults, reportFault } from '#app/domain/platform/operator-alerts.ts';
import { beginCall, endCall, type ItemCall, type Spent } from '#app/domain/writing/runs/call-accounting.ts';
import { env } from '#app/env.ts';
import { WriterBusy } from '#app/integrations/openai/errors.ts';
import {
  FREE_CALLS_A_DAY_MAX,
  FREE_TOKENS_A_DAY_MAX,
  PLAN_CALLS_A_DAY_MAX,
  PLAN_TOKENS_A_DAY_MAX,
} from './limits.ts';

type Ceiling = { calls: number; tokens: number };

const FREE: Ceiling = { calls: FREE_CALLS_A_DAY_MAX, tokens: FREE_TOKENS_A_DAY_MAX };
const WITH_PLAN: Ceiling = { calls: PLAN_CALLS_A_DAY_MAX, tokens: PLAN_TOKENS_A_DAY_MAX };
const FAULT = 'writer-ceiling';
const FULL = 'The writer has been asked as much as it may be today.';
const CURE = 'WRITER_CALLS_A_DAY or WRITER_TOKENS_A_DAY may be raised.';
const FREE_REACHED =
  'Nothing more can be written today without a plan. You can go on tomorrow, or at once with a plan';
const PLAN_REACHED = 'Nothing more can be written for your account today. You can go on tomorrow';
const SERVICE_REACHED =
  'There is no more room for writing today. We know about it, and you can go on tomorrow';

/** The writer is asked nothing more before the day (UTC) is over; the message is for the one who waits, without its full stop. */
export class CeilingReached extends WriterBusy {}
/** That of all together, which is no matter of its user. */
export class ServiceCeilingReached extends CeilingReached {}

/** The same throughout a transaction, so that what is counted in two rows falls on one day. */
const utcNow = sql`(now() at time zone 'utc')`;
const today = sql`${utcNow}::date`;
const untilTomorrow = sql<number>`extract(epoch from date_trunc('day', ${utcNow}) + interval '1 day' - ${utcNow})::float8`;

/**
 * Counts a call of the writer that is about to begin, for its user and for all, and for the place that it is about. Throws
 * CeilingReached when the day has had as many, or as many tokens, as it may, and Cancelled when the run was stopped;
 * then nothing is counted. Calls count, whatever comes of them.
 */
export async function takeCall(db: Db, userId: string, place?: ItemCall): Promise<void> {
  const hasPlan = (await findActivePlan(db, userId)) !== undefined;
  const { WRITER_CALLS_A_DAY: calls, WRITER_TOKENS_A_DAY: tokens } = env();
  const own = sql`insert into writer_calls as counted (user_id, day, calls) values (${userId}, ${today}, 1)
    on conflict (user_id, day)`;
  const all = sql`insert into writer_days as counted (day, calls) values (${today}, 1) on conflict (day)`;
  const taken = await transact(db, async (trx) => {
    if (place) await beginCall(trx, place);
    if (!(await take(trx, own, hasPlan ? WITH_PLAN : FREE))) {
      throw new CeilingReached(hasPlan ? PLAN_REACHED : FREE_REACHED, await secondsLeft(trx));
    }
    const nth = await take(trx, all, { calls, tokens });
    if (!nth) throw new ServiceCeilingReached(SERVICE_REACHED, await secondsLeft(trx));
    return nth;
  }).catch(async (error) => {
    if (error instanceof ServiceCeilingReached) await reportFault(db, FAULT, `${FULL} ${CURE}`);
    throw error;
  });
  // The first of a day.
  if (taken === 1) await clearFaults(db, FAULT);
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

/** Counts what an answer has cost, on the day on which it came, for its user, for all, and for its run. */
export async function countAnswer(db: Db, userId: string, spent: Spent, place?: ItemCall): Promise<void> {
  const { inputTokens, outputTokens } = spent;
  const more = sql`do update set input_tokens = counted.input_tokens + excluded.input_tokens,
    output_tokens = counted.output_tokens + excluded.output_tokens`;
  await transact(db, async (trx) => {
    if (place) await endCall(trx, place, spent);
    await sql`insert into writer_calls as counted (user_id, day, input_tokens, output_tokens)
      values (${userId}, ${today}, ${inputTokens}, ${outputTokens}) on conflict (user_id, day) ${more}`.execute(
      trx,
    );
    await sql`insert into writer_days as counted (day, input_tokens, output_tokens)
      values (${today}, ${inputTokens}, ${outputTokens}) on conflict (day) ${more}`.execute(trx);
  });
}
