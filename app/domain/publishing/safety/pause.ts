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
import { reportAppLimit } from '#app/domain/publishing/faults.ts';
import { CLOCK_WITHIN_MS, clockWentBack, isReleasedHere } from '#app/domain/publishing/predicates.ts';
import type { PauseInput } from '#app/domain/publishing/schema.ts';
import { lockSwitch } from '#app/domain/publishing/send/locks.ts';

/**
 * Why nothing is sent for anybody. `until` is null when somebody has to end it, `since` when nobody noted it. By
 * `release` an operator has to look first, by `clock` that of the database has to catch up.
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

/** Selects what may stop publishing, in one row. */
export const stopsOf = (db: Db) =>
  db
    .selectFrom('publishingEpoch')
    .leftJoin('publishingPause', (join) => join.onTrue())
    .select(['stoppedAt', 'stoppedUntil', 'stopReason', 'pausedUntil', 'reason'])
    .select([isReleasedHere.as('isReleased'), clockWentBack.as('goneBack')]);

const readStops = compiledQuery(stopsOf);
type Stops = Awaited<ReturnType<typeof readStops>>[number];

export const readStopsRow = jsonReader<Stops>({ stoppedAt: true, stoppedUntil: true, pausedUntil: true });

/** Everything that stops publishing now, what lasts longest first. `now` is on the clock of who reads the ends. */
export const findPauses = async (db: Db, now: Date): Promise<Pause[]> =>
  toPauses((await readStops(db, {}))[0]!, now);

/** Returns what stops publishing at `now`, by the row of `stopsOf`: what lasts longest comes first. */
export function toPauses(row: Stops, now: Date): Pause[] {
  const { isReleased, goneBack, stoppedAt, stoppedUntil, stopReason, pausedUntil, reason } = row;
  const pauses: Pause[] = [];
  if (!isReleased) pauses.push({ by: 'release', reason: NOT_RELEASED, since: null, until: null });
  if (stoppedAt && !(stoppedUntil && stoppedUntil <= now))
    pauses.push({ by: 'admin', reason: stopReason!, since: stoppedAt, until: stoppedUntil });
  if (goneBack > CLOCK_WITHIN_MS) {
    const until = new Date(now.getTime() + goneBack);
    pauses.push({ by: 'clock', reason: CLOCK_BEHIND, since: null, until });
  }
  if (pausedUntil && pausedUntil > now)
    pauses.push({ by: 'linkedin', reason: reason ?? '', since: null, until: pausedUntil });
  const endOf = ({ until }: Pause) => until?.getTime() ?? Number.POSITIVE_INFINITY;
  return pauses.sort((a, b) => (endOf(a) === endOf(b) ? 0 : endOf(b) - endOf(a)));
}

/** What stops publishing for longest, or undefined while it goes on. */
export const findPause = async (db: Db, now: Date): Promise<Pause | undefined> =>
  (await findPauses(db, now))[0];

const SAFE = 'Your posts are safe and wait in their places.';

/** What has waited for longer goes out at another time. */
function lateText(): string {
  const hours = lateAfterMs() / 3_600_000;
  return `What is over ${hours} ${hours === 1 ? 'hour' : 'hours'} late by then takes your next free times.`;
}

/** What a user reads of a stop: why, and when their posts go on. */
export function explainPause({ by, reason, until }: Pause, timeZone: string): string {
  const end = until && formatInstant(until, timeZone);
  if (by === 'linkedin')
    return `LinkedIn takes no posts from Tidepost until ${end}. After that, yours go out. ${lateText()}`;
  if (by === 'release')
    return `Publishing is stopped until we have looked at what is on LinkedIn already, so that nothing is sent twice. ${SAFE}`;
  if (by === 'clock')
    return `Publishing is stopped because a clock of ours is wrong, so that nothing is sent twice. It goes on at ${end} at the latest. ${SAFE}`;
  const why = /[.!?]$/.test(reason) ? reason : `${reason}.`;
  return `Publishing is paused: ${why} ${end ? `It goes on at ${end}.` : 'It goes on as soon as this is mended.'}`;
}

