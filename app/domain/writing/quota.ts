import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { requireActive } from '#app/domain/accounts/lifecycle/deletion-requests.ts';
import { localDateOf, startOfLocalMonth } from '#app/domain/automation/slots.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import {
  FREE_POSTS_A_MONTH,
  FREE_REWRITES_A_DAY_MAX,
  POSTS_AN_HOUR_MAX,
  REWRITES_A_DAY_MAX,
} from './limits.ts';
import { countedItems } from './predicates.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LONGEST_MONTH_MS = 32 * DAY_MS;

/** `month`: runs that were requested in this month (YYYY-MM) of the user's calendar count too; '' for none. */
type UsageSince = { userId: string; since: Date; month: string };
/** `unwritten`: those of `posts` that were not written. */
type UsedQuota = { posts: number; unwritten: number };

const sumRequested = compiledQuery((db: Db, { userId, since, month }: UsageSince) =>
  db
    .selectFrom('generationRuns')
    .select(
      sql<UsedQuota>`json_build_object(
      'posts', coalesce(sum(case status when 'complete' then ${countedItems('generationRuns.id')} else requested end), 0),
      'unwritten', coalesce(sum(${countedItems('generationRuns.id')} - done) filter (where status = 'complete'), 0))`.as(
        'used',
      ),
    )
    .where('userId', '=', userId)
    .where('scheduledFor', 'is', null)
    .where('postId', 'is', null)
    .where(({ or, eb }) => or([eb('createdAt', '>=', since), eb('requestedMonth', '=', month)])),
);

/**
 * Counts the posts that the user requested since an instant: all of an unfinished run, and those of a finished run for
 * which the writer answered. A post that failed because of us or the writer does not count.
 */
async function countRequested(db: Db, userId: string, since: Date, month = ''): Promise<UsedQuota> {
  const [sum] = await sumRequested(db, { userId, since, month });
  return sum!.used;
}

/** The month of an instant in a time zone, YYYY-MM. */
export const monthOf = (at: Date, timeZone: string): string => localDateOf(at, timeZone).slice(0, 7);

/** Returns how many free posts are left in this month of the user, and how many of the used ones were not written. */
export async function findFreePosts(
  db: Db,
  actor: Actor,
  now = new Date(),
): Promise<{ left: number; unwritten: number }> {
  const { userId, timeZone } = actor;
  const since = startOfLocalMonth(now, timeZone);
  const { posts, unwritten } = await countRequested(db, userId, since, monthOf(now, timeZone));
  return { left: Math.max(0, FREE_POSTS_A_MONTH - posts), unwritten };
}

/** The first instant of the next month of the user, when there are free posts again. */
export const freeAgainAt = (now: Date, timeZone: string): Date =>
  startOfLocalMonth(new Date(startOfLocalMonth(now, timeZone).getTime() + LONGEST_MONTH_MS), timeZone);

/** Throws a Refusal when the quota does not cover `count` more posts. The caller holds the lock of the user. */
export async function requireAllowance(trx: Trx, actor: Actor, count: number, now: Date): Promise<void> {
  await requireActive(trx, actor.userId);
  if (await findActivePlan(trx, actor.userId, now)) {
    const { posts } = await countRequested(trx, actor.userId, new Date(now.getTime() - HOUR_MS));
    if (posts + count > POSTS_AN_HOUR_MAX) {
      const message = `At most ${POSTS_AN_HOUR_MAX} posts can be written in an hour. Please try again later`;
      throw new Refusal(429, 'rate_limited', message, { retryAfter: 900 });
    }
    return;
  }
  const { left } = await findFreePosts(trx, actor, now);
  if (count > left) {
    const message = `Without a plan ${FREE_POSTS_A_MONTH} posts a month are free, and ${left === 0 ? 'none is' : `${left} of them ${left === 1 ? 'is' : 'are'}`} left. Please subscribe to a plan first`;
    throw new Refusal(402, 'subscription_required', message);
  }
}

/** Throws a Refusal when the rewrites of the day are used up. The caller holds the lock of the user. */
export async function requireRewrites(trx: Trx, actor: Actor, now: Date): Promise<void> {
  await requireActive(trx, actor.userId);
  const max = (await findActivePlan(trx, actor.userId, now)) ? REWRITES_A_DAY_MAX : FREE_REWRITES_A_DAY_MAX;
  const { count } = await trx
    .selectFrom('generationRuns')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('userId', '=', actor.userId)
    .where('postId', 'is not', null)
    .where('createdAt', '>', new Date(now.getTime() - DAY_MS))
    .where(({ or, eb }) =>
      or([eb('status', '<>', 'complete'), eb(countedItems('generationRuns.id'), '>', 0)]),
    )
    .executeTakeFirstOrThrow();
  if (Number(count) < max) return;
  const message = `Posts can be written again ${max} times a day. Please try again tomorrow, or edit the text yourself`;
  throw new Refusal(429, 'rate_limited', message, { retryAfter: 3_600 });
}
