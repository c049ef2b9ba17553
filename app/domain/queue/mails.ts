import type { Trx } from '#app/db/client.ts';
import { mailUser } from '#app/domain/accounts/users.ts';
import { formatInstant } from '#app/domain/dates.ts';
import { env } from '#app/env.ts';

export type ToldPost = { id: string; userId: string; content: string };

export const NOT_THERE = 'It is not on LinkedIn.';

/** The first line of a post, as mails name it. */
export const openingOf = (content: string) => {
  const line = content.split('\n')[0]!;
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
};

export async function tellFailed(
  trx: Trx,
  post: ToldPost,
  reason: string,
  dedupeKey: string,
  isOnLinkedIn = NOT_THERE,
): Promise<void> {
  const data = {
    reason: `${reason}.`,
    opening: openingOf(post.content),
    isOnLinkedIn,
    url: `${env().APP_URL}/app/posts`,
  };
  await mailUser(trx, post.userId, 'postFailed', data, dedupeKey);
}

export async function tellMoved(
  trx: Trx,
  post: ToldPost,
  from: Date,
  to: Date,
  timeZone: string,
): Promise<void> {
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short', timeZone });
  const data = {
    opening: openingOf(post.content),
    from: format.format(from),
    to: format.format(to),
    url: `${env().APP_URL}/app/scheduled`,
  };
  await mailUser(trx, post.userId, 'postMoved', data, `moved:${post.id}:${from.getTime()}`);
}

type Placed = { opening: string; at: Date; timeZone: string };

/** Nobody chose in time what becomes of missed posts, so they took the next free slots. */
export async function tellResumed(
  trx: Trx,
  userId: string,
  placed: Placed[],
  resumedAt: Date,
): Promise<void> {
  const posts = placed.map(({ opening, at, timeZone }) => ({ opening, at: formatInstant(at, timeZone) }));
  const url = `${env().APP_URL}/app/scheduled`;
  await mailUser(trx, userId, 'postsResumed', { posts, url }, `resumed:${userId}:${resumedAt.toISOString()}`);
}
