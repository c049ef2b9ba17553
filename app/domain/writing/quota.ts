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
import { countedPlaces } from './predicates.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LONGEST_MONTH_MS = 32 * DAY_MS;

/** `month` counts as well, whenever that was on another clock; '' is none. */
type Since = { userId: string; since: Date; month: string };
/** `inVain`: those of `posts` of which nothing came. */
type UsedQuota = { posts: number; inVain: number };

const sumRequested = compiledQuery((db: Db, { userId, since, month }: Since) =>
  db
    .selectFrom('generationRuns')
    .select(
      sql<UsedQuota>`json_build_object(
      'posts', coalesce(sum(case status when 'complete' then ${countedPlaces('generationRuns.id')} else requested end), 0),
      'inVain', coalesce(sum(${countedPlaces('generationRuns.id')} - done) filter (where status = 'complete'), 0))`.as(
        'asked',
      ),
    )
    .where('userId', '=', userId)
    .where('scheduledFor', 'is', null)
    .where('postId', 'is', null)
    .where(({ or, eb }) => or([eb('createdAt', '>=', since), eb('requestedMonth', '=', month)])),
);

/**
 * What was asked for by hand since an instant: all posts of a run that is not over, then those for which the writer has
 * answered. What came to nothing because of us, or of a writer that cannot answer, is free again.
 */
async function countRequested(db: Db, userId: string, since: Date, month = ''): Promise<UsedQuota> {
  const [sum] = await sumRequested(db, { userId, since, month });
  return sum!.asked;
}

/** The month of an instant on the clock of a user, YYYY-MM. */
export const monthOf = (at: Date, timeZone: string): string => localDateOf(at, timeZone).slice(0, 7);

/** How many posts may still be written without a plan in this local month, and how many of the others came to nothing. */
export async function findFreePosts(
  db: Db,
  actor: Actor,
  now = new Date(),
): Promise<{ left: number; inVain: number }> {
  const { userId, timeZone } = actor;
  const since = startOfLocalMonth(now, timeZone);
  const { posts, inVain } = await countRequested(db, userId, since, monthOf(now, timeZone));
  return { left: Math.max(0, FREE_POSTS_A_MONTH - posts), inVain };
}

/** When the free posts of the next local month can be written. */
export const freeAgainAt = (now: Date, timeZone: string): Date =>
  startOfLocalMonth(new Date(startOfLocalMonth(now, timeZone).getTime() + LONGEST_MONTH_MS), timeZone);

/** Refuses posts that were asked for above what is left. Under the lock of the user. */
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

/** Refuses another rewriting above those of a day. Under the lock of the user. */
export async function requireRewrites(trx: Trx, actor: Actor, now: Date): Promise<void> {
  await requireActive(trx, actor.userId);
  const most = (await findActivePlan(trx, actor.userId, now)) ? REWRITES_A_DAY_MAX : FREE_REWRITES_A_DAY_MAX;
  const { count } = await trx
    .selectFrom('generationRuns')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('userId', '=', actor.userId)
    .where('postId', 'is not', null)
    .where('createdAt', '>', new Date(now.getTime() - DAY_MS))
    .where(({ or, eb }) =>
      or([eb('status', '<>', 'complete'), eb(countedPlaces('generationRuns.id'), '>', 0)]),
    )
    .executeTakeFirstOrThrow();
  if (Number(count) < most) return;
  const message = `Posts can be written again ${most} times a day. Please try again tomorrow, or edit the text yourself`;
  throw new Refusal(429, 'rate_limited', message, { retryAfter: 3_600 });
}
