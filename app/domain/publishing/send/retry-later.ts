import type { Trx } from '#app/db/client.ts';
import { lateAfterMs } from '#app/domain/posts/lateness.ts';
import type { Result } from '#app/domain/publishing/outcome/outcome.ts';
import { limitEnds } from '#app/domain/publishing/safety/pause.ts';
import { tryLater, waitUntil } from '#app/domain/queue/schedule.ts';
import { LEASE_MS } from '#app/domain/queue/timings.ts';
import type { PostOutcome } from '#app/integrations/linkedin/posts.ts';

export const APP_LIMIT = 'LinkedIn takes no more posts from Tidepost for now';

const MOST_SECONDS = { throttled: 120, otherwise: 600 };

/** 30 s, 1 min, 2 min and so on up to `most` seconds. */
async function ownWait(trx: Trx, postId: string, most: number): Promise<number> {
  const { count } = await trx
    .selectFrom('publishAttempts')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('postId', '=', postId)
    .where('state', '=', 'not_accepted')
    .executeTakeFirstOrThrow();
  const tries = Number(count);
  return Math.min(30 * 2 ** (tries - 1), most);
}

/**
 * After the seconds that we wait by ourselves, or those that LinkedIn asks for when they are more. What it asks for
 * makes nothing late that was sent by hand.
 */
export async function retryAfter(
  trx: Trx,
  postId: string,
  { own, asked }: { own: number; asked: number | null },
  now: Date,
  leaseToken?: string,
): Promise<void> {
  const at = new Date(now.getTime() + Math.max(own, asked ?? 0) * 1_000);
  if (asked === null || asked <= own) return tryLater(trx, postId, at, leaseToken);
  // With the time that a worker may take for it.
  const lateBefore = new Date(at.getTime() + LEASE_MS - lateAfterMs());
  return waitUntil(trx, postId, at, leaseToken, lateBefore);
}

/** Writes what became of the attempt; false when somebody has settled it already. */
export type Finish = (result: Result) => Promise<boolean>;

export type NotAccepted = Extract<
  PostOutcome,
  { kind: 'throttled' | 'not_sent' | 'version' | 'media_waiting' }
>;

/** Nothing is on the network and LinkedIn may take it later: settles the attempt and plans the next one. */
export async function retryLater(
  trx: Trx,
  { postId, startedAt }: { postId: string; startedAt: Date },
  outcome: NotAccepted,
  now: Date,
  finish: Finish,
): Promise<void> {
  const explanation = explainPostponed(outcome);
  if (!(await finish({ state: 'not_accepted', explanation }))) return;
  if (outcome.kind === 'throttled' && outcome.scope !== 'short') {
    // Of the day in which LinkedIn said so: an answer that was kept for hours says nothing of today.
    return waitUntil(trx, postId, limitEnds(startedAt, now));
  }
  const asked = outcome.kind === 'throttled' ? outcome.retryAfterSeconds : null;
  const most = outcome.kind === 'throttled' ? MOST_SECONDS.throttled : MOST_SECONDS.otherwise;
  return retryAfter(trx, postId, { own: await ownWait(trx, postId, most), asked }, now);
}

function explainPostponed(outcome: NotAccepted): string {
  switch (outcome.kind) {
    case 'throttled':
      if (outcome.scope === 'app_day') return APP_LIMIT;
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
