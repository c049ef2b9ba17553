import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { jsonReader } from '#app/db/json-rows.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import { instantOf } from '#app/domain/automation/slots.ts';
import { recordAppLimit } from '#app/domain/linkedin/daily-quota.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { lateAfterMs } from '#app/domain/posts/lateness.ts';
import type { Post } from '#app/domain/posts/lists/post.ts';
import { presentPutOff } from '#app/domain/posts/present.ts';
import { reportAppLimit } from '#app/domain/publishing/linkedin-alerts.ts';
import { CLOCK_WITHIN_MS, clockSetBackMs, isReleasedHere } from '#app/domain/publishing/predicates.ts';
import type { PauseInput } from '#app/domain/publishing/schema.ts';
import { lockPause } from '#app/domain/publishing/send/locks.ts';

/**
 * Why no post is sent. `until` is null when an admin or operator has to end it, `since` when it is not known. `release`
 * waits for the operator to release publishing, `clock` for the database's clock to catch up.
 */
export type Pause = {
  by: 'admin' | 'linkedin' | 'release' | 'clock';
  reason: string;
  since: Date | null;
  until: Date | null;
};

const NOT_RELEASED =
  'Publishing is not released for this database: it was restored or copied, another server took over, or what was known of it is lost. Run npm run resume-publishing: it shows what would go out, and releases publishing.';
const CLOCK_BEHIND =
  'The clock of the database has been set back. Publishing goes on by itself when it has caught up. If it was ahead before, npm run resume-publishing releases publishing at once.';

export const pauseRow = (db: Db) =>
  db
    .selectFrom('publishingEpoch')
    .leftJoin('publishingPause', (join) => join.onTrue())
    .select(['stoppedAt', 'stoppedUntil', 'stopReason', 'pausedUntil', 'reason'])
    .select([isReleasedHere.as('isReleased'), clockSetBackMs.as('setBackMs')]);

const readPauseRow = compiledQuery(pauseRow);
type PauseRow = Awaited<ReturnType<typeof readPauseRow>>[number];

export const parsePauseRow = jsonReader<PauseRow>({ stoppedAt: true, stoppedUntil: true, pausedUntil: true });

export const findPauses = async (db: Db, now: Date): Promise<Pause[]> =>
  toPauses((await readPauseRow(db, {}))[0]!, now);

/** Returns what stops publishing at `now`, by the row of `pauseRow`: what lasts longest comes first. */
export function toPauses(row: PauseRow, now: Date): Pause[] {
  const { isReleased, setBackMs, stoppedAt, stoppedUntil, stopReason, pausedUntil, reason } = row;
  const pauses: Pause[] = [];
  if (!isReleased) pauses.push({ by: 'release', reason: NOT_RELEASED, since: null, until: null });
  if (stoppedAt && !(stoppedUntil && stoppedUntil <= now))
    pauses.push({ by: 'admin', reason: stopReason!, since: stoppedAt, until: stoppedUntil });
  if (setBackMs > CLOCK_WITHIN_MS) {
    const until = new Date(now.getTime() + setBackMs);
    pauses.push({ by: 'clock', reason: CLOCK_BEHIND, since: null, until });
  }
  if (pausedUntil && pausedUntil > now)
    pauses.push({ by: 'linkedin', reason: reason ?? '', since: null, until: pausedUntil });
  const endOf = ({ until }: Pause) => until?.getTime() ?? Number.POSITIVE_INFINITY;
  return pauses.sort((a, b) => (endOf(a) === endOf(b) ? 0 : endOf(b) - endOf(a)));
}

export const findPause = async (db: Db, now: Date): Promise<Pause | undefined> =>
  (await findPauses(db, now))[0];

const POSTS_ARE_SAFE = 'Your posts are safe and wait in their places.';

function lateText(): string {
  const hours = lateAfterMs() / 3_600_000;
  return `What is over ${hours} ${hours === 1 ? 'hour' : 'hours'} late by then takes your next free times.`;
}

export function explainPause({ by, reason, until }: Pause, timeZone: string): string {
  const end = until && formatInstant(until, timeZone);
  if (by === 'linkedin')
    return `LinkedIn takes no posts from Tidepost until ${end}. After that, yours go out. ${lateText()}`;
  if (by === 'release')
    return `Publishing is stopped until we have looked at what is on LinkedIn already, so that nothing is sent twice. ${POSTS_ARE_SAFE}`;
  if (by === 'clock')
    return `Publishing is stopped because a clock of ours is wrong, so that nothing is sent twice. It goes on at ${end} at the latest. ${POSTS_ARE_SAFE}`;
  const why = /[.!?]$/.test(reason) ? reason : `${reason}.`;
  return `Publishing is paused: ${why} ${end ? `It goes on at ${end}.` : 'It goes on as soon as this is mended.'}`;
}