/** When a clock is set right by hand, nobody knows how long a post has waited: it can be too late for it. */
const SENT_WHILE: Record<Pause['by'], string> = {
  release:
    'Publishing is stopped for now. Your post waits: when publishing goes on, it goes out or we ask you first.',
  clock:
    'Publishing is paused for now. Your post waits: when publishing goes on, it goes out or its card says why not.',
  admin: 'Publishing is paused for now. Your post goes out as soon as that ends.',
  linkedin: 'Publishing is paused for now. Your post goes out as soon as that ends.',
};

/** What becomes of a post that is sent meanwhile. */
export const sentWhile = ({ by }: Pause): string => SENT_WHILE[by];

/** What is answered to somebody who has sent a post, as it stands now. */
export async function mailSent(db: Db, post: Post, timeZone: string, now: Date): Promise<string> {
  const pause = await findPause(db, now);
  const at = presentPutOff(post, timeZone, now)?.at;
  if (pause) return at ? `${sentWhile(pause)} Not before ${at}.` : sentWhile(pause);
  return at ? `Your post goes out at ${at}` : 'Your post is being published';
}

/** An admin stops publishing for everybody, or changes why and for how long. Said again, the same changes nothing. */
export async function stopPublishing(db: Db, admin: Actor, input: PauseInput, at?: Date): Promise<void> {
  const { reason } = input;
  const until = input.until ? endOf(input.until, admin.timeZone) : null;
  await transact(db, async (trx) => {
    await lockSwitch(trx);
    const now = at ?? (await databaseTime(trx));
    if (until && until <= now) {
      throw new Refusal(422, 'invalid', 'The end of the pause must lie ahead', { field: 'until' });
    }
    const stop = await lockStop(trx);
    if (stop?.stopReason === reason && stop.stoppedUntil?.getTime() === until?.getTime()) return;
    const before = inLog(stop);
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

/** The instant at which the admin's clock shows a day and time. */
function endOf(local: string, timeZone: string): Date {
  const [date, time] = local.split('T') as [string, string];
  try {
    return instantOf(date, time, timeZone);
  } catch {
    throw new Refusal(422, 'invalid', 'Please give a day and a time', { field: 'until' });
  }
}

/** An admin lets publishing go on. LinkedIn's own limit is not theirs to lift. */
export async function resumePublishing(db: Db, admin: Actor, at?: Date): Promise<void> {
  await transact(db, async (trx) => {
    const stop = await lockStop(trx);
    const now = at ?? (await databaseTime(trx));
    if (!stop?.stopReason || (stop.stoppedUntil && stop.stoppedUntil <= now)) {
      throw new Refusal(409, 'not_paused', 'Publishing is not paused');
    }
    await trx
      .updateTable('publishingPause')
      .set({ stoppedAt: null, stoppedUntil: now, stopReason: null })
      .execute();
    const entry = { action: 'publishing.resumed', subjectId: null, detail: {}, before: inLog(stop) };
    await recordAdminAction(trx, admin, entry, now);
  });
}

/** A stop as the log has it; without one there is no reason. */
function inLog(stop: { stopReason: string | null; stoppedUntil: Date | null } | undefined) {
  if (!stop?.stopReason) return undefined;
  const { stopReason: reason, stoppedUntil } = stop;
  return { reason, ...(stoppedUntil ? { until: stoppedUntil.toISOString() } : {}) };
}

const lockStop = (trx: Trx) =>
  trx.selectFrom('publishingPause').select(['stoppedUntil', 'stopReason']).forUpdate().executeTakeFirst();

/**
 * Stops publishing for everybody: LinkedIn's daily limit of the whole app. Admins are told. Before any lock of a
 * post, as whoever writes an attempt takes the switch.
 */
export async function pausePublishing(db: Db, until: Date, reason: string, at?: Date): Promise<void> {
  await transact(db, async (trx) => {
    await lockSwitch(trx);
    const now = at ?? (await databaseTime(trx));
    if (until <= now) return;
    await trx.updateTable('publishingPause').set({ pausedUntil: until, reason }).execute();
    await reportAppLimit(trx, reason, now);
    await recordAppLimit(trx, now);
  });
}

/**
 * When a limit of the day ends that LinkedIn has named in the answer to a call: it may be read days later, or have been
 * made by a clock that was ahead.
 */
export const limitEnds = (calledAt: Date, now: Date): Date =>
  nextUtcMidnight(calledAt < now ? calledAt : now);

/** LinkedIn's daily limits start anew at 00:00 UTC. */
export function nextUtcMidnight(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
}
