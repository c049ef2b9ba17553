import type { Db } from '#app/db/client.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { hashToken, randomToken } from '#app/domain/platform/secrets.ts';

const LIFE_MS = 60_000;

/** A code for the redirect after a social sign-in: it works once, for a minute, with this `browserKey`. */
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

/** Deletes the code. Returns undefined when it is unknown, used, expired or another browser's. */
export async function redeemExchangeCode(
  db: Db,
  code: string,
  browserKey: string | undefined,
  now = databaseNow(),
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('exchangeCodes')
    .where('codeHash', '=', hashToken(code))
    .where('browserHash', '=', hashToken(browserKey ?? ''))
    .where('expiresAt', '>', now)
    .returning('userId')
    .executeTakeFirst();
  return row?.userId;
}
