import { type Db, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { localDayOf } from '#app/domain/automation/slots.ts';
import { formatMinute } from '#app/domain/dates.ts';
import { isUserConnected } from '#app/domain/linkedin/connection.ts';
import { findPost } from '#app/domain/posts/posts.ts';
import { createPost } from '#app/domain/posts/rows.ts';
import { findLatestTest } from '#app/domain/posts/test-posts.ts';
import { sendByHand } from '#app/domain/queue/deliveries.ts';
import { Refusal } from '#app/domain/refusal.ts';

/** The minute makes each text another one: LinkedIn refuses one it has seen. */
const textAt = (now: Date, timeZone: string) =>
  `A short test: Tidepost publishes posts for me from now on. Only my connections see this one, and I delete it soon. ${formatMinute(now, timeZone)}`;

const isToday = (at: Date, { timeZone }: Actor, now: Date) => at >= localDayOf(now, timeZone).start;

/**
 * Publishes a short text for the user's connections only, the way every post goes out. Once a local day; it takes
 * no slot and counts for nothing.
 */
export async function sendTestPost(db: Db, actor: Actor, now = new Date()): Promise<void> {
  const { userId, timeZone } = actor;
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    if (!(await isUserConnected(trx, userId, now))) {
      throw new Refusal(409, 'linkedin_not_connected', 'Please connect LinkedIn first');
    }
    const last = await findLatestTest(trx, userId);
    if (last && isToday(last.createdAt, actor, now)) {
      throw new Refusal(
        429,
        'rate_limited',
        'You have sent a test post today. You can send another one tomorrow',
      );
    }
    const content = textAt(now, timeZone);
    const post = { userId, content, visibility: 'CONNECTIONS' as const, createdAt: now };
    const postId = await createPost(trx, post, null);
    await sendByHand(trx, postId!, userId, now);
  });
}

/** The newest test post, unless it is deleted, and whether another one may be sent today. */
export async function findTestPost(db: Db, actor: Actor, now = new Date()) {
  const last = await findLatestTest(db, actor.userId);
  const canSend = !last || !isToday(last.createdAt, actor, now);
  return { canSend, post: last && !last.deletedAt ? await findPost(db, actor, last.id) : null };
}
