import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { after } from '#app/db/clock.ts';
import { repeatUntilFewer } from '#app/domain/platform/batches.ts';
import { VISIT_ADDRESS_DAYS, VISIT_DAYS } from './limits.ts';
import { lockVisits } from './store-visits.ts';

const DAY_MS = 86_400_000;
const BATCH = 5_000;
/** Addresses are shortened early, so that none is too old until this runs again. */
const EARLY_MS = 2 * 3_600_000;
/** Sightings count within a day; those of the day before are kept for visits that were queued at midnight. */
const SIGHTING_DAYS = 2;

type Step = (db: Db, now: Date) => Promise<{ numAffectedRows?: bigint | undefined }>;

/** Shortens the addresses of old visits, and subtracts these from the counts of the addresses. */
const shortenAddresses: Step = (db, now) =>
  transact(db, async (trx) => {
    await lockVisits(trx);
    const oldest = after(now, EARLY_MS - VISIT_ADDRESS_DAYS * DAY_MS);
    const still = (kinds: string) => sql`coalesce((select jsonb_object_agg(key, value)
      from jsonb_each_text(${sql.ref(kinds)}) where value::timestamptz >= ${oldest}), '{}')`;
    const { rows } = await sql<{ cut: bigint }>`
    with old as materialized (
      select visited_at, id, address from visits where is_whole and visited_at < ${oldest}
      order by visited_at limit ${BATCH} for update
    ), cut as (
      update visits
      set is_whole = false,
        address = network(set_masklen(visits.address, case family(visits.address) when 4 then 24 else 48 end))
      from old where visits.visited_at = old.visited_at and visits.id = old.id
    ), removed as (
      select address, count(*) as by from old where address is not null group by address
    ), deleted as (
      delete from visit_addresses as counts using removed where counts.address = removed.address and visits <= by
    ), updated as (
      update visit_addresses as counts
      set visits = visits - by, devices = ${still('devices')}, browsers = ${still('browsers')}
      from removed where counts.address = removed.address and visits > by
    )
    select count(*) as cut from old`.execute(trx);
    return { numAffectedRows: BigInt(rows[0]!.cut) };
  });

const deleteVisits: Step = (db, now) =>
  sql`
    delete from visits where (visited_at, id) in (
      select visited_at, id from visits where visited_at < ${after(now, -VISIT_DAYS * DAY_MS)}
      order by visited_at limit ${BATCH} for update skip locked)`.execute(db);

const deleteSightings: Step = (db, now) => {
  const before = new Date(now.getTime() - (SIGHTING_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  return sql`
    delete from visit_sightings where (day, visitor, page) in (
      select day, visitor, page from visit_sightings where day < ${before}::date
      limit ${BATCH} for update skip locked)`.execute(db);
};

/**
 * Shortens addresses to their network before they are 30 days old, and deletes visits after 180 days. Their counts stay.
 * Each batch is a transaction of its own, so the work can stop at any point.
 */
export async function deleteOldVisits(db: Db, now: Date): Promise<void> {
  for (const step of [shortenAddresses, deleteVisits, deleteSightings]) {
    await repeatUntilFewer(BATCH, () => step(db, now));
  }
}
