import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { after } from '#app/db/clock.ts';
import { repeatUntilFewer } from '#app/domain/platform/batches.ts';
import { CLICK_DAYS } from './limits.ts';
import { lockClicks } from './record-click.ts';

const DAY_MS = 86_400_000;
/** In one statement. */
const AT_ONCE = 5_000;

/** Some of what is too old, and of their addresses what was counted of them. */
const dropSome = (db: Db, now: Date) =>
  transact(db, async (trx) => {
    await lockClicks(trx);
    const { rows } = await sql<{ dropped: string }>`
    with old as (
      delete from email_clicks where id in (
        select id from email_clicks where clicked_at < ${after(now, -CLICK_DAYS * DAY_MS)}
        order by clicked_at limit ${AT_ONCE})
      returning address
    ), fewer as (
      select address, count(*) as by from old group by address
    ), gone as (
      delete from click_addresses as kept using fewer where kept.address = fewer.address and clicks <= by
    ), left_over as (
      update click_addresses as kept set clicks = clicks - by
      from fewer where kept.address = fewer.address and clicks > by
    )
    select count(*) as dropped from old`.execute(trx);
    return { numAffectedRows: BigInt(rows[0]!.dropped) };
  });

/** Drops clicks after 180 days, and with its last one the address: what was counted without names stays. */
export const deleteOldClicks = (db: Db, now: Date): Promise<void> =>
  repeatUntilFewer(AT_ONCE, () => dropSome(db, now));

/** Forgets the clicks on mails to an address that belong to no account. Those of an account go with it. */
export async function deleteClicksOf(db: Db, address: string): Promise<void> {
  await db.deleteFrom('emailClicks').where('address', '=', address).where('userId', 'is', null).execute();
  await db.deleteFrom('clickAddresses').where('address', '=', address).where('userId', 'is', null).execute();
}
