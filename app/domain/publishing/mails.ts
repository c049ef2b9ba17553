import type { Trx } from '#app/db/client.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { env } from '#app/env.ts';

type Post = { id: string; userId: string; content: string };

export const NOT_THERE = 'It is not on LinkedIn.';

const openingOf = (content: string) => {
  const line = content.split('\n')[0]!;
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
};

const ownerOf = (trx: Trx, userId: string) =>
  trx.selectFrom('users').select(['name', 'email']).where('id', '=', userId).executeTakeFirstOrThrow();

export async function tellFailed(
  trx: Trx,
  post: Post,
  reason: string,
  dedupeKey: string,
  isOnLinkedIn = NOT_THERE,
): Promise<void> {
  const { name, email } = await ownerOf(trx, post.userId);
  const data = {
    name,
    reason: `${reason}.`,
    opening: openingOf(post.content),
    isOnLinkedIn,
    url: `${env().APP_URL}/app/posts`,
  };
  await queueMail(trx, { address: email, userId: post.userId }, 'postFailed', data, dedupeKey);
}

export async function tellUnconfirmed(trx: Trx, post: Post, publicationId: string): Promise<void> {
  const { name, email } = await ownerOf(trx, post.userId);
  const data = {
    name,
    opening: openingOf(post.content),
    profileUrl: `${env().LINKEDIN_AUTH_URL}/in/me/recent-activity/all/`,
    url: `${env().APP_URL}/app/posts`,
  };
  const to = { address: email, userId: post.userId };
  await queueMail(trx, to, 'postUnconfirmed', data, `unconfirmed:${publicationId}`);
}

export async function tellMoved(trx: Trx, post: Post, from: Date, to: Date, timeZone: string): Promise<void> {
  const { name, email } = await ownerOf(trx, post.userId);
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short', timeZone });
  const data = {
    name,
    opening: openingOf(post.content),
    from: format.format(from),
    to: format.format(to),
    url: `${env().APP_URL}/app/scheduled`,
  };
  const recipient = { address: email, userId: post.userId };
  await queueMail(trx, recipient, 'postMoved', data, `moved:${post.id}:${from.getTime()}`);
}
