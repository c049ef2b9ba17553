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

/** What is queued and what was written, with the attempts at each; the clock is the reader's. */
async function readPostsOf(db: Db, reader: Actor, cursor: string | undefined, now: Date) {
  const [queue, posts] = await Promise.all([
    listQueuedPosts(db, reader, { limit: POSTS_SHOWN }, now),
    listHistoryPosts(db, reader, { limit: POSTS_SHOWN, cursor }, now),
  ]);
  const attempts = new Map(
    [...queue.rows, ...posts.rows].map((post) => [
      post.id,
      presentTimeline(post, post.timeline, reader.timeZone),
    ]),
  );
  return { queue, posts, attempts };
}

/** Everything of an account in one place, but nothing that lets anybody in. */
export async function loadUser(
  db: Db,
  admin: Actor,
  { id, cursor }: { id: string; cursor?: string | undefined },
  now: Date,
) {
  const person = await getListedUser(db, id);
  const some = { limit: ROWS_SHOWN };
  const [account, waysIn, factors, subscription, connection] = await Promise.all([
    readAccount(db, id),
    listSignInMethods(db, person),
    findFactors(db, id),
    findSubscription(db, person, now),
    getConnection(db, person, now),
  ]);
  const [settings, topics, payments, tickets, sessions, tokens, written] = await Promise.all([
    getSettings(db, person, now),
    listTopics(db, person, { limit: POSTS_SHOWN }),
    listPayments(db, person, some, now),
    listOwnTickets(db, person, some),
    listSessions(db, person, now),
    listTokens(db, person, now),
    readPostsOf(db, { ...person, timeZone: admin.timeZone }, cursor, now),
  ]);
  return {
    person,
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
    ...written,
    isLater: cursor !== undefined,
  };
}
export type LoadedUser = Awaited<ReturnType<typeof loadUser>>;
