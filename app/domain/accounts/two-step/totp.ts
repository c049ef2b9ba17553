import { Secret, TOTP } from 'otpauth';
import type { Db, Trx } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { isSealedBefore, open, type Resealed, resealEach, seal } from '#app/domain/platform/secrets.ts';

/** RFC 4226. */
const SECRET_BYTES = 20;
/** Also accepts the code of the previous and the next step, because clocks differ. */
const DRIFT_STEPS = 1;
/** Until an unconfirmed secret expires. */
const SETUP_LIFE_MS = 60 * 60_000;

const context = (userId: string) => `authenticator_apps.secret:${userId}`;

const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer: 'Tidepost', label, secret: Secret.fromBase32(secret) });

const alreadySetUp = () =>
  new Refusal(409, 'already_set_up', 'An authenticator app is set up already. Remove it first.');

/** `field` is the input with the code. */
export const wrongCode = (field = 'otp') =>
  new Refusal(400, 'invalid_second_step', 'This code is wrong, too old, or was used already', { field });

const findPending = (db: Db, userId: string, now: Date) =>
  db
    .selectFrom('authenticatorApps')
    .select('secretSealed')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is', null)
    .where('createdAt', '>', new Date(now.getTime() - SETUP_LIFE_MS))
    .executeTakeFirst();

/** Creates a secret. It replaces an unconfirmed one, which someone else may have seen. */
export async function beginTotp(db: Db, { userId }: Actor, now = databaseNow()): Promise<void> {
  const secretSealed = seal(new Secret({ size: SECRET_BYTES }).base32, context(userId));
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('authenticatorApps')
    .values({ userId, secretSealed, createdAt: now })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet({ secretSealed, createdAt: now })
        .where('authenticatorApps.confirmedAt', 'is', null),
    )
    .executeTakeFirst();
  if (!numInsertedOrUpdatedRows) throw alreadySetUp();
}

export type AppToSetUp = { groups: string; uri: string };

export async function findAppToSetUp(
  db: Db,
  { userId, email }: Actor,
  now = databaseNow(),
): Promise<AppToSetUp | undefined> {
  const row = await findPending(db, userId, now);
  if (!row) return undefined;
  const secret = open(row.secretSealed, context(userId));
  return { groups: secret.match(/.{1,4}/g)!.join(' '), uri: totpOf(secret, email).toString() };
}

/** The time step of a code, or undefined when the code is wrong. */
function stepOf(secret: string, code: string, now: Date): number | undefined {
  const totp = totpOf(secret);
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: DRIFT_STEPS });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

/** Confirms the app with its current code, which can't be used again. Throws a Refusal for a wrong code. */
export async function confirmApp(trx: Trx, userId: string, code: string, now: Date): Promise<void> {
  const row = await findPending(trx, userId, now);
  const step = row && stepOf(open(row.secretSealed, context(userId)), code, now);
  if (!row || step === undefined) throw wrongCode('code');
  const { numUpdatedRows } = await trx
    .updateTable('authenticatorApps')
    .set({ confirmedAt: now, lastStep: step })
    .where('userId', '=', userId)
    .where('secretSealed', '=', row.secretSealed)
    .where('confirmedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw alreadySetUp();
}

/** Accepts a code once: neither it nor an earlier one works again. Returns whether it was correct. */
export async function consumeAppCode(db: Db, userId: string, code: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('authenticatorApps')
    .select('secretSealed')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst();
  const step = row && stepOf(open(row.secretSealed, context(userId)), code, now);
  if (!row || step === undefined) return false;
  const { numUpdatedRows } = await db
    .updateTable('authenticatorApps')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('secretSealed', '=', row.secretSealed)
    .where('lastStep', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function removeApp(trx: Trx, userId: string): Promise<boolean> {
  const row = await trx
    .deleteFrom('authenticatorApps')
    .where('userId', '=', userId)
    .returning('confirmedAt')
    .executeTakeFirst();
  return Boolean(row?.confirmedAt);
}

export async function resealApps(db: Db): Promise<Resealed> {
  const rows = await db
    .selectFrom('authenticatorApps')
    .select(['userId', 'secretSealed'])
    .where(({ ref }) => isSealedBefore(ref('secretSealed')))
    .execute();
  return resealEach(
    rows,
    ({ userId, secretSealed }) => seal(open(secretSealed, context(userId)), context(userId)),
    (row, secretSealed) =>
      db
        .updateTable('authenticatorApps')
        .set({ secretSealed })
        .where('userId', '=', row.userId)
        .where('secretSealed', '=', row.secretSealed)
        .execute(),
  );
}
