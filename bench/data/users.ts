import { sql } from 'kysely';
import { createCookie } from 'react-router';
import type { Db } from '#app/db/client.ts';
import { createSession } from '#app/domain/accounts/sign-in/sessions.ts';

const CONTENT = `A weekly plan should fit on a postcard.

If it needs a spreadsheet, it is an inventory of wishes. A small team can carry three things to the end in a
week, and it knows on Monday which three they are when somebody dares to write them down.

Write the three outcomes, one owner each, and the first step that can be done before lunch. Leave the rest
of the card empty. The empty part is where the week happens.`;

/**
 * Adds users with settings, three topics, an active plan and a LinkedIn connection, whose token is not valid. Returns
 * their ids.
 */
export async function addUsers(db: Db, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into users (email, name)
    select 'u' || gen_random_uuid() || '@bench.example', 'Ada Marlow' from generate_series(1, ${count}::int)
    returning id`.execute(db);
  const ids = rows.map(({ id }) => id);
  const users = sql`unnest(${ids}::uuid[]) as person(id)`;
  await sql`insert into automation_settings (user_id, publish_times, next_run_at)
    select id, '{09:07,17:23}', now() + interval '1 day' from ${users}`.execute(db);
  await sql`insert into topics (user_id, name, keywords)
    select id, 'Weekly planning ' || n, '{planning,focus}' from ${users}, generate_series(1, 3) as n`.execute(
    db,
  );
  await sql`insert into payments (user_id, reference, status, method, posts_per_day, currency_code,
      amount_minor, full_price_minor, transaction_id, verified_at, starts_at, ends_at)
    select id, 'TP-' || left(id::text, 8), 'active', 'upi', 2, 'USD', 1900, 1900,
      upper(replace(id::text, '-', '')), now() - random() * interval '180 days', now() - interval '3 days',
      now() + interval '27 days'
    from ${users}`.execute(db);
  await sql`insert into linkedin_connections (user_id, member_id, name, scopes, access_token_sealed, expires_at)
    select id, 'm' || id, 'Ada Marlow', '{openid,profile,email,w_member_social}', '-', now() + interval '50 days'
    from ${users}`.execute(db);
  return ids;
}

/** Adds posts of each user, two a day. The last `waiting` ones are scheduled, the others are published. */
export async function addPosts(
  db: Db,
  userIds: string[],
  each: number,
  waiting = Math.min(Math.floor(each / 20), 60),
): Promise<void> {
  await sql`
    with added as (
      insert into posts (user_id, topic_id, content, hashtags, slot_date, slot_number, publish_at, created_at)
      select person.id, topic.id, ${CONTENT} || n, '{Planning,Focus,Teams}', (slot.at)::date, 1 + n % 2, slot.at,
        now() - n * interval '12 hours'
      from unnest(${userIds}::uuid[]) as person(id)
      cross join lateral (select id from topics where user_id = person.id limit 1) as topic,
        generate_series(0, ${each - 1}::int) as n,
        lateral (select now() + (${waiting}::int - n) * interval '12 hours' as at) as slot
      returning id, user_id, publish_at, publish_at < now() + interval '1 second' as is_out
    )
    insert into post_schedules (post_id, user_id, due_at, status, posted_at, network_urn)
    select id, user_id, case when not is_out then publish_at end,
      case when is_out then 'published' else 'generated' end, case when is_out then publish_at end,
      case when is_out then 'urn:li:share:' || id end
    from added`.execute(db);
}

/** Adds scheduled posts of a user, five a day after the day `from`. */
export async function addScheduled(db: Db, userId: string, count: number, from = new Date()): Promise<void> {
  await sql`
    with added as (
      insert into posts (user_id, topic_id, content, hashtags, slot_date, slot_number, publish_at)
      select ${userId}, (select id from topics where user_id = ${userId} limit 1), ${CONTENT} || n,
        '{Planning,Focus,Teams}', slot.at::date, 1 + n % 5, slot.at
      from generate_series(0, ${count - 1}::int) as n,
        lateral (select date_trunc('day', ${from}::timestamptz) + (1 + n / 5) * interval '1 day'
          + (8 + 2 * (n % 5)) * interval '1 hour' as at) as slot
      returning id, user_id, publish_at
    )
    insert into post_schedules (post_id, user_id, due_at) select id, user_id, publish_at from added`.execute(
    db,
  );
}

const NEXT_MONTH = Temporal.Now.plainDateISO('UTC').with({ day: 1 }).add({ months: 1 });
/** The calendar with the posts of addMonth(). */
export const MONTH_PAGE = `/app/scheduled?view=month&month=${NEXT_MONTH.toPlainYearMonth()}`;

/** Adds scheduled posts of a user in the next month, five a day. */
export const addMonth = (db: Db, userId: string, count: number): Promise<void> =>
  addScheduled(db, userId, count, new Date(`${NEXT_MONTH.subtract({ days: 1 })}T00:00Z`));

/** Brings the database to the state after autovacuum and a checkpoint, so that neither runs during a measurement. */
export async function vacuumAndCheckpoint(db: Db): Promise<void> {
  await sql`vacuum (analyze)`.execute(db);
  await sql`checkpoint`.execute(db);
}

/** The Cookie header of a browser in which the user is signed in. */
export async function cookieOf(db: Db, userId: string): Promise<string> {
  const { token } = await createSession(db, userId, 'web', 'bench');
  const line = await createCookie('tidepost').serialize(token);
  return line.split(';')[0]!;
}
