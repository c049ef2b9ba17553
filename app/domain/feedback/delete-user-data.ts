import type { Trx } from '#app/db/client.ts';

/** Locks all affected rows first, in order: two deletions would deadlock otherwise. */
export async function deleteUserFeedback(trx: Trx, userId: string): Promise<void> {
  await trx
    .selectFrom('feedback')
    .select('id')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('feedback as own')
        .select('own.id')
        .where('own.userId', '=', userId)
        .unionAll(selectFrom('feedbackVotes').select('feedbackId as id').where('userId', '=', userId)),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  await trx.deleteFrom('feedbackVotes').where('userId', '=', userId).execute();
  await trx.deleteFrom('feedback').where('userId', '=', userId).execute();
}
