import { type Db, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { planRequired } from '#app/domain/automation/settings.ts';
import { slotKey, type Timetable } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { freeSlotsAfter } from '#app/domain/publishing/slots/free-slots.ts';
import {
  isSlotTaken,
  requirePaidSlot,
  requireUpcomingSlot,
  slotTaken,
} from '#app/domain/publishing/slots/slot-key.ts';
import type { FillInput } from '#app/domain/writing/schema.ts';
import { RUN_COLUMNS, type Run, startRun } from './start.ts';

const unfinishedSlotRunsOf = (db: Db, userId: string) =>
  db
    .selectFrom('generationRuns')
    .where('userId', '=', userId)
    .where('slotDate', 'is not', null)
    .where('status', '<>', 'complete');

/**
 * Starts writing one post for an open slot, or returns the run that is writing for it already. It needs a plan, because
 * free posts have no slots.
 */
export async function fillSlot(db: Db, actor: Actor, input: FillInput, now = new Date()): Promise<Run> {
  return transact(db, async (trx) => {
    const { userId } = actor;
    await lockUser(trx, userId);
    if (!(await findActivePlan(trx, userId, now))) throw planRequired();
    const slot = requireUpcomingSlot(input.slot, await readTimetable(trx, userId, now), now);
    await requirePaidSlot(trx, userId, slot);
    const unfinished = await unfinishedSlotRunsOf(trx, userId)
      .select(RUN_COLUMNS)
      .where('slotDate', '=', slot.date)
      .where('slotNumber', '=', slot.number)
      .executeTakeFirst();
    if (unfinished) return unfinished;
    if (await isSlotTaken(trx, userId, slot)) throw slotTaken();
    return startRun(trx, actor, { topicId: input.topicId, count: 1, slot }, now);
  });
}

/** A run that was created before this instant no longer writes for the next free slots. */
export const unfinishedSince = (now: Date): Date => new Date(now.getTime() - 86_400_000);

const UNFINISHED_COLUMNS = ['status', 'slotDate', 'slotNumber', 'requested', 'done', 'failed'] as const;

/**
 * Selects the unfinished runs that fill a certain slot, and those created after `since` that write for the next free
 * slots.
 */
export const unfinishedRunsOf = (db: Db, { userId, since }: { userId: string; since: Date }) =>
  unfinishedSlotRunsOf(db, userId)
    .select(UNFINISHED_COLUMNS)
    .unionAll(
      db
        .selectFrom('generationRuns')
        .select(UNFINISHED_COLUMNS)
        .where('userId', '=', userId)
        .where('slotDate', 'is', null)
        .where('scheduledFor', 'is', null)
        .where('postId', 'is', null)
        .where('status', '<>', 'complete')
        .where('createdAt', '>', since),
    );

/** Returns the slots for which unfinished runs were started, as keys such as "2027-03-01 1". */
export const slotKeysOfRuns = (runs: Pick<Run, 'status' | 'slotDate' | 'slotNumber'>[]): Set<string> =>
  new Set(
    runs.flatMap(({ status, slotDate, slotNumber }) =>
      slotDate === null || status === 'complete' ? [] : [slotKey({ date: slotDate, number: slotNumber! })],
    ),
  );

type UnfinishedRun = Pick<Run, (typeof UNFINISHED_COLUMNS)[number]>;

/**
 * Returns the slots for which `runs` are writing posts, as keys such as "2027-03-01 1": those that a run names, and
 * the free ones that its remaining posts will take.
 *
 * @param taken The slots that posts hold, from `takenFrom(now)` on.
 */
export function fillingSlots(
  runs: UnfinishedRun[],
  timetable: Timetable,
  taken: Set<string>,
  now: Date,
): Set<string> {
  const named = slotKeysOfRuns(runs);
  const remaining = runs
    .filter(({ slotDate }) => slotDate === null)
    .reduce((sum, { requested, done, failed }) => sum + requested - done - failed, 0);
  if (remaining <= 0) return named;
  const next = freeSlotsAfter(now, timetable, taken)
    .map(slotKey)
    .filter((key) => !named.has(key));
  return new Set([...named, ...next.take(remaining)]);
}
