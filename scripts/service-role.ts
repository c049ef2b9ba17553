import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';

/** The role of the web and the worker on a database that `npm start` or the tests made. */
export const SERVICE_ROLE = 'tidepost_service';

const SCHEMAS = sql.raw('public, graphile_worker');
const GRANTING = 8902;
/** What the migrations wrote, which is theirs alone. */
const OF_MIGRATIONS = sql.raw('kysely_migration, kysely_migration_lock, graphile_worker.migrations');

/** The address of a database for the web and the worker, beside that of the role that owns it. */
export function serviceUrl(ownerUrl: string): string {
  const address = new URL(ownerUrl);
  address.username = SERVICE_ROLE;
  return address.href;
}

/**
 * Lets a role do what the web and the worker do, and no more: it reads and writes rows, but changes no table, and to the
 * audit log it can only add. The job queue's tables have row level security without a policy, so the role gets one.
 * Tables that a later migration makes are granted with them, and all again after each run.
 *
 * @param db As the role that owns the tables.
 */
export async function grantService(db: Db, role: string): Promise<void> {
  const to = sql.id(role);
  await db.transaction().execute(async (trx) => {
    // Two that grant at once would write the same rows of the catalog.
    await sql`select pg_advisory_xact_lock(${GRANTING})`.execute(trx);
    await sql`grant usage on schema ${SCHEMAS} to ${to}`.execute(trx);
    await sql`grant select, insert, update, delete on all tables in schema ${SCHEMAS} to ${to}`.execute(trx);
    await sql`grant usage on all sequences in schema ${SCHEMAS} to ${to}`.execute(trx);
    await sql`grant execute on function keep_visit_months to ${to}`.execute(trx);
    await sql`revoke insert, update, delete on ${OF_MIGRATIONS} from ${to}`.execute(trx);
    for (const schema of ['public', 'graphile_worker']) {
      const later = sql`alter default privileges in schema ${sql.id(schema)} grant`;
      await sql`${later} select, insert, update, delete on tables to ${to}`.execute(trx);
      await sql`${later} usage on sequences to ${to}`.execute(trx);
    }
    await sql`revoke insert, update, delete on audit_log from ${to}`.execute(trx);
    await sql`grant insert (admin_id, action, subject_id, detail, created_at, came_from) on audit_log to ${to}`.execute(
      trx,
    );
    await requireNoMore(trx, role);
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
        and not exists (select from pg_policies where schemaname = 'graphile_worker' and tablename = relname
          and policyname = ${role})`.execute(trx);
    for (const { name } of rows) {
      const table = sql.id('graphile_worker', name);
      await sql`create policy ${to} on ${table} to ${to} using (true) with check (true)`.execute(trx);
    }
  });
}

/** Refuses a role that gets from elsewhere what was just taken from it: as a superuser, or as one of the owner's. */
async function requireNoMore(db: Db, role: string): Promise<void> {
  const { rows } = await sql<{ isMore: boolean }>`
    select has_table_privilege(${role}, 'audit_log', 'update, delete, truncate, trigger')
      or pg_has_role(${role}, current_user, 'member') as "isMore"`.execute(db);
  if (!rows[0]!.isMore) return;
  throw new Error(
    `The role ${role} of DATABASE_URL may change the audit log. Make one that is no superuser and no member of another role`,
  );
}
