import { sql } from 'kysely';
import type { Trx } from '#app/db/client.ts';
import { shareUser } from '#app/domain/accounts/users.ts';

/** The number of the lock is ours alone in the database; it names the publishing switch. */
const SWITCH = 71_400;

/** A lock that another transaction has for long must not keep a connection that all posts share. */
const LOCKED_MS = 2_000;

/** From here on the transaction gives up on a lock that it does not get within two seconds: see `isBusy`. */
export async function waitBriefly(trx: Trx): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCKED_MS)}`.execute(trx);
}

/** Whether a transaction was given up because somebody else has what it needs. */
export const isBusy = (error: unknown) => (error as { code?: string } | null)?.code === '55P03';

/**
 * What the owner and the operator want stays as it is until the transaction ends: a pause, a disconnection or
 * the switch that is being written is waited for, and one that comes later waits. Before any lock of a post.
 */
export async function lockOwnerAndSwitch(trx: Trx, userId: string): Promise<void> {
  await waitBriefly(trx);
  await shareSwitch(trx);
  await shareUser(trx, userId);
}

/** The part of `lockOwnerAndSwitch` that is about the operator's. */
export async function shareSwitch(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${SWITCH})`.execute(trx);
}

/** For whoever turns the publishing switch: attempts that are being written are waited for. */
export async function lockSwitch(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SWITCH})`.execute(trx);
}
