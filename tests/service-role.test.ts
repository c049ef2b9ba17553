import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { createDatabase } from '#app/db/client.ts';
import { grantService, SERVICE_ROLE } from '#scripts/service-role.ts';
import { testDatabase } from '#tests/database.ts';

const { db, url } = await testDatabase();
const { db: service } = createDatabase(url, 2);
const NOT_PERMITTED = { code: '42501' };

test('what serves people may add to the audit log, and never change or remove what is there', async () => {
  const entry = { adminId: crypto.randomUUID(), action: 'disable', detail: JSON.stringify({ why: 'spam' }) };
  await service
    .insertInto('auditLog')
    .values(entry as never)
    .execute();
  for (const statement of [
    "update audit_log set action = 'nothing'",
    'delete from audit_log',
    'truncate audit_log',
    'alter table audit_log disable trigger audit_log_stays',
    'drop trigger audit_log_stays on audit_log',
    'drop table audit_log',
    'alter table users add column backdoor text',
    'create table public.own (id int)',
    "update kysely_migration set name = 'other'",
    'delete from graphile_worker.migrations',
  ])
    await assert.rejects(sql.raw(statement).execute(service), NOT_PERMITTED, statement);
  const { rows } = await sql`select action from audit_log`.execute(service);
  assert.deepEqual(rows, [{ action: 'disable' }]);
});

test('it reads and writes all other tables, and the rows of the job queue', async () => {
  const { rows } = await sql<{ name: string }>`
    select relnamespace::regnamespace || '.' || relname as name from pg_class
    where relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and relkind in ('r', 'p')
      and not (has_table_privilege(${SERVICE_ROLE}, oid, 'select') and has_table_privilege(${SERVICE_ROLE}, oid, 'insert')
        and has_table_privilege(${SERVICE_ROLE}, oid, 'update') and has_table_privilege(${SERVICE_ROLE}, oid, 'delete'))
    order by name`.execute(db);
  assert.deepEqual(
    rows.map(({ name }) => name),
    [
      'graphile_worker.migrations',
      'public.audit_log',
      'public.kysely_migration',
      'public.kysely_migration_lock',
    ],
  );
  await sql`select graphile_worker.add_job('nothing')`.execute(service);
  const jobs = await sql`select id from graphile_worker._private_jobs`.execute(service);
  assert.equal(jobs.rows.length, 1);
  await sql`delete from graphile_worker._private_jobs`.execute(service);
  assert.equal((await sql`select 1 from graphile_worker._private_jobs`.execute(db)).rows.length, 0);
});

test('what a later migration makes is granted with it, and all again when that was run', async () => {
  await sql`create table later (id int)`.execute(db);
  await sql`insert into later values (0)`.execute(service);
  for (let run = 0; run < 2; run += 1) await grantService(db, SERVICE_ROLE);
  await sql`insert into later values (1)`.execute(service);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  assert.equal((await client.query('select current_user as me')).rows[0].me, SERVICE_ROLE);
  await client.end();
});

test('nobody who adds to the audit log says its number, and a role that may more is refused', async () => {
  const forged = sql`insert into audit_log (id, action, detail) overriding system value values (999, 'x', '{}')`;
  await assert.rejects(forged.execute(service), NOT_PERMITTED);
  await service.destroy();
  await assert.rejects(grantService(db, 'tidepost'), /may change the audit log/);
});
