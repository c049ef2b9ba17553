import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { type BoardEntry, findFeedback } from './board.ts';

/** The trigger of the table keeps the number of votes. Answers whether anything was changed. */
async function add(trx: Trx, { userId }: Actor, feedbackId: string): Promise<boolean> {
  const added = await trx
    .insertInto('feedbackVotes')
    .values({ feedbackId, userId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .executeTakeFirst();
  return added !== undefined;
}

const takeBack = (trx: Trx, { userId }: Actor, feedbackId: string) =>
  trx.deleteFrom('feedbackVotes').where('feedbackId', '=', feedbackId).where('userId', '=', userId).execute();

/** Votes for one thing come one after the other: none holds a part of its row that another or who is erased waits for. */
const inTurnFor = (trx: Trx, feedbackId: string) =>
  trx.selectFrom('feedback').select('id').where('id', '=', feedbackId).forNoKeyUpdate().execute();

type Vote = { feedbackId: string; isWanted?: boolean };

/**
 * The actor is for it, or is not any more: as `isStillClaimed` says, so that two presses of one button do the same as one.
 * Without it a vote that is there is taken back.
 */
export async function vote(db: Db, actor: Actor, { feedbackId, isWanted }: Vote): Promise<BoardEntry> {
  return transact(db, async (trx) => {
    // Whoever is erased waits, or does not vote any more.
    await lockUser(trx, actor.userId);
    const { id } = await findFeedback(trx, actor, feedbackId);
    await inTurnFor(trx, id);
    const isAdded = isWanted !== false && (await add(trx, actor, id));
    if (!isAdded && isWanted !== true) await takeBack(trx, actor, id);
    return findFeedback(trx, actor, id);
  });
}