/** After a clock was corrected it is not known how long a post has waited, so it may be too late. */
const SENT_WHILE: Record<Pause['by'], string> = {
  release:
    'Publishing is stopped for now. Your post waits: when publishing goes on, it goes out or we ask you first.',
  clock:
    'Publishing is paused for now. Your post waits: when publishing goes on, it goes out or its card says why not.',
  admin: 'Publishing is paused for now. Your post goes out as soon as that ends.',
  linkedin: 'Publishing is paused for now. Your post goes out as soon as that ends.',
};

export const explainSentDuringPause = ({ by }: Pause): string => SENT_WHILE[by];

export async function explainSent(db: Db, post: Post, timeZone: string, now: Date): Promise<string> {
  const pause = await findPause(db, now);
  const at = presentPutOff(post, timeZone, now)?.at;
  if (pause) return at ? `${explainSentDuringPause(pause)} Not before ${at}.` : explainSentDuringPause(pause);
  return at ? `Your post goes out at ${at}` : 'Your post is being published';
}

/** Pauses publishing for all users, or changes the reason and end of the pause. Idempotent. */
export async function stopPublishing(db: Db, admin: Actor, input: PauseInput, at?: Date): Promise<void> {
  const { reason } = input;
  const until = input.until ? endOf(input.until, admin.timeZone) : null;
  await transact(db, async (trx) => {
    await lockPause(trx);
    const now = at ?? (await databaseTime(trx));
    if (until && until <= now) {
      throw new Refusal(422, 'invalid', 'The end of the pause must lie ahead', { field: 'until' });
    }
    const stop = await lockPauseRow(trx);
    if (stop?.stopReason === reason && stop.stoppedUntil?.getTime() === until?.getTime()) return;
    const before = toLogEntry(stop);
    await trx
      .updateTable('publishingPause')
      .set({ stoppedAt: now, stoppedUntil: until, stopReason: reason })
      .execute();
    const detail = { reason, ...(until ? { until: until.toISOString() } : {}) };
    await recordAdminAction(
      trx,
      admin,
      { action: 'publishing.paused', subjectId: null, detail, before },
      now,
    );
  });
}

function endOf(local: string, timeZone: string): Date {
  const [date, time] = local.split('T') as [string, string];
  try {
    return instantOf(date, time, timeZone);
  } catch {
    throw new Refusal(422, 'invalid', 'Please give a day and a time', { field: 'until' });
  }
}

/** Ends the pause of an admin. LinkedIn's own limit continues. */
export async function resumePublishing(db: Db, admin: Actor, at?: Date): Promise<void> {
  await transact(db, async (trx) => {
    const stop = await lockPauseRow(trx);
    const now = at ?? (await databaseTime(trx));
    if (!stop?.stopReason || (stop.stoppedUntil && stop.stoppedUntil <= now)) {
      throw new Refusal(409, 'not_paused', 'Publishing is not paused');
    }
    await trx
      .updateTable('publishingPause')
      .set({ stoppedAt: null, stoppedUntil: now, stopReason: null })
      .execute();
    const entry = { action: 'publishing.resumed', subjectId: null, detail: {}, before: toLogEntry(stop) };
    await recordAdminAction(trx, admin, entry, now);
  });
}

/** Returns the pause as the audit log stores it, or undefined when there is none. */
function toLogEntry(stop: { stopReason: string | null; stoppedUntil: Date | null } | undefined) {
  if (!stop?.stopReason) return undefined;
  const { stopReason: reason, stoppedUntil } = stop;
  return { reason, ...(stoppedUntil ? { until: stoppedUntil.toISOString() } : {}) };
}

const lockPauseRow = (trx: Trx) =>
  trx.selectFrom('publishingPause').select(['stoppedUntil', 'stopReason']).forUpdate().executeTakeFirst();

/**
 * Pauses publishing for all users when LinkedIn's daily limit of the whole app is reached, and reports it. Call it before
 * any lock of a post, because transactions that write attempts lock the pause first.
 */
export async function pauseForAppLimit(db: Db, until: Date, reason: string, at?: Date): Promise<void> {
  await transact(db, async (trx) => {
    await lockPause(trx);
    const now = at ?? (await databaseTime(trx));
    if (until <= now) return;
    await trx.updateTable('publishingPause').set({ pausedUntil: until, reason }).execute();
    await reportAppLimit(trx, reason, now);
    await recordAppLimit(trx, now);
  });
}

/**
 * Returns when a daily limit ends that LinkedIn reported to a call. The response may be read days later, and `calledAt`
 * may be from a clock that was ahead.
 */
export const dayLimitEndsAt = (calledAt: Date, now: Date): Date =>
  nextUtcMidnight(calledAt < now ? calledAt : now);

/** LinkedIn's daily limits reset at 00:00 UTC. */
export function nextUtcMidnight(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
}
