import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { localDayOf } from '#app/domain/automation/slots.ts';
import { isUserConnected } from '#app/domain/linkedin/connection.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant, formatMinute } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { findPost, type Post } from '#app/domain/posts/lists/post.ts';
import { findLatestTest, type TestPost, testsSinceOf } from '#app/domain/posts/test-posts.ts';
import { FAILED_TESTS_MAX } from '#app/domain/publishing/limits.ts';
import { addPost } from '#app/domain/publishing/state/post-state.ts';
import { sendManually } from '#app/domain/publishing/state/schedule.ts';

/** The minute makes each text unique: LinkedIn refuses duplicates. */
const textAt = (now: Date, timeZone: string) =>
  `I'm trying out Tidepost, which will publish my posts from now on. Only my connections see this one, and I'll delete it shortly. ${formatMinute(now, timeZone)}`;

/** A user who changes their time zone starts a new local day immediately, so there is also a minimum time between two. */
const BETWEEN_MS = 20 * 3_600_000;
/** A local day has at most 25 hours, so earlier test posts do not matter. */
const LONGEST_MS = BETWEEN_MS + 25 * 3_600_000;

/** Test posts from before this instant no longer count against the limits. */
export const testsCountSince = (now: Date): Date => new Date(now.getTime() - LONGEST_MS);

/** Counts against the limit of one a day: it is or may be on LinkedIn, or is waiting. */
const isCounted = ({ mayBeThere, hasFailed, deletedAt }: TestPost) =>
  mayBeThere || (!hasFailed && deletedAt === null);

/** Returns when a test post failed, each time: every failure was a call to LinkedIn and a mail. */
const failuresOf = ({ refusedAt, hasFailed, createdAt }: TestPost) =>
  refusedAt.length > 0 ? refusedAt : hasFailed ? [createdAt] : [];

const latest = (times: number[]) => new Date(Math.max(0, ...times));

/**
 * Returns when the next test post may be sent and why not before, or null when it may be sent now: one in a local day,
 * at least `BETWEEN_MS` apart, and with a limit of failures within that time. `retriedId` is a test post to send again.
 */
async function findNextTest(db: Db, actor: Actor, now: Date, retriedId?: string) {
  const tests = await testsSinceOf(db, { userId: actor.userId, since: testsCountSince(now), now }).execute();
  return nextTestOf(tests, actor, now, retriedId);
}

function nextTestOf(tests: TestPost[], { timeZone }: Actor, now: Date, retriedId?: string) {
  const counted = tests
    .filter((each) => each.id !== retriedId && isCounted(each))
    .map(({ askedAt }) => askedAt);
  const ends = counted.map((at) => localDayOf(at, timeZone).end.getTime());
  const freeAt = latest([...ends, ...counted.map((at) => at.getTime() + BETWEEN_MS)]);
  if (freeAt > now) return { at: freeAt, why: 'You can send one test post a day' };
  const failures = tests.flatMap(failuresOf).map((at) => at.getTime() + BETWEEN_MS);
  const [at] = failures.sort((a, b) => b - a).slice(FAILED_TESTS_MAX - 1);
  return at !== undefined && at > now.getTime()
    ? { at: new Date(at), why: `Test posts have failed ${FAILED_TESTS_MAX} times` }
    : null;
}

/** Throws when a test post may not be sent now. The caller holds the lock of the user. */
export async function requireTestAllowed(
  trx: Trx,
  actor: Actor,
  now: Date,
  retriedId?: string,
): Promise<void> {
  const next = await findNextTest(trx, actor, now, retriedId);
  if (!next) return;
  const message = `${next.why}, the next one from ${formatInstant(next.at, actor.timeZone)}`;
  throw new Refusal(429, 'rate_limited', message);
}

const canBeTried = ({ visibility, status, isUnconfirmed }: Post) =>
  visibility !== 'PUBLIC' && status === 'failed' && !isUnconfirmed;

/**
 * Returns, by post id, why a failed test post among `posts` cannot be sent again now, and from when it can. `tests` are
 * all test posts of the user since `testsCountSince(now)`.
 */
export function refusedTests(posts: Post[], tests: TestPost[], actor: Actor, now: Date) {
  const refused = new Map<string, string>();
  for (const { id } of posts.filter(canBeTried)) {
    const next = nextTestOf(tests, actor, now, id);
    if (next)
      refused.set(id, `${next.why}. You can try again from ${formatInstant(next.at, actor.timeZone)}.`);
  }
  return refused;
}

/** Publishes a short text for the user's connections only. It takes no slot and counts for no quota. */
export async function sendTestPost(db: Db, actor: Actor, at?: Date): Promise<void> {
  const { userId, timeZone } = actor;
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    const now = at ?? (await databaseTime(trx));
    if (!(await isUserConnected(trx, userId, now))) {
      throw new Refusal(409, 'linkedin_not_connected', 'Please connect LinkedIn first');
    }
    await requireTestAllowed(trx, actor, now);
    const content = textAt(now, timeZone);
    const post = { userId, content, visibility: 'CONNECTIONS' as const, createdAt: now };
    const postId = await addPost(trx, post, null);
    await sendManually(trx, postId!, now);
  });
}

/** Returns the latest test post, unless it is deleted, and when the next one may be sent; null when that is now. */
export async function findTestPost(db: Db, actor: Actor, now = new Date()) {
  const last = await findLatestTest(db, actor.userId);
  const next = await findNextTest(db, actor, now);
  return {
    nextAt: next?.at ?? null,
    whyNotNow: next?.why ?? null,
    post: last && !last.deletedAt ? await findPost(db, actor, last.id) : null,
  };
}
