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
