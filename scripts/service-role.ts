import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';

/** The role of the web and the worker on a database that `npm start` or the tests made. */
export const SERVICE_ROLE = 'tidepost_service';

const SCHEMAS = sql.raw('public, graphile_worker');
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
 * Done again after each migration, for what that one has made.
 *
 * @param db As the role that owns the tables.
 */
export async function grantService(db: Db, role: string): Promise<void> {
  const to = sql.id(role);
  await db.transaction().execute(async (trx) => {
    await sql`grant usage on schema ${SCHEMAS} to ${to}`.execute(trx);
    await sql`grant select, insert, update, delete on all tables in schema ${SCHEMAS} to ${to}`.execute(trx);
    await sql`grant usage on all sequences in schema ${SCHEMAS} to ${to}`.execute(trx);
    await sql`revoke insert, update, delete on ${OF_MIGRATIONS} from ${to}`.execute(trx);
    await sql`revoke update, delete on audit_log from ${to}`.execute(trx);
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
        and not exists (select from pg_policies where schemaname = 'graphile_worker' and tablename = relname
          and policyname = 'service' and ${role} = any(roles))`.execute(trx);
    for (const { name } of rows) {
      const table = sql.id('graphile_worker', name);
      await sql`drop policy if exists service on ${table}`.execute(trx);
      await sql`create policy service on ${table} to ${to} using (true) with check (true)`.execute(trx);
    }
  });
}
