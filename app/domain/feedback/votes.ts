import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { type BoardEntry, findFeedback } from './board.ts';

/** A trigger counts the votes. Returns undefined when there was a vote already. */
const addVote = (trx: Trx, { userId }: Actor, feedbackId: string) =>
  trx
    .insertInto('feedbackVotes')
    .values({ feedbackId, userId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .executeTakeFirst();

const removeVote = (trx: Trx, { userId }: Actor, feedbackId: string) =>
  trx.deleteFrom('feedbackVotes').where('feedbackId', '=', feedbackId).where('userId', '=', userId).execute();

/** Serializes votes for one entry, also with the deletion of an account: otherwise they could deadlock. */
const lockFeedback = (trx: Trx, feedbackId: string) =>
  trx.selectFrom('feedback').select('id').where('id', '=', feedbackId).forNoKeyUpdate().execute();

type Vote = { feedbackId: string; isWanted?: boolean };

/** Sets the actor's vote to `isWanted`, so that a repeated click changes nothing; without it the vote is toggled. */
export async function vote(db: Db, actor: Actor, { feedbackId, isWanted }: Vote): Promise<BoardEntry> {
  return transact(db, async (trx) => {
    // A deletion of the account waits for this lock, or has removed the user.
    await lockUser(trx, actor.userId);
    const { id } = await findFeedback(trx, actor, feedbackId);
    await lockFeedback(trx, id);
    const isAdded = isWanted !== false && (await addVote(trx, actor, id));
    if (!isAdded && isWanted !== true) await removeVote(trx, actor, id);
    return findFeedback(trx, actor, id);
  });
}
