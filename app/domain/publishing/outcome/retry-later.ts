import type { Trx } from '#app/db/client.ts';
import { lateAfterMs } from '#app/domain/posts/lateness.ts';
import { LEASE_MS } from '#app/domain/publishing/eligibility/timings.ts';
import { dayLimitEndsAt } from '#app/domain/publishing/safety/pause.ts';
import type { AttemptOutcome } from '#app/domain/publishing/send/attempt.ts';
import { postponeUntil, retryAt } from '#app/domain/publishing/state/schedule.ts';
import type { PostOutcome } from '#app/integrations/linkedin/posts.ts';

export const APP_LIMIT_REACHED = 'LinkedIn takes no more posts from Tidepost for now';

const MAX_BACKOFF_SECONDS = { throttled: 120, otherwise: 600 };

/** Returns 30, 60, 120 and so on, up to `max`, by the number of attempts that were not accepted. */
async function backoffSeconds(trx: Trx, postId: string, max: number): Promise<number> {
  const { count } = await trx
    .selectFrom('publishAttempts')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('postId', '=', postId)
    .where('state', '=', 'not_accepted')
    .executeTakeFirstOrThrow();
  return Math.min(30 * 2 ** (Number(count) - 1), max);
}

/**
 * Tries a post again after our own backoff, or after the longer wait that LinkedIn requested. A wait that LinkedIn
 * requested does not make a manual post late.
 */
export async function scheduleRetry(
  trx: Trx,
  postId: string,
  { own, requested }: { own: number; requested: number | null },
  now: Date,
  leaseToken?: string,
): Promise<void> {
  const at = new Date(now.getTime() + Math.max(own, requested ?? 0) * 1_000);
  if (requested === null || requested <= own) return retryAt(trx, postId, at, leaseToken);
  // Includes the time that a worker may take for the post.
  const lateBefore = new Date(at.getTime() + LEASE_MS - lateAfterMs());
  return postponeUntil(trx, postId, at, leaseToken, lateBefore);
}

/** Writes the outcome of the attempt; returns false when it is settled already. */
export type CloseAttempt = (outcome: AttemptOutcome) => Promise<boolean>;

export type NotAccepted = Extract<
  PostOutcome,
  { kind: 'throttled' | 'not_sent' | 'version' | 'media_waiting' }
>;

/** Settles an attempt that LinkedIn did not accept but may accept later, and schedules the next one. */
export async function retryLater(
  trx: Trx,
  { postId, startedAt }: { postId: string; startedAt: Date },
  outcome: NotAccepted,
  now: Date,
  close: CloseAttempt,
): Promise<void> {
  const explanation = explainRetry(outcome);
  if (!(await close({ state: 'not_accepted', explanation }))) return;
  if (outcome.kind === 'throttled' && outcome.scope !== 'short') {
    // The end of the day of the call: a response may be read from the spool hours later.
    return postponeUntil(trx, postId, dayLimitEndsAt(startedAt, now));
  }
  const requested = outcome.kind === 'throttled' ? outcome.retryAfterSeconds : null;
  const max = outcome.kind === 'throttled' ? MAX_BACKOFF_SECONDS.throttled : MAX_BACKOFF_SECONDS.otherwise;
  return scheduleRetry(trx, postId, { own: await backoffSeconds(trx, postId, max), requested }, now);
}

function explainRetry(outcome: NotAccepted): string {
  switch (outcome.kind) {
    case 'throttled':
      if (outcome.scope === 'app_day') return APP_LIMIT_REACHED;
      if (outcome.scope === 'member_day') return 'LinkedIn takes no more posts from you for now';
      return 'LinkedIn asked us to wait. We try again shortly';
    case 'version':
      return 'LinkedIn refused the version of its API that we use. We try again shortly';
    case 'media_waiting':
      return outcome.isUploadEnded
        ? 'LinkedIn does not have the picture any more. We hand it over again shortly'
        : 'LinkedIn is still working on the picture. We try again shortly';
    case 'not_sent':
      return outcome.isOurs
        ? 'We were too slow to send it. We try again shortly'
        : 'LinkedIn could not be reached. We try again shortly';
    default:
      return outcome satisfies never;
  }
}
