import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { findMailRecipient } from '#app/domain/email/outbox.ts';
import { readTrackingParams } from '#app/domain/email/tracking/link-marks.ts';
import { agentOf } from './agents.ts';
import { pageOf } from './page-patterns.ts';

type Click = { email: string; campaign: string; ts: string; page: string; userAgent: string };

/** Clicks are counted one after the other, so that an address counts once. */
const LOCK = 8_602;
export const lockClicks = (trx: Trx) => sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);

/**
 * Records that a link of a mail was opened. A click by a robot, or for a mail or address that we don't know, is ignored.
 * The same statement counts it, at most once an hour for each mail.
 */
export async function recordClick(db: Db, click: Click, now: Date): Promise<void> {
  const agent = agentOf(click.userAgent);
  const mail = agent && readTrackingParams(click);
  const mailed = mail && (await findMailRecipient(db, mail.address));
  if (!mailed) return;
  const hour = new Date(now);
  hour.setUTCMinutes(0, 0, 0);
  await transact(db, async (trx) => {
    await lockClicks(trx);
    await sql`
    with click as (
      insert into email_clicks (address, user_id, campaign, page, device, browser, system, clicked_at, hour, mailed_at)
      values (${mailed.address}, ${mailed.userId}, ${mail.kind}, ${pageOf(click.page)}, ${agent.device}, ${agent.browser},
        ${agent.system}, ${now}, ${hour}, ${mail.createdAt})
      on conflict on constraint email_clicks_once_key do nothing
      returning address, user_id, device, browser, clicked_at, clicked_at at time zone 'UTC' as at
    ), spans as (
      insert into click_spans as old (span, begins, clicks, addresses)
      select span, begins, 1, case when exists (
          select from email_clicks as earlier
          where earlier.address = click.address and earlier.clicked_at >= begins::timestamp at time zone 'UTC'
        ) then 0 else 1 end
      from click, lateral (values ('day', at::date), ('week', date_trunc('week', at)::date),
        ('month', date_trunc('month', at)::date), ('ever', '-infinity'::date)) as part (span, begins)
      on conflict (span, begins) do update
      set clicks = old.clicks + excluded.clicks, addresses = old.addresses + excluded.addresses
    ), totals as (
      insert into click_totals as old (kind, value, clicks)
      select kind, value, 1 from click, lateral (values ('device', device), ('browser', browser)) as part (kind, value)
      on conflict (kind, value) do update set clicks = old.clicks + excluded.clicks
    )
    insert into click_addresses as old (address, user_id, clicks, last_click_at)
    select address, user_id, 1, clicked_at from click
    on conflict (address) do update
    set clicks = old.clicks + 1, user_id = coalesce(excluded.user_id, old.user_id),
      last_click_at = greatest(old.last_click_at, excluded.last_click_at)`.execute(trx);
  });
}
