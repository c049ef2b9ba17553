import { Secret } from 'otpauth';
import type { Db, Trx } from '#app/db/client.ts';
import { RECOVERY_CODES } from '#app/domain/accounts/limits.ts';
import { hashToken } from '#app/domain/platform/secrets.ts';

/** 80 random bits: 16 unambiguous letters and digits. */
const CODE_BYTES = 10;

const hashOf = (userId: string, code: string) => hashToken(`recovery:${userId}:${code}`);

/** Undoes common typing errors. The alphabet has neither 0, 1 nor 8. */
const canonical = (typed: string) =>
  typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('0', 'O').replaceAll('1', 'I').replaceAll('8', 'B');

const toGroups = (code: string) => code.match(/.{4}/g)!.join('-');

export async function makeRecoveryCodes(trx: Trx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => new Secret({ size: CODE_BYTES }).base32);
  await trx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  await trx
    .insertInto('recoveryCodes')
    .values(codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })))
    .execute();
  return codes.map(toGroups);
}

export async function consumeRecoveryCode(db: Db, userId: string, typed: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('codeHash', '=', hashOf(userId, canonical(typed)))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { left } = await db
    .selectFrom('recoveryCodes')
    .select((eb) => eb.fn.countAll<string>().as('left'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(left);
}
