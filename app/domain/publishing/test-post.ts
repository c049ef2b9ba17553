import { type Db, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { localDayOf } from '#app/domain/automation/slots.ts';
import { formatInstant, formatMinute } from '#app/domain/dates.ts';
import { isUserConnected } from '#app/domain/linkedin/connection.ts';
import { findPost } from '#app/domain/posts/posts.ts';
import { findCountedTest, findLatestTest } from '#app/domain/posts/test-posts.ts';
import { sendByHand } from '#app/domain/queue/deliveries.ts';
import { addPost } from '#app/domain/queue/standing.ts';
import { Refusal } from '#app/domain/refusal.ts';

/** The minute makes each text another one: LinkedIn refuses one it has seen. */
const textAt = (now: Date, timeZone: string) =>
  `I'm trying out Tidepost, which will publish my posts from now on. Only my connections see this one, and I'll delete it shortly. ${formatMinute(now, timeZone)}`;

/** Whoever moves to another time zone begins a new local day at once, so that most of a day lies between two as well. */
const BETWEEN_MS = 20 * 3_600_000;

/** When the next one may go; null when that is now. */
async function findNextAt(db: Db, { userId, timeZone }: Actor, now: Date): Promise<Date | null> {
  const last = await findCountedTest(db, userId);
  if (!last) return null;
  const { end } = localDayOf(last.createdAt, timeZone);
  const nextAt = new Date(Math.max(end.getTime(), last.createdAt.getTime() + BETWEEN_MS));
  return nextAt > now ? nextAt : null;
}

/**
 * Publishes a short text for the user's connections only, the way every post goes out. Once a local day; it takes
 * no slot and counts for nothing.
 */
export async function sendTestPost(db: Db, actor: Actor, at?: Date): Promise<void> {
  const { userId, timeZone } = actor;
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    const now = at ?? (await databaseTime(trx));
    if (!(await isUserConnected(trx, userId, now))) {
      throw new Refusal(409, 'linkedin_not_connected', 'Please connect LinkedIn first');
    }
    const nextAt = await findNextAt(trx, actor, now);
    if (nextAt) {
      const message = `You can send one test post a day, the next one from ${formatInstant(nextAt, timeZone)}`;
      throw new Refusal(429, 'rate_limited', message);
    }
    const content = textAt(now, timeZone);
    const post = { userId, content, visibility: 'CONNECTIONS' as const, createdAt: now };
    const postId = await addPost(trx, post, null);
    await sendByHand(trx, postId!, now);
  });
}

/** The newest test post, unless it is deleted, and from when another one may be sent; null when that is now. */
export async function findTestPost(db: Db, actor: Actor, now = new Date()) {
  const last = await findLatestTest(db, actor.userId);
  const nextAt = await findNextAt(db, actor, now);
  return { nextAt, post: last && !last.deletedAt ? await findPost(db, actor, last.id) : null };
}
