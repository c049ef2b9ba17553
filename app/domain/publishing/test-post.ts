import { type Db, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { localDayOf } from '#app/domain/automation/slots.ts';
import { formatInstant, formatMinute } from '#app/domain/dates.ts';
import { isUserConnected } from '#app/domain/linkedin/connection.ts';
import { findPost } from '#app/domain/posts/posts.ts';
import { findCountedTest, findLatestTest, findTestBefore } from '#app/domain/posts/test-posts.ts';
import { sendByHand } from '#app/domain/queue/deliveries.ts';
import { addPost } from '#app/domain/queue/standing.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { FAILED_TESTS_MAX } from './limits.ts';

/** The minute makes each text another one: LinkedIn refuses one it has seen. */
const textAt = (now: Date, timeZone: string) =>
  `I'm trying out Tidepost, which will publish my posts from now on. Only my connections see this one, and I'll delete it shortly. ${formatMinute(now, timeZone)}`;

/** Whoever moves to another time zone begins a new local day at once, so that most of a day lies between two as well. */
const BETWEEN_MS = 20 * 3_600_000;

const afterTest = (at: Date) => new Date(at.getTime() + BETWEEN_MS);

/** When the next one may go, and why not before; null when that is now. */
async function findNext(db: Db, { userId, timeZone }: Actor, now: Date) {
  const last = await findCountedTest(db, userId);
  if (last) {
    const { end } = localDayOf(last.createdAt, timeZone);
    const at = new Date(Math.max(end.getTime(), afterTest(last.createdAt).getTime()));
    if (at > now) return { at, why: 'You can send one test post a day' };
  }
  // Each of them was a call to LinkedIn and a mail, too.
  const failed = await findTestBefore(db, userId, FAILED_TESTS_MAX - 1);
  const at = failed && afterTest(failed.createdAt);
  return at && at > now ? { at, why: `${FAILED_TESTS_MAX} test posts have failed` } : null;
}

/**
 * Publishes a short text for the user's connections only, the way every post goes out. Once a local day; it takes
 * no slot and counts for nothing. One that failed leaves the day free, a few times.
 */
export async function sendTestPost(db: Db, actor: Actor, at?: Date): Promise<void> {
  const { userId, timeZone } = actor;
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    const now = at ?? (await databaseTime(trx));
    if (!(await isUserConnected(trx, userId, now))) {
      throw new Refusal(409, 'linkedin_not_connected', 'Please connect LinkedIn first');
    }
    const next = await findNext(trx, actor, now);
    if (next) {
      const message = `${next.why}, the next one from ${formatInstant(next.at, timeZone)}`;
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
  const next = await findNext(db, actor, now);
  return {
    nextAt: next?.at ?? null,
    post: last && !last.deletedAt ? await findPost(db, actor, last.id) : null,
  };
}
