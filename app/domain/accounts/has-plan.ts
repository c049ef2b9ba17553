import type { Trx } from '#app/db/client.ts';

/** Keeps of a user whether they have a plan. Triggers on payments do so by themselves; this is for what escaped them. */
export const setHasPlan = (trx: Trx, userId: string, hasPlan: boolean) =>
  trx.updateTable('users').set({ hasPlan }).where('id', '=', userId).execute();
