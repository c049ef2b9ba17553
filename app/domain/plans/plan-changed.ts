import type { Trx } from '#app/db/client.ts';

/**
 * Called in the transaction in which a user's plan begins, changes or ends: after a payment is verified, and
 * when a plan is over (another may begin at that instant). What follows from the plan is decided here.
 */
export async function planChanged(_trx: Trx, _userId: string, _now: Date): Promise<void> {}
