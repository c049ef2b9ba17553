import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '#app/db/client.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makePayment } from './payments.ts';
import { makeScheduledPost, makeTopic } from './posts.ts';
import { tokenOf } from './sessions.ts';

/** Puts something of the actor into each table that keeps anything of a user, with `marker` wherever there is text. */
export async function fillAccount(db: Db, actor: Actor, marker: string): Promise<{ postId: string }> {
  const { userId, email } = actor;
  const topic = await makeTopic(db, actor, `About ${marker}`);
  const postId = await makeScheduledPost(db, actor, { content: `A post of ${marker}.` });
  const deletedId = await makeScheduledPost(db, actor, { content: `A deleted post of ${marker}.` });
  const { id: paymentId } = await makePayment(db, actor, 2, new Date(), { upgradeType: 'immediate' });
  const picture = { paymentId, contentType: 'image/webp', bytes: Buffer.from(`Drawn by ${marker}`) };
  await db.insertInto('paymentScreenshots').values(picture).execute();
  await tokenOf(db, actor);
  await queueMail(db, { address: email, userId: null }, 'verifyEmail', {
    code: '123456',
    url: 'http://x.test',
  });
  const rows: [table: string, columns: string][] = [
    ['sign_ups (email, name, password_hash, time_zone)', `'${email}', '${marker}', 'hash', 'UTC'`],
    ['password_resets (email, user_id)', `'${email}', '${userId}'`],
    ['code_requests (email)', `'${email}'`],
    ['reauth_attempts (user_id, counted_from)', `'${userId}', now()`],
    [
      'oauth_states (state_hash, user_id, provider, intent, expires_at)',
      `'state ${userId}', '${userId}', 'google', 'link', now()`,
    ],
    ['identities (provider, subject, user_id, email)', `'google', 'sub ${userId}', '${userId}', '${email}'`],
    [
      'pending_identities (provider, subject, user_id, email, expires_at)',
      `'linkedin', 'sub ${userId}', '${userId}', '${email}', now()`,
    ],
    [
      'exchange_codes (code_hash, user_id, browser_hash, expires_at)',
      `'code ${userId}', '${userId}', 'key', now()`,
    ],
    [
      'pending_linkedin_connections (user_id, member_id, name, scopes, access_token_sealed, expires_at, offered_until)',
      `'${userId}', 'member', '${marker}', '{}', 'sealed', now(), now()`,
    ],
    ['authenticator_apps (user_id, secret_sealed)', `'${userId}', 'sealed'`],
    [
      'webhook_endpoints (id, user_id, url, events, secret_sealed)',
      `gen_random_uuid(), '${userId}', 'https://${marker}.example/', '{post.failed}', 'sealed webhook'`,
    ],
    ['recovery_codes (user_id, code_hash)', `'${userId}', 'hash'`],
    ['two_factor_attempts (user_id, attempts, since)', `'${userId}', 1, now()`],
    [
      'passkeys (user_id, name, credential_id, public_key, counter)',
      `'${userId}', '${marker}', 'id ${userId}', 'key', 0`,
    ],
    ['passkey_challenges (challenge, purpose, user_id)', `'challenge', 'add', '${userId}'`],
    [
      'email_clicks (address, user_id, campaign, page, device, browser, system, clicked_at, hour)',
      `'${email}', '${userId}', 'accountKept', '/', 'TV', 'Opera', 'Linux', now(), now()`,
    ],
    [
      'email_clicks (address, campaign, page, device, browser, system, clicked_at, hour)',
      `'${email}', 'before the account', '/', 'TV', 'Opera', 'Linux', now(), now()`,
    ],
    ['click_addresses (address, user_id, clicks, last_click_at)', `'${email}', '${userId}', 1, now()`],
    ['email_opt_outs (user_id, choice)', `'${userId}', 'weekly'`],
    ['voices (user_id, audience)', `'${userId}', 'Readers of ${marker}'`],
    ['voice_examples (user_id, content)', `'${userId}', 'As ${marker} writes'`],
    [
      'feedback (user_id, type, title, description)',
      `'${userId}', 'bug', 'Found by ${marker}', '${marker} saw it'`,
    ],
    ['writer_calls (user_id, day)', `'${userId}', now()`],
    ['engagements (post_id, user_id, likes)', `'${postId}', '${userId}', 3`],
    ['post_versions (post_id, user_id, content)', `'${postId}', '${userId}', 'Once by ${marker}'`],
    [
      'publish_attempts (post_id, user_id, attempt, state, author_urn, body, lease_token, resolved_at)',
      `'${postId}', '${userId}', 1, 'refused', 'urn', 'Sent by ${marker}', 1, now()`,
    ],
    [
      'briefs (post_id, user_id, brief, content, thesis, claims, score, reasons, findings)',
      `'${postId}', '${userId}', '{}', 'Written for ${marker}', 'Thesis', '[]', 1, '{}', '{}'`,
    ],
  ];
  for (const [table, values] of rows)
    await sql.raw(`insert into ${table} values (${values}) on conflict do nothing`).execute(db);
  await sql`with made as (insert into facts (user_id, topic_id, kind, content)
      values (${userId}, ${topic.id}, 'project', ${`${marker} built it`}) returning id)
    insert into fact_uses select id, ${postId} from made`.execute(db);
  await sql`insert into feedback_votes select id, user_id from feedback where user_id = ${userId}`.execute(
    db,
  );
  await sql`with made as (insert into generation_runs (user_id, topic_id, status, requested, error)
      values (${userId}, ${topic.id}, 'complete', 1, ${`Not for ${marker}`}) returning id)
    insert into generation_attempts (run_id, position, rejected) select id, 0, ${`Bad text of ${marker}`} from made`.execute(
    db,
  );
  await sql`with made as (insert into support_tickets (user_id, name, email, category, subject, message)
      values (${userId}, ${marker}, ${email}, 'general', 'Times', ${`Asked by ${marker}`}) returning id)
    insert into support_replies (ticket_id, kind, message) select id, 'asker', ${`Again by ${marker}`} from made`.execute(
    db,
  );
  await sql`update posts set deleted_at = now() where id = ${deletedId}`.execute(db);
  await sql`update users set name = ${marker}, headline = ${`${marker}, writer`} where id = ${userId}`.execute(
    db,
  );
  return { postId };
}

/** The tables in which any of some texts stands, in whatever column; those of the queue too. */
export async function tablesWith(pool: pg.Pool, texts: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema in ('public', 'graphile_worker') order by 1`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const like = texts.map((_, index) => `t::text ilike '%' || $${index + 1} || '%'`).join(' or ');
    const { rowCount } = await pool.query(`select from ${name} t where ${like} limit 1`, texts);
    if (rowCount) found.push(name.replace(/^public\./, ''));
  }
  return found;
}
