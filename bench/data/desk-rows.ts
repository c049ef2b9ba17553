import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';

/** Adds tickets, feedback, mails, clicks and audit entries for each user, over the last 180 days. */
export async function addDeskRows(db: Db, adminId: string): Promise<void> {
  const ago = sql`now() - random() * interval '180 days'`;
  await sql`update users set created_at = ${ago} where role <> 'admin'`.execute(db);
  await sql`insert into support_tickets (user_id, name, email, category, subject, message, status, created_at, asked_at)
    select id, name, email, 'general', 'Times ' || left(id::text, 8), 'When do they go out?',
      (array['open', 'in_progress', 'resolved'])[1 + (random() * 2)::int], at, at
    from (select id, name, email, ${ago} as at from users) as person`.execute(db);
  await sql`insert into feedback (user_id, type, title, description, status, created_at)
    select id, 'bug', 'Wish ' || left(id::text, 8), 'Quiet hours', 'new', ${ago} from users`.execute(db);
  await sql`insert into mails (user_id, to_address, kind, created_at, sent_at)
    select id, email, 'planEnding', at, at from (select id, email, ${ago} as at from users) as person,
      generate_series(1, 3)`.execute(db);
  await sql`insert into email_clicks (address, user_id, campaign, page, device, browser, system, clicked_at, hour)
    select email, id, 'planEnding', '/app/payments', 'Desktop', 'Chrome', 'Windows', at, date_trunc('hour', at)
    from (select id, email, ${ago} as at from users) as person`.execute(db);
  await sql`insert into click_addresses (address, clicks, last_click_at)
    select address, count(*), max(clicked_at) from email_clicks group by address`.execute(db);
  await sql`insert into audit_log (admin_id, action, subject_id, detail, created_at)
    select ${adminId}, 'sessions.ended', id, '{}', now() - n * interval '2 minutes'
    from (select id, row_number() over () as n from users) as person order by n desc`.execute(db);
  await sql`update post_schedules set was_due_at = posted_at - random() * interval '30 seconds'
    where posted_at > now() - interval '4 days' and status = 'published'`.execute(db);
}
