import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { after } from '#app/db/clock.ts';
import { repeatUntilFewer } from '#app/domain/platform/batches.ts';
import { CLICK_DAYS } from './limits.ts';
import { lockClicks } from './record-click.ts';

const DAY_MS = 86_400_000;
const BATCH = 5_000;

/** Deletes a batch of old clicks, and subtracts them from the counts of their addresses. */
const deleteBatch = (db: Db, now: Date) =>
  transact(db, async (trx) => {
    await lockClicks(trx);
    const { rows } = await sql<{ dropped: string }>`
    with old as (
      delete from email_clicks where id in (
        select id from email_clicks where clicked_at < ${after(now, -CLICK_DAYS * DAY_MS)}
        order by clicked_at limit ${BATCH})
      returning address
    ), removed as (
      select address, count(*) as by from old group by address
    ), deleted as (
      delete from click_addresses as counts using removed where counts.address = removed.address and clicks <= by
    ), updated as (
      update click_addresses as counts set clicks = clicks - by
      from removed where counts.address = removed.address and clicks > by
    )
    select count(*) as dropped from old`.execute(trx);
    return { numAffectedRows: BigInt(rows[0]!.dropped) };
  });

/** Deletes clicks after 180 days, and an address with its last click. Anonymous counts stay. */
export const deleteOldClicks = (db: Db, now: Date): Promise<void> =>
  repeatUntilFewer(BATCH, () => deleteBatch(db, now));

/** Deletes the clicks of an address without an account. Those of an account are deleted with it. */
export async function deleteClicksOf(db: Db, address: string): Promise<void> {
  await db.deleteFrom('emailClicks').where('address', '=', address).where('userId', 'is', null).execute();
  await db.deleteFrom('clickAddresses').where('address', '=', address).where('userId', 'is', null).execute();
}
