import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import type { Actor } from '#app/domain/actor.ts';
import { recordAdminAction } from '#app/domain/audit.ts';
import { instantOf } from '#app/domain/automation/slots.ts';
import { formatInstant } from '#app/domain/dates.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { reportAppLimit } from './faults.ts';
import type { PauseInput } from './schema.ts';
import { lockSwitch } from './wishes.ts';

/** Why publishing is stopped for everybody. `until` is null when only an admin ends it, `since` when nobody noted it. */
export type Pause = { by: 'admin' | 'linkedin'; reason: string; since: Date | null; until: Date | null };

/** The stop that holds now, or undefined; an admin's goes before LinkedIn's. */
export async function findPause(db: Db, now: Date): Promise<Pause | undefined> {
  const row = await db.selectFrom('publishingSwitch').selectAll().executeTakeFirst();
  if (!row) return undefined;
  const { stoppedAt, stoppedUntil, stopReason, pausedUntil, reason } = row;
  const isStopped = stoppedAt !== null && (stoppedUntil === null || stoppedUntil > now);
  if (isStopped) return { by: 'admin', reason: stopReason!, since: stoppedAt, until: stoppedUntil };
  if (pausedUntil && pausedUntil > now)
    return { by: 'linkedin', reason: reason ?? '', since: null, until: pausedUntil };
  return undefined;
}

/** What a user reads of a stop: why, and when their posts go on. */
export function explainPause({ by, reason, until }: Pause, timeZone: string): string {
  const end = until && formatInstant(until, timeZone);
  if (by === 'linkedin')
    return `LinkedIn takes no posts from Tidepost until ${end}. After that, yours go out.`;
  const why = /[.!?]$/.test(reason) ? reason : `${reason}.`;
  return `Publishing is paused: ${why} ${end ? `It goes on at ${end}.` : 'It goes on as soon as this is mended.'} You don't need to do anything.`;
}

/** What is answered to somebody who sends a post meanwhile. */
export const GOES_OUT_AFTER_PAUSE = 'Publishing is paused for now. Your post goes out as soon as that ends';

/** An admin stops publishing for everybody, or changes why and for how long. */
export async function stopPublishing(db: Db, admin: Actor, input: PauseInput, at?: Date): Promise<void> {
  const { reason } = input;
  const until = input.until ? endOf(input.until, admin.timeZone) : null;
  await transact(db, async (trx) => {
    await lockSwitch(trx);
    const now = at ?? (await databaseTime(trx));
    if (until && until <= now) {
      throw new Refusal(422, 'invalid', 'The end of the pause must lie ahead', { field: 'until' });
    }
    await trx
      .updateTable('publishingSwitch')
      .set({ stoppedAt: now, stoppedUntil: until, stopReason: reason })
      .execute();
    const detail = { reason, ...(until ? { until: until.toISOString() } : {}) };
    await recordAdminAction(trx, admin, { action: 'publishing.paused', subjectId: null, detail }, now);
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
      .updateTable('publishingSwitch')
      .set({ stoppedAt: null, stoppedUntil: now, stopReason: null })
      .execute();
    const detail = { reason: stop.stopReason };
    await recordAdminAction(trx, admin, { action: 'publishing.resumed', subjectId: null, detail }, now);
  });
}

const lockStop = (trx: Trx) =>
  trx.selectFrom('publishingSwitch').select(['stoppedUntil', 'stopReason']).forUpdate().executeTakeFirst();

/**
 * Stops publishing for everybody: LinkedIn's daily limit of the whole app. Admins are told. Before any lock of a
 * post, as whoever writes an attempt takes the switch.
 */
export async function pausePublishing(db: Db, until: Date, reason: string, at?: Date): Promise<void> {
  await transact(db, async (trx) => {
    await lockSwitch(trx);
    const now = at ?? (await databaseTime(trx));
    if (until <= now) return;
    await trx.updateTable('publishingSwitch').set({ pausedUntil: until, reason }).execute();
    await reportAppLimit(trx, reason, now);
  });
}

/** LinkedIn's daily limits start anew at 00:00 UTC. */
export function nextUtcMidnight(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
}
