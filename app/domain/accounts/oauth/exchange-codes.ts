import type { Db } from '#app/db/client.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { hashToken, randomToken } from '#app/domain/platform/secrets.ts';

const LIFE_MS = 60_000;

/**
 * What stands in the address at the end of a social sign-in instead of a session: good once, for a minute, in the browser
 * that holds `browserKey`.
 */
export async function issueExchangeCode(
  db: Db,
  { userId, browserKey }: { userId: string; browserKey: string },
  now = databaseNow(),
): Promise<string> {
  const code = randomToken();
  await db
    .insertInto('exchangeCodes')
    .values({
      userId,
      codeHash: hashToken(code),
      browserHash: hashToken(browserKey),
      expiresAt: new Date(now.getTime() + LIFE_MS),
    })
    .execute();
  return code;
}

/** Whom the code signs in; undefined when it is unknown, used, over, or another browser's. It is used up in any case. */
export async function redeemExchangeCode(
  db: Db,
  code: string,
  browserKey: string | undefined,
  now = databaseNow(),
): Promise<string | undefined> {
  const found = await db
    .deleteFrom('exchangeCodes')
    .where('codeHash', '=', hashToken(code))
    .where('browserHash', '=', hashToken(browserKey ?? ''))
    .where('expiresAt', '>', now)
    .returning('userId')
    .executeTakeFirst();
  return found?.userId;
}
