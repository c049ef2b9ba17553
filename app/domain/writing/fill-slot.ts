import { type Db, transact } from '#app/db/client.ts';
import { written } from '#app/db/written.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { planRequired } from '#app/domain/automation/settings.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { findActivePlan } from '#app/domain/payments/subscription.ts';
import { isTaken, keyOf, requirePaidSlot, slotTaken, slotToCome } from '#app/domain/queue/chosen-slot.ts';
import type { FillInput } from './schema.ts';
import { RUN_COLUMNS, type Run, startRun } from './start-run.ts';

/** The runs that write a post for a slot and are not over. */
const filling = (db: Db, userId: string) =>
  db
    .selectFrom('runs')
    .where('userId', '=', userId)
    .where('slotDate', 'is not', null)
    .where('status', '<>', 'complete');

/**
 * Starts writing one post for an open slot. Pressed twice it writes once: the run that is under way is answered
 * again. Free posts have no slots, so it needs a plan.
 */
export async function fillSlot(db: Db, actor: Actor, input: FillInput, now = new Date()): Promise<Run> {
  return transact(db, async (trx) => {
    const { userId } = actor;
    await lockUser(trx, userId);
    if (!(await findActivePlan(trx, userId, now))) throw planRequired();
    const slot = slotToCome(input.slot, await readTimetable(trx, userId, now), now);
    await requirePaidSlot(trx, userId, slot);
    const underWay = await filling(trx, userId)
      .select(RUN_COLUMNS)
      .where('slotDate', '=', slot.date)
      .where('slotNumber', '=', slot.number)
      .executeTakeFirst();
    if (underWay) return underWay;
    if (await isTaken(trx, userId, slot)) throw slotTaken();
    return startRun(trx, actor, { topicId: input.topicId, count: 1, slot }, now);
  });
}

const readFilling = written((db: Db, { userId }: { userId: string }) =>
  filling(db, userId).select(['status', 'slotDate', 'slotNumber']),
);

/** Of some runs, the slots for which a post is being written, as pages name them. */
export const fillingOf = (runs: Pick<Run, 'status' | 'slotDate' | 'slotNumber'>[]): Set<string> =>
  new Set(
    runs.flatMap(({ status, slotDate, slotNumber }) =>
      slotDate === null || status === 'complete' ? [] : [keyOf({ date: slotDate, number: slotNumber! })],
    ),
  );

/** The same of all runs of a user. */
export const listFilling = async (db: Db, { userId }: Actor): Promise<Set<string>> =>
  fillingOf(await readFilling(db, { userId }));
