import { sql } from 'kysely';
import type { Trx } from '#app/db/client.ts';
import { shareUser } from '#app/domain/accounts/users.ts';

const PAUSE_LOCK = 71_400;

/** A transaction that waits for a lock keeps one of the few connections that all posts share. */
const LOCK_TIMEOUT_MS = 2_000;

/** Makes statements of the transaction fail when they wait for a lock for more than two seconds: see `isLockTimeout`. */
export async function setLockTimeout(trx: Trx): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(trx);
}

/** Returns whether a transaction failed because another one had a lock for too long. */
export const isLockTimeout = (error: unknown) => (error as { code?: string } | null)?.code === '55P03';

/**
 * Takes shared locks of the user and of the pause until the transaction ends: it waits for changes of settings, the
 * connection or the pause that are being written, and later changes wait for it. Call it before any lock of a post.
 */
export async function lockOwnerAndPause(trx: Trx, userId: string): Promise<void> {
  await setLockTimeout(trx);
  await sharePauseLock(trx);
  await shareUser(trx, userId);
}

export async function sharePauseLock(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${PAUSE_LOCK})`.execute(trx);
}

/** For a change of the pause: waits for the attempts that are being written. */
export async function lockPause(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PAUSE_LOCK})`.execute(trx);
}
