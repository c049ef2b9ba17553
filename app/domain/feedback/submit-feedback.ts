import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { formatUntil } from '#app/domain/dates.ts';
import { present } from '#app/domain/present.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { hashToken } from '#app/domain/secrets.ts';
import { type BoardEntry, boardOf, findFeedback } from './board.ts';
import { FEEDBACK_PER_DAY } from './limits.ts';
import type { FeedbackInput } from './schema.ts';

const DAY = 86_400_000;
const TWICE_WITHIN = 60_000;

/** `key`: what a program calls its call, which is answered the same when it comes again. */
type Sent = FeedbackInput & { key?: string | undefined };

/** Puts feedback on the board. What a form sends twice within a minute is one. */
export async function submitFeedback(
  db: Db,
  actor: Actor,
  { key, ...input }: Sent,
  now = present(),
): Promise<BoardEntry> {
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    const known = key
      ? await findAskedAs(trx, actor, key, input, now)
      : await findSame(trx, actor, input, now);
    if (known) return known;
    await requireLeft(trx, actor, now);
    const askedAs = key ? `${key} ${bodyOf(input)}` : null;
    const { id } = await trx
      .insertInto('feedback')
      .values({ ...input, userId: actor.userId, askedAs, createdAt: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    return findFeedback(trx, actor, id);
  });
}

const bodyOf = ({ type, title, description, rating }: FeedbackInput) =>
  hashToken(JSON.stringify([type, title, description, rating]));

const ownSince = (trx: Trx, actor: Actor, since: Date) =>
  boardOf(trx, actor).where('userId', '=', actor.userId).where('createdAt', '>', since);

/** A key is free again after a day. */
async function findAskedAs(trx: Trx, actor: Actor, key: string, input: FeedbackInput, now: Date) {
  const begun = await ownSince(trx, actor, new Date(now.getTime() - DAY))
    .select('askedAs')
    .where(({ fn, val }) => fn('starts_with', ['askedAs', val(`${key} `)]), 'is', true)
    .executeTakeFirst();
  if (!begun) {
    // One of before keeps its place without its key.
    await trx
      .updateTable('feedback')
      .set({ askedAs: null })
      .where('userId', '=', actor.userId)
      .where('askedAs', '=', `${key} ${bodyOf(input)}`)
      .execute();
    return undefined;
  }
  if (begun.askedAs !== `${key} ${bodyOf(input)}`) {
    const message = 'This Idempotency-Key was used for a call that asked for something else';
    throw new Refusal(422, 'idempotency_mismatch', message);
  }
  return begun;
}

const findSame = (trx: Trx, actor: Actor, { type, title, description }: FeedbackInput, now: Date) =>
  ownSince(trx, actor, new Date(now.getTime() - TWICE_WITHIN))
    .where('type', '=', type)
    .where('title', '=', title)
    .where('description', '=', description)
    .limit(1)
    .executeTakeFirst();

/** Refuses what is more than one account sends within a day. */
async function requireLeft(trx: Trx, { userId }: Actor, now: Date): Promise<void> {
  const first = await trx
    .selectFrom('feedback')
    .select('createdAt')
    .where('userId', '=', userId)
    .where('createdAt', '>', new Date(now.getTime() - DAY))
    .orderBy('createdAt', 'desc')
    .offset(FEEDBACK_PER_DAY - 1)
    .limit(1)
    .executeTakeFirst();
  if (!first) return;
  const again = new Date(first.createdAt.getTime() + DAY);
  const wait = formatUntil(again, now);
  const message = `You have sent ${FEEDBACK_PER_DAY} within a day, as much as we can take from one account. You can send this one ${wait}`;
  const retryAfter = Math.max(1, Math.ceil((again.getTime() - now.getTime()) / 1000));
  throw new Refusal(429, 'rate_limited', message, { retryAfter });
}
