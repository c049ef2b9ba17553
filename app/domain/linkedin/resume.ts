import type { Db, Trx } from '#app/db/client.ts';
import type { ResumeChoice } from '#app/db/tables.ts';

/** When LinkedIn was connected again, and what was chosen since; undefined when there is no connection. */
export const findResume = (db: Db, userId: string) =>
  db
    .selectFrom('linkedinConnections')
    .select(['resumedAt', 'resumeChoice'])
    .where('userId', '=', userId)
    .executeTakeFirst();

/** The posts that were missed are dealt with. Asked under the lock of the user. */
export async function closeResume(trx: Trx, userId: string, choice: ResumeChoice): Promise<void> {
  await trx
    .updateTable('linkedinConnections')
    .set({ resumeChoice: choice })
    .where('userId', '=', userId)
    .execute();
}
