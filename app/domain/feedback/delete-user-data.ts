import type { Trx } from '#app/db/client.ts';

/**
 * Forgets what an account wrote and voted for. All that it changes is locked first, in one order: two accounts that go at
 * once and voted for the same, or for one another's, would else each hold what the other waits for.
 */
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
