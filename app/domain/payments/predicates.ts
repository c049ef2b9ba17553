import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '#app/db/clock.ts';

/** The payment in the table or alias `payment` is the plan that covers `now`. */
export const covers = (payment: string, now: Instant): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${payment}.${name}`);
  return sql`(${column('status')} = 'active' and ${column('startsAt')} <= ${now} and ${column('endsAt')} > ${now}
    and not ${column('interruptions')} @> ${now}::timestamptz)`;
};

/** A paid plan of the user in the column `userId` covers `now`. */
export const planCovers = (userId: string, now: Instant): RawBuilder<boolean> =>
  sql`exists (select from payments where payments.user_id = ${sql.ref(userId)} and ${covers('payments', now)})`;

/** When the uninterrupted paid time that covers `now` ends, or null. */
export const coveredUntil = (userId: string, now: Instant): RawBuilder<Date | null> =>
  sql`(select max(payments.ends_at) from payments where payments.user_id = ${sql.ref(userId)}
    and payments.status = 'active' and payments.ends_at > ${now} having bool_or(payments.starts_at <= ${now}))`;

/** Posts a day of the plan that covers `now`, or null. */
export const plannedPostsPerDay = (userId: string, now: Instant): RawBuilder<number | null> =>
  sql`(select payments.posts_per_day from payments
    where payments.user_id = ${sql.ref(userId)} and ${covers('payments', now)})`;

/** All that have not ended, minus those that have not begun or are interrupted. Each count uses an index. */
export const countCovering = (now: Instant): RawBuilder<number> => sql`(
  (select count(*) from payments where status = 'active' and ends_at > ${now})
  - (select count(*) from payments where status = 'active' and starts_at > ${now} and ends_at > ${now})
  - (select count(*) from payments where status = 'active' and starts_at <= ${now} and ends_at > ${now}
      and upper(interruptions) > ${now} and interruptions @> ${now}::timestamptz))::int`;

/** The user has an active payment that does not cover `now`; another payment may. */
export const mayBeUncovered = (
  userId: string,
  now: Instant,
): RawBuilder<boolean> => sql`${sql.ref(userId)} in (
  select user_id from payments where status = 'active' and ends_at <= ${now}
  union all select user_id from payments where status = 'active' and starts_at > ${now}
  union all select user_id from payments where status = 'active' and upper(interruptions) > ${now}
    and interruptions @> ${now}::timestamptz)`;
