import type { Db, Trx } from '#app/db/client.ts';
import type { ResumeChoice } from '#app/db/tables.ts';

/** When LinkedIn was reconnected and what the user chose for missed posts; undefined without a connection. */
export const findResume = (db: Db, userId: string) =>
  db
    .selectFrom('linkedinConnections')
    .select(['resumedAt', 'resumeChoice'])
    .where('userId', '=', userId)
    .executeTakeFirst();

/** Stores the choice for missed posts, under the user's lock. */
export async function resolveResume(trx: Trx, userId: string, choice: ResumeChoice): Promise<void> {
  await trx
    .updateTable('linkedinConnections')
    .set({ resumeChoice: choice })
    .where('userId', '=', userId)
    .execute();
}
