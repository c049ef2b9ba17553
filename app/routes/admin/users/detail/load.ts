import type { Db } from '#app/db/client.ts';
import { listSignInMethods } from '#app/domain/accounts/oauth/identities.ts';
import { listTokens } from '#app/domain/accounts/sign-in/api-tokens.ts';
import { listSessions } from '#app/domain/accounts/sign-in/session-list.ts';
import { findFactors } from '#app/domain/accounts/two-step/verify.ts';
import { getSettings } from '#app/domain/automation/settings.ts';
import { getConnection } from '#app/domain/linkedin/connection.ts';
import { getListedUser, readAccount } from '#app/domain/operations/users.ts';
import { listHistoryPosts, listQueuedPosts } from '#app/domain/pages/posts.ts';
import { listPayments } from '#app/domain/payments/history.ts';
import { findSubscription } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { presentTimeline } from '#app/domain/publishing/timeline.ts';
import { listOwnTickets } from '#app/domain/support/tickets.ts';
import { listTopics } from '#app/domain/topics/topics.ts';

const POSTS_SHOWN = 10;
const ROWS_SHOWN = 5;

/** `user` has the time zone of the admin, who reads the times. */
async function loadPosts(db: Db, user: Actor, cursor: string | undefined, now: Date) {
  const [queue, posts] = await Promise.all([
    listQueuedPosts(db, user, { limit: POSTS_SHOWN }, now),
    listHistoryPosts(db, user, { limit: POSTS_SHOWN, cursor }, now),
  ]);
  const attempts = new Map(
    [...queue.rows, ...posts.rows].map((post) => [
      post.id,
      presentTimeline(post, post.timeline, user.timeZone),
    ]),
  );
  return { queue, posts, attempts };
}

/** Loads no secrets: nothing here lets an admin sign in as the user. */
export async function loadUser(
  db: Db,
  admin: Actor,
  { id, cursor }: { id: string; cursor?: string | undefined },
  now: Date,
) {
  const user = await getListedUser(db, id);
  const page = { limit: ROWS_SHOWN };
  const [account, waysIn, factors, subscription, connection] = await Promise.all([
    readAccount(db, id),
    listSignInMethods(db, user),
    findFactors(db, id),
    findSubscription(db, user, now),
    getConnection(db, user, now),
  ]);
  const [settings, topics, payments, tickets, sessions, tokens, lists] = await Promise.all([
    getSettings(db, user, now),
    listTopics(db, user, { limit: POSTS_SHOWN }),
    listPayments(db, user, page, now),
    listOwnTickets(db, user, page),
    listSessions(db, user, now),
    listTokens(db, user, now),
    loadPosts(db, { ...user, timeZone: admin.timeZone }, cursor, now),
  ]);
  return {
    user,
    account,
    waysIn,
    factors,
    subscription,
    connection,
    settings,
    topics,
    payments,
    tickets,
    sessions,
    tokens,
    ...lists,
    isLater: cursor !== undefined,
  };
}
export type LoadedUser = Awaited<ReturnType<typeof loadUser>>;
