import { type Db, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { findSameFact, storeFact } from './fact-list.ts';
import { INTERVIEW } from './limits.ts';
import { markInterviewed } from './voice.ts';

export async function listAnswers(db: Db, { userId }: Actor): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom('facts')
    .select(['question', 'content'])
    .where('userId', '=', userId)
    .where('question', 'is not', null)
    .execute();
  return INTERVIEW.map((_, at) => rows.find(({ question }) => question === at + 1)?.content ?? null);
}

/** Stores an answer as a fact for all topics. It replaces an earlier answer to the same question. */
export async function answerQuestion(
  db: Db,
  { userId }: Actor,
  { question, content }: { question: number; content: string },
): Promise<void> {
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    const same = await findSameFact(trx, userId, content);
    const ofQuestion = trx
      .updateTable('facts')
      .where('userId', '=', userId)
      .where('question', '=', question)
      .where('id', 'is distinct from', same?.id ?? null);
    if (!same) {
      const changed = await ofQuestion.set({ content }).returning('id').executeTakeFirst();
      const { kind } = INTERVIEW[question - 1]!;
      if (!changed) await storeFact(trx, userId, { content, topicId: null, kind, question });
      return;
    }
    await ofQuestion.set({ question: null }).execute();
    await trx.updateTable('facts').set({ question }).where('id', '=', same.id).execute();
  });
}

/** Records that the user answered or dismissed the questions. They are no longer offered, but can be opened. */
export async function endInterview(db: Db, { userId }: Actor, now = new Date()): Promise<void> {
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    await markInterviewed(trx, userId, now);
  });
}
