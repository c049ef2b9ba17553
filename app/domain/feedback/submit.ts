import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { formatUntil } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { type BoardEntry, boardOf, findFeedback } from './board.ts';
import { FEEDBACK_PER_DAY } from './limits.ts';
import type { FeedbackInput } from './schema.ts';

const DAY_MS = 86_400_000;
const DUPLICATE_WITHIN_MS = 60_000;

/** Repetitions from a form within a minute count once; a program's do not. */
type Sender = 'form' | 'program';

export async function submitFeedback(
  db: Db,
  actor: Actor,
  input: FeedbackInput,
  sender: Sender = 'form',
  now = databaseNow(),
): Promise<BoardEntry> {
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    const duplicate = sender === 'form' ? await findDuplicate(trx, actor, input, now) : undefined;
    if (duplicate) return duplicate;
    await limitPerDay(trx, actor, now);
    const { id } = await trx
      .insertInto('feedback')
      .values({ ...input, userId: actor.userId, createdAt: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    return findFeedback(trx, actor, id);
  });
}

const selectOwnSince = (trx: Trx, actor: Actor, since: Date) =>
  boardOf(trx, actor).where('userId', '=', actor.userId).where('createdAt', '>', since);

const findDuplicate = (trx: Trx, actor: Actor, { type, title, description }: FeedbackInput, now: Date) =>
  selectOwnSince(trx, actor, new Date(now.getTime() - DUPLICATE_WITHIN_MS))
    .where('type', '=', type)
    .where('title', '=', title)
    .where('description', '=', description)
    .limit(1)
    .executeTakeFirst();

async function limitPerDay(trx: Trx, { userId }: Actor, now: Date): Promise<void> {
  const first = await trx
    .selectFrom('feedback')
    .select('createdAt')
    .where('userId', '=', userId)
    .where('createdAt', '>', new Date(now.getTime() - DAY_MS))
    .orderBy('createdAt', 'desc')
    .offset(FEEDBACK_PER_DAY - 1)
    .limit(1)
    .executeTakeFirst();
  if (!first) return;
  const retryAt = new Date(first.createdAt.getTime() + DAY_MS);
  const wait = formatUntil(retryAt, now);
  const message = `You have sent ${FEEDBACK_PER_DAY} within a day, as much as we can take from one account. You can send this one ${wait}`;
  const retryAfter = Math.max(1, Math.ceil((retryAt.getTime() - now.getTime()) / 1000));
  throw new Refusal(429, 'rate_limited', message, { retryAfter });
}
