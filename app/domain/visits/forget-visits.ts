import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { after } from '#app/db/clock.ts';
import { VISIT_ADDRESS_DAYS, VISIT_DAYS } from './limits.ts';

const DAY_MS = 86_400_000;
/** In one statement: nobody waits for a long one. */
const AT_ONCE = 5_000;
/** Of the same day only, and of the one before for what was on its way at midnight. */
const SIGHTING_DAYS = 2;

type Step = (db: Db, now: Date) => Promise<bigint | undefined>;

const cutAddresses: Step = async (db, now) => {
  const { numAffectedRows } = await sql`
    update visits
    set is_whole = false,
      address = network(set_masklen(address, case family(address) when 4 then 24 else 48 end))
    where id in (
      select id from visits where is_whole and visited_at < ${after(now, -VISIT_ADDRESS_DAYS * DAY_MS)}
      order by visited_at limit ${AT_ONCE} for update skip locked)`.execute(db);
  return numAffectedRows;
};

const dropVisits: Step = async (db, now) => {
  const { numAffectedRows } = await sql`
    delete from visits where id in (
      select id from visits where visited_at < ${after(now, -VISIT_DAYS * DAY_MS)}
      order by visited_at limit ${AT_ONCE} for update skip locked)`.execute(db);
  return numAffectedRows;
};

const dropAddresses: Step = async (db, now) => {
  const { numAffectedRows } = await sql`
    delete from visit_addresses where address in (
      select address from visit_addresses where last_visit_at < ${after(now, -VISIT_ADDRESS_DAYS * DAY_MS)}
      limit ${AT_ONCE} for update skip locked)`.execute(db);
  return numAffectedRows;
};

const dropSightings: Step = async (db, now) => {
  const before = new Date(now.getTime() - (SIGHTING_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const { numAffectedRows } = await sql`
    delete from visit_sightings where (day, visitor, page) in (
      select day, visitor, page from visit_sightings where day < ${before}::date
      limit ${AT_ONCE} for update skip locked)`.execute(db);
  return numAffectedRows;
};

/**
 * Cuts addresses down to their network after 30 days, and drops visits after 180: what was counted of them stays. Some
 * thousand at a time, each for itself, until nothing is left; what a kill leaves the next time does.
 */
export async function forgetVisits(db: Db, now: Date): Promise<void> {
  for (const step of [dropVisits, cutAddresses, dropAddresses, dropSightings]) {
    while (((await step(db, now)) ?? 0n) >= BigInt(AT_ONCE));
  }
}
