import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { KEY_KEPT_MS } from '#app/domain/asked-as.ts';
import { present } from '#app/domain/present.ts';
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

const keptSince = (now: Date) => new Date(now.getTime() - KEY_KEPT_MS);

const findPress = (
  trx: Trx,
  { userId }: Actor,
  { feedbackId, key }: { feedbackId: string; key: string },
  now: Date,
) =>
  trx
    .selectFrom('feedbackPresses')
    .select(['hasVoted', 'upvotes'])
    .where('userId', '=', userId)
    .where('feedbackId', '=', feedbackId)
    .where('key', '=', key)
    .where('createdAt', '>', keptSince(now))
    .executeTakeFirst();

async function notePress(
  trx: Trx,
  { userId }: Actor,
  { key, entry: { id: feedbackId, hasVoted, upvotes } }: { key: string; entry: BoardEntry },
  createdAt: Date,
): Promise<void> {
  const said = { hasVoted, upvotes, createdAt };
  await trx
    .insertInto('feedbackPresses')
    .values({ userId, feedbackId, key, ...said })
    .onConflict((conflict) => conflict.columns(['userId', 'feedbackId', 'key']).doUpdateSet(said))
    .execute();
}

/** Forgets the keys of votes that are free again. */
export async function forgetPresses(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('feedbackPresses').where('createdAt', '<=', keptSince(now)).execute();
}

/** Votes for one thing come one after the other: none holds a part of its row that another or who is erased waits for. */
const inTurnFor = (trx: Trx, feedbackId: string) =>
  trx.selectFrom('feedback').select('id').where('id', '=', feedbackId).forNoKeyUpdate().execute();

type Vote = { feedbackId: string; isWanted?: boolean; key?: string | undefined };

/**
 * The actor is for it, or is not any more: as `isWanted` says, so that two presses of one button do the same as one.
 * Without it a vote that is there is taken back. `key`: what a program calls its call, which changes nothing when it
 * comes again, and is answered the same.
 */
export async function vote(
  db: Db,
  actor: Actor,
  { feedbackId, isWanted, key }: Vote,
  now = present(),
): Promise<BoardEntry & { isReplayed: boolean }> {
  return transact(db, async (trx) => {
    // Whoever is erased waits, or does not vote any more.
    await lockUser(trx, actor.userId);
    const entry = await findFeedback(trx, actor, feedbackId);
    const { id } = entry;
    const pressed = key && (await findPress(trx, actor, { feedbackId: id, key }, now));
    if (pressed) return { ...entry, ...pressed, isReplayed: true };
    await inTurnFor(trx, id);
    const isAdded = isWanted !== false && (await add(trx, actor, id));
    if (!isAdded && isWanted !== true) await takeBack(trx, actor, id);
    const after = await findFeedback(trx, actor, id);
    if (key) await notePress(trx, actor, { key, entry: after }, now);
    return { ...after, isReplayed: false };
  });
}
