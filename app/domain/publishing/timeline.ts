import { type RawBuilder, type ShallowDehydrateObject, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db } from '#app/db/client.ts';
import { jsonReader } from '#app/db/json-rows.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { CURES, cureOf } from '#app/domain/posts/failures.ts';
import type { Post } from '#app/domain/posts/lists/post.ts';
import { presentPutOff } from '#app/domain/posts/present.ts';

const RESEND_EXPLANATION =
  'We send the same text once more. LinkedIn refuses doubles, so its answer tells whether the post is there.';

const ACCEPTED = 'LinkedIn accepted it';

const MAX_SHOWN = 20;

const attempts = (db: Db) =>
  db
    .selectFrom('publishAttempts')
    .select(['id', 'attempt', 'confirmsId', 'state', 'startedAt', 'finishedAt', 'explanation'])
    .where(sql<boolean>`publish_attempts.post_id = posts.id and publish_attempts.user_id = posts.user_id`)
    .orderBy('attempt', 'desc')
    .limit(sql.lit(MAX_SHOWN));

type Row = Awaited<ReturnType<ReturnType<typeof attempts>['executeTakeFirstOrThrow']>>;
type Attempts = ShallowDehydrateObject<Row>[];

/** Selects the latest publish attempts of the post in the row `posts` of the outer query, newest first. */
export const attemptsOf = (db: Db): RawBuilder<Attempts> => jsonArrayFrom(attempts(db));

const readAttempt = jsonReader<Row>({ startedAt: true, finishedAt: true });

/**
 * Presents the publish attempts of a post, oldest first: when each was sent, the response, and what happens next after
 * the last one. `isRefused`: the post may not be sent again now, and its card says why.
 */
export function presentTimeline(post: Post, found: Attempts, timeZone: string, isRefused = false) {
  const rows = found.map(readAttempt).reverse();
  const next = isRefused ? null : nextStepOf(post, rows, timeZone);
  return rows.map((attempt) => ({
    ...presentAttempt(attempt, timeZone),
    next: attempt === rows.at(-1) ? next : null,
  }));
}

function presentAttempt(attempt: Row, timeZone: string) {
  const { id, startedAt, confirmsId } = attempt;
  return {
    id,
    number: attempt.attempt,
    sent: confirmsId ? 'The same text sent once more' : 'Sent',
    iso: startedAt.toISOString(),
    at: formatInstant(startedAt, timeZone),
    answer: responseOf(attempt),
  };
}
export type PresentedAttempt = ReturnType<typeof presentAttempt> & { next: string | null };

function responseOf({ state, finishedAt, explanation }: Row): string | null {
  const response = explanation ?? (state === 'published' ? ACCEPTED : null);
  return finishedAt && response && `${response}.`;
}

function nextStepOf(post: Post, attempts: Row[], timeZone: string): string | null {
  const last = attempts.at(-1);
  if (!last) return null;
  const { state, confirmsId } = last;
  if (post.status === 'failed') return CURES[cureOf(post)].next;
  if (post.status === 'published') {
    const isConfirmed = attempts.some((attempt) => attempt.state === 'published');
    return isConfirmed ? null : 'You told us that it is there.';
  }
  if (state === 'sending') return 'We wait for the answer of LinkedIn.';
  if (state === 'unknown' || confirmsId) return RESEND_EXPLANATION;
  if (post.heldAt) {
    return post.isConnected
      ? 'It is held, for the reason that stands above.'
      : 'It is held until LinkedIn is connected.';
  }
  if (post.status === 'pending') return 'It waits for your approval.';
  const putOff = presentPutOff(post, timeZone, new Date());
  if (putOff?.isLateThen) return `It takes your next free time after ${putOff.at}.`;
  if (post.turnAt && !putOff) return 'It waits its turn, so that late posts do not come all at once.';
  return post.notBefore && state === 'not_accepted'
    ? `We try again at ${formatInstant(post.notBefore, timeZone)}.`
    : 'We send it again shortly.';
}
