import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { askedAs, isAskedWith, KEY_KEPT_MS, otherBody } from '#app/domain/asked-as.ts';
import { formatUntil } from '#app/domain/dates.ts';
import { present } from '#app/domain/present.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { type BoardEntry, boardOf, findFeedback } from './board.ts';
import { FEEDBACK_PER_DAY } from './limits.ts';
import type { FeedbackInput } from './schema.ts';

const DAY_MS = 86_400_000;
const TWICE_WITHIN_MS = 60_000;

/** `key`: what a program calls its call, which is answered the same when it comes again. */
type Sent = FeedbackInput & { key?: string | undefined };

type Submitted = BoardEntry & { isReplayed: boolean };

/** Puts feedback on the board. What a form sends twice within a minute is one. */
export async function submitFeedback(
  db: Db,
  actor: Actor,
  { key, ...input }: Sent,
  now = present(),
): Promise<Submitted> {
  const asked = key ? askedAs(key, bodyOf(input)) : null;
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    const begun = key && (await findAskedAs(trx, actor, { key, asked }, now));
    if (begun) return { ...begun, ...AS_SENT, isReplayed: true };
    const same = key ? undefined : await findSame(trx, actor, input, now);
    if (same) return { ...same, isReplayed: false };
    await requireLeft(trx, actor, now);
    const { id } = await trx
      .insertInto('feedback')
      .values({ ...input, userId: actor.userId, askedAs: asked, createdAt: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { ...(await findFeedback(trx, actor, id)), isReplayed: false };
  });
}

const bodyOf = ({ type, title, description, rating }: FeedbackInput) => [type, title, description, rating];

/** Whoever sends it again is answered as the first time, whatever has become of it. */
const AS_SENT = { status: 'new', upvotes: 0, hasVoted: false } as const;

const ownSince = (trx: Trx, actor: Actor, since: Date) =>
  boardOf(trx, actor).where('userId', '=', actor.userId).where('createdAt', '>', since);

type Asked = { key: string; asked: string | null };

/** What was sent with the key. Refuses another body with it; after a day it is free again. */
async function findAskedAs(trx: Trx, actor: Actor, { key, asked }: Asked, now: Date) {
  const begun = await ownSince(trx, actor, new Date(now.getTime() - KEY_KEPT_MS))
    .select('askedAs')
    .where(isAskedWith(key))
    .executeTakeFirst();
  if (!begun) {
    // One of before keeps its place without its key.
    await trx
      .updateTable('feedback')
      .set({ askedAs: null })
      .where('userId', '=', actor.userId)
      .where('askedAs', '=', asked)
      .execute();
    return undefined;
  }
  if (begun.askedAs !== asked) throw otherBody();
  return begun;
}

const findSame = (trx: Trx, actor: Actor, { type, title, description }: FeedbackInput, now: Date) =>
  ownSince(trx, actor, new Date(now.getTime() - TWICE_WITHIN_MS))
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
    .where('createdAt', '>', new Date(now.getTime() - DAY_MS))
    .orderBy('createdAt', 'desc')
    .offset(FEEDBACK_PER_DAY - 1)
    .limit(1)
    .executeTakeFirst();
  if (!first) return;
  const again = new Date(first.createdAt.getTime() + DAY_MS);
  const wait = formatUntil(again, now);
  const message = `You have sent ${FEEDBACK_PER_DAY} within a day, as much as we can take from one account. You can send this one ${wait}`;
  const retryAfter = Math.max(1, Math.ceil((again.getTime() - now.getTime()) / 1000));
  throw new Refusal(429, 'rate_limited', message, { retryAfter });
}
