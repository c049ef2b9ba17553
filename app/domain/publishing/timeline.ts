import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { formatInstant } from '#app/domain/dates.ts';
import { describePutOff } from '#app/domain/posts/describe.ts';
import { CURES, cureOf } from '#app/domain/posts/failures.ts';
import type { Post } from '#app/domain/posts/posts.ts';

const AGAIN =
  'We send the same text once more. LinkedIn refuses doubles, so its answer tells whether the post is there.';

const ACCEPTED = 'LinkedIn accepted it';

/** So many of the latest attempts at a post are shown. */
const SHOWN = 20;

const read = (db: Db, actor: Actor, postIds: string[]) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('publications')
        .select(['id', 'postId', 'attempt', 'confirmsId', 'state', 'startedAt', 'finishedAt', 'explanation'])
        .select(sql<number>`row_number() over (partition by post_id order by attempt desc)`.as('back'))
        .where('userId', '=', actor.userId)
        .where('postId', 'in', postIds)
        .as('publications'),
    )
    .selectAll()
    .where('back', '<=', SHOWN)
    .orderBy('attempt')
    .execute();
type Row = Awaited<ReturnType<typeof read>>[number];

type Refused = { has(postId: string): boolean };

/**
 * Every attempt at each of the posts, in order: when, what was answered, and after the last what comes next. Of those
 * that are `refused` another attempt now elsewhere is said why.
 */
export async function listTimelines(db: Db, actor: Actor, posts: Post[], refused: Refused = new Set()) {
  const rows =
    posts.length > 0
      ? await read(
          db,
          actor,
          posts.map(({ id }) => id),
        )
      : [];
  const ofPost = Map.groupBy(rows, ({ postId }) => postId);
  const describe = (post: Post) => {
    const attempts = ofPost.get(post.id) ?? [];
    const next = refused.has(post.id) ? null : nextOf(post, attempts, actor.timeZone);
    return attempts.map((attempt) => ({
      ...describeAttempt(attempt, actor.timeZone),
      next: attempt === attempts.at(-1) ? next : null,
    }));
  };
  return new Map(posts.map((post) => [post.id, describe(post)]));
}

function describeAttempt(attempt: Row, timeZone: string) {
  const { id, startedAt, confirmsId } = attempt;
  return {
    id,
    number: attempt.attempt,
    sent: confirmsId ? 'The same text sent once more' : 'Sent',
    iso: startedAt.toISOString(),
    at: formatInstant(startedAt, timeZone),
    answer: answerOf(attempt),
  };
}
export type Attempt = ReturnType<typeof describeAttempt> & { next: string | null };

function answerOf({ state, finishedAt, explanation }: Row): string | null {
  const answer = explanation ?? (state === 'published' ? ACCEPTED : null);
  return finishedAt && answer && `${answer}.`;
}

/** What happens after the last attempt at a post, as things stand. */
function nextOf(post: Post, attempts: Row[], timeZone: string): string | null {
  const last = attempts.at(-1);
  if (!last) return null;
  const { state, confirmsId } = last;
  if (post.status === 'failed') return CURES[cureOf(post)].next;
  if (post.status === 'published') {
    const isAnswered = attempts.some((attempt) => attempt.state === 'published');
    return isAnswered ? null : 'You told us that it is there.';
  }
  if (state === 'sending') return 'We wait for the answer of LinkedIn.';
  if (state === 'unknown' || confirmsId) return AGAIN;
  if (post.heldAt) {
    return post.isConnected
      ? 'It is held, for the reason that stands above.'
      : 'It is held until LinkedIn is connected.';
  }
  if (post.status === 'pending') return 'It waits for your approval.';
  const putOff = describePutOff(post, timeZone, new Date());
  if (putOff?.isLateThen) return `It takes your next free time after ${putOff.at}.`;
  if (post.turnAt && !putOff) return 'It waits its turn, so that late posts do not come all at once.';
  return post.notBefore && state === 'not_accepted'
    ? `We try again at ${formatInstant(post.notBefore, timeZone)}.`
    : 'We send it again shortly.';
}
