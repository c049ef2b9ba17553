import type { Trx } from '#app/db/client.ts';
import { mailUser } from '#app/domain/accounts/users.ts';
import { recentActivityUrl } from '#app/domain/posts/linkedin-urls.ts';
import { type MailedPost, openingOf } from '#app/domain/queue/mails.ts';
import { env } from '#app/env.ts';

export async function mailUnconfirmed(trx: Trx, post: MailedPost, publicationId: string): Promise<void> {
  const data = {
    opening: openingOf(post.content),
    profileUrl: recentActivityUrl(),
    url: `${env().APP_URL}/app/posts`,
  };
  await mailUser(trx, post.userId, 'postUnconfirmed', data, `unconfirmed:${publicationId}`);
}
