import type { Db } from '#app/db/client.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { env } from '#app/env.ts';

/** One mail for as long as LinkedIn is not connected: posts are written and wait. */
export async function askToConnect(db: Db, userId: string): Promise<void> {
  const user = await db
    .selectFrom('users')
    .select(['name', 'email'])
    .select(({ selectFrom }) =>
      selectFrom('deliveries')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .whereRef('deliveries.userId', '=', 'users.id')
        .as('posts'),
    )
    .where('id', '=', userId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('linkedinConnections').select('userId').whereRef('userId', '=', 'users.id'))),
    )
    .executeTakeFirst();
  const posts = Number(user?.posts ?? 0);
  if (!user || posts === 0) return;
  const data = { name: user.name, posts, url: `${env().APP_URL}/app/linkedin` };
  await queueMail(db, { address: user.email, userId }, 'connectLinkedIn', data, `connect-linkedin:${userId}`);
}
