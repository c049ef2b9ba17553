import { type Db, transact } from '#app/db/client.ts';
import { mailUser } from '#app/domain/accounts/users.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { formatInMail } from '#app/domain/platform/dates.ts';
import { lookUpPlace, presentPlace } from '#app/domain/platform/geoip.ts';
import { env } from '#app/env.ts';
import { deviceOf } from './user-agent.ts';

const HOUR_MS = 60 * 60_000;

/** Mails the owner about an unknown browser, at most once an hour for each kind. The first sign-in needs no mail. */
export async function recordSignIn(
  db: Db,
  userId: string,
  { userAgent, isKnown, network = '' }: { userAgent: string; isKnown: boolean; network?: string },
  now = databaseNow(),
): Promise<void> {
  await transact(db, async (trx) => {
    const user = await trx
      .selectFrom('users')
      .select(['signedInAt', 'timeZone'])
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!user) return;
    await trx.updateTable('users').set({ signedInAt: now }).where('id', '=', userId).execute();
    if (isKnown || !user.signedInAt) return;
    const device = deviceOf(userAgent) || 'A browser that does not say what it is';
    const data = {
      device,
      place: presentPlace(lookUpPlace(network)),
      at: formatInMail(now, user.timeZone),
      url: new URL('/forgot-password', env().APP_URL).href,
    };
    const hour = Math.floor(now.getTime() / HOUR_MS);
    await mailUser(trx, userId, 'newDevice', data, `new-device:${userId}:${device}:${hour}`);
  });
}
