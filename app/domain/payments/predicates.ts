import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '#app/db/clock.ts';

/** The payment `payment` (a table or alias) is the plan that covers `now`. */
export const covers = (payment: string, now: Instant): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${payment}.${name}`);
  return sql`(${column('status')} = 'active' and ${column('startsAt')} <= ${now} and ${column('endsAt')} > ${now}
    and not ${column('interruptions')} @> ${now}::timestamptz)`;
};

/** A paid plan of the user in the column `userId` covers `now`. */
export const planCovers = (userId: string, now: Instant): RawBuilder<boolean> =>
  sql`exists (select from payments where payments.user_id = ${sql.ref(userId)} and ${covers('payments', now)})`;

/** When the plans of the user in the column `userId` end that cover `now` and follow on each other, or null without one. */
export const coveredUntil = (userId: string, now: Instant): RawBuilder<Date | null> =>
  sql`(select max(payments.ends_at) from payments where payments.user_id = ${sql.ref(userId)}
    and payments.status = 'active' and payments.ends_at > ${now} having bool_or(payments.starts_at <= ${now}))`;

/** How many posts a day the plan that covers `now` has, or null without one. */
export const plannedPostsPerDay = (userId: string, now: Instant): RawBuilder<number | null> =>
  sql`(select payments.posts_per_day from payments
    where payments.user_id = ${sql.ref(userId)} and ${covers('payments', now)})`;

/**
 * How many plans cover `now`: those that have not ended, without the few that have not begun or have another one in their
 * place. Each of the three is read from its index.
 */
export const countCovering = (now: Instant): RawBuilder<number> => sql`(
  (select count(*) from payments where status = 'active' and ends_at > ${now})
  - (select count(*) from payments where status = 'active' and starts_at > ${now} and ends_at > ${now})
  - (select count(*) from payments where status = 'active' and starts_at <= ${now} and ends_at > ${now}
      and upper(interruptions) > ${now} and interruptions @> ${now}::timestamptz))::int`;

/** The user in the column `userId` has an active payment that does not cover `now`: another one may. */
export const mayBeUncovered = (
  userId: string,
  now: Instant,
): RawBuilder<boolean> => sql`${sql.ref(userId)} in (
  select user_id from payments where status = 'active' and ends_at <= ${now}
  union all select user_id from payments where status = 'active' and starts_at > ${now}
  union all select user_id from payments where status = 'active' and upper(interruptions) > ${now}
    and interruptions @> ${now}::timestamptz)`;
