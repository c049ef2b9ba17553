import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { after } from '#app/db/clock.ts';
import { repeatUntilFewer } from '#app/domain/platform/batches.ts';
import { VISIT_ADDRESS_DAYS, VISIT_DAYS } from './limits.ts';
import { lockVisits } from './store-visits.ts';

const DAY_MS = 86_400_000;
/** In one statement. */
const AT_ONCE = 5_000;
/** Addresses are cut so much before their time is up: until this runs again, none of them is older. */
const EARLY_MS = 2 * 3_600_000;
/** Of the same day only, and of the one before for what was on its way at midnight. */
const SIGHTING_DAYS = 2;

type Step = (db: Db, now: Date) => Promise<{ numAffectedRows?: bigint | undefined }>;

/** With the visits whose addresses are cut, what is kept of these addresses goes as well. */
const cutAddresses: Step = (db, now) =>
  transact(db, async (trx) => {
    await lockVisits(trx);
    const oldest = after(now, EARLY_MS - VISIT_ADDRESS_DAYS * DAY_MS);
    const still = (kinds: string) => sql`coalesce((select jsonb_object_agg(key, value)
      from jsonb_each_text(${sql.ref(kinds)}) where value::timestamptz >= ${oldest}), '{}')`;
    const { rows } = await sql<{ cut: bigint }>`
    with old as materialized (
      select visited_at, id, address from visits where is_whole and visited_at < ${oldest}
      order by visited_at limit ${AT_ONCE} for update
    ), cut as (
      update visits
      set is_whole = false,
        address = network(set_masklen(visits.address, case family(visits.address) when 4 then 24 else 48 end))
      from old where visits.visited_at = old.visited_at and visits.id = old.id
    ), fewer as (
      select address, count(*) as by from old where address is not null group by address
    ), gone as (
      delete from visit_addresses as kept using fewer where kept.address = fewer.address and visits <= by
    ), left_over as (
      update visit_addresses as kept
      set visits = visits - by, devices = ${still('devices')}, browsers = ${still('browsers')}
      from fewer where kept.address = fewer.address and visits > by
    )
    select count(*) as cut from old`.execute(trx);
    return { numAffectedRows: BigInt(rows[0]!.cut) };
  });

const dropVisits: Step = (db, now) =>
  sql`
    delete from visits where (visited_at, id) in (
      select visited_at, id from visits where visited_at < ${after(now, -VISIT_DAYS * DAY_MS)}
      order by visited_at limit ${AT_ONCE} for update skip locked)`.execute(db);

const dropSightings: Step = (db, now) => {
  const before = new Date(now.getTime() - (SIGHTING_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  return sql`
    delete from visit_sightings where (day, visitor, page) in (
      select day, visitor, page from visit_sightings where day < ${before}::date
      limit ${AT_ONCE} for update skip locked)`.execute(db);
};

/**
 * Cuts addresses down to their network before they are 30 days old, and drops visits after 180: what was counted of them stays. Some
 * thousand at a time, each for itself, until nothing is left; what a kill leaves the next time does.
 */
export async function deleteOldVisits(db: Db, now: Date): Promise<void> {
  for (const step of [cutAddresses, dropVisits, dropSightings])
    await repeatUntilFewer(AT_ONCE, () => step(db, now));
}
