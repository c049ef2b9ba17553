import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { createDatabase } from '#app/db/client.ts';
import { EXCLUDED_COLUMNS } from '#app/domain/data-export/columns.ts';
import { grantRoles, ROLES, roleNames } from '#scripts/database-roles.ts';
import { EXECUTE_RIGHTS, RIGHTS, type Role } from '#scripts/rights.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db, url, workerUrl, readUrl, ownerUrl } = await testDatabase();
const as = {
  web: createDatabase(url, 1).db,
  worker: createDatabase(workerUrl, 1).db,
  reader: createDatabase(readUrl, 1).db,
};
after(() => Promise.all(Object.values(as).map((each) => each.destroy())));
const NOT_PERMITTED = { code: '42501' };

async function refuses(role: Role, ...statements: string[]) {
  for (const statement of statements)
    await assert.rejects(sql.raw(statement).execute(as[role]), NOT_PERMITTED, `${role}: ${statement}`);
}

/** What a role may do with each table that is there, as the catalog says it; with a star where not with all columns. */
async function rightsInCatalog(role: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; rights: string }>`
    select id::text as name, string_agg(case
      when has_table_privilege(${role}, id, word) then letter
      when letter <> 'd' and has_any_column_privilege(${role}, id, word) then letter || '*' else '' end, '' order by at) as rights
    from (select oid::regclass as id from pg_class where relkind in ('r', 'p', 'v') and not relispartition
        and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)) tables,
      (values (1, 'r', 'select'), (2, 'a', 'insert'), (3, 'w', 'update'), (4, 'd', 'delete')) words (at, letter, word)
    group by id`.execute(db);
  return Object.fromEntries(rows.map(({ name, rights }) => [name, rights]));
}

const inCatalog = (words: string) =>
  [...'rawd']
    .map((letter) => {
      const found = new RegExp(`${letter}[rawd]*(\\(?)`).exec(words.replaceAll(/\([^)]*\)/g, '('));
      return found ? `${letter}${found[1] ? '*' : ''}` : '';
    })
    .join('');

for (const role of Object.keys(ROLES) as Role[]) {
  test(`with every table that is there the ${role} may do what the list says, and nothing else`, async () => {
    const listed = Object.entries(RIGHTS).map(([table, of]) => [table, inCatalog(of[role])]);
    assert.deepEqual(await rightsInCatalog(ROLES[role]), Object.fromEntries(listed));
  });
}

test('what does what its owner may is called by those it is for', async () => {
  const { rows } = await sql<{ name: string; callers: string[] }>`
    select proname as name, array(select role from unnest(${Object.values(ROLES)}::text[]) as role
      where has_function_privilege(role, oid, 'execute')) as callers
    from pg_proc where prosecdef and pronamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`.execute(
    db,
  );
  const found = Object.fromEntries(rows.map(({ name, callers }) => [name, callers]));
  const listed = Object.entries(EXECUTE_RIGHTS).map(([name, by]) => [name, by.map((role) => ROLES[role])]);
  assert.deepEqual(found, Object.fromEntries(listed));
});

test('a function that came without its rights, as by a dump read before the roles were made, is called by nobody else again', async () => {
  await sql`grant execute on function keep_visit_months to public`.execute(db);
  await grantRoles(db, ROLES);
  await refuses('reader', "select keep_visit_months(now(), 'infinity')");
  await refuses('web', "select keep_visit_months(now(), 'infinity')");
});

test('nobody who serves people or works for them changes what was recorded, or a table', async () => {
  await as.web
    .insertInto('auditLog')
    .values({ adminId: crypto.randomUUID(), action: 'disable', detail: '{"why": "spam"}' })
    .execute();
  for (const role of ['web', 'worker'] as const)
    await refuses(
      role,
      "update audit_log set action = 'nothing'",
      'delete from audit_log',
      'truncate audit_log',
      "insert into audit_log (id, action, detail) overriding system value values (999, 'x', '{}')",
      'alter table audit_log disable trigger audit_log_stays',
      'drop trigger audit_log_stays on audit_log',
      'drop table audit_log',
      'alter table users add column backdoor text',
      'create table public.own (id int)',
      "update kysely_migration set name = 'other'",
      'delete from graphile_worker.migrations',
    );
  const { rows } = await sql`select action from audit_log`.execute(as.web);
  assert.deepEqual(rows, [{ action: 'disable' }]);
});

test('who serves people says nothing about what was sent, deletes no posts and no people, and opens no release', () =>
  refuses(
    'web',
    "update publish_attempts set state = 'published'",
    'delete from publish_attempts',
    'update publishing_epoch set epoch = 0',
    'delete from posts',
    'delete from post_schedules',
    'delete from users',
    'delete from payments',
    'update prices set amount_minor = 1',
  ));

test('who works in the background lets nobody in', () =>
  refuses(
    'worker',
    "update users set role = 'admin'",
    "update users set password_hash = ''",
    "update users set email = ''",
    'select token_hash from sessions',
    "insert into sessions (user_id, kind, token_hash) values (gen_random_uuid(), 'web', '')",
    'select code_hash from sign_ups',
    'select secret_sealed from authenticator_apps',
    'update authenticator_apps set last_step = 0',
    'select from passkeys',
    'select from recovery_codes',
    'delete from identities',
    'select from audit_log',
  ));

test('who looks reads no secret, writes nothing, and sees no job', async () => {
  const { rows } = await sql`select id, email from users limit 1`.execute(as.reader);
  assert.deepEqual(rows, []);
  await refuses(
    'reader',
    'select * from users',
    'select from recovery_codes',
    'select data_sealed from mails',
    'select from graphile_worker._private_jobs',
  );
  await assert.rejects(sql`delete from visits`.execute(as.reader), { code: '25006' });
  await sql`set default_transaction_read_only = off`.execute(as.reader);
  await refuses(
    'reader',
    'delete from visits',
    "update users set name = ''",
    'insert into email_opt_outs default values',
  );
});

test('the secrets that nobody is handed of their own data are none that who looks may read', async () => {
  const secrets = Object.entries(EXCLUDED_COLUMNS).filter(([, why]) =>
    /secret|codes|browser proves/.test(why),
  );
  const { rows } = await sql<{ what: string }>`
    select id::text || '.' || attname as what from (select oid::regclass as id from pg_class where relkind = 'r'
        and relnamespace = 'public'::regnamespace) tables join pg_attribute on attrelid = id and attnum > 0
    where has_column_privilege(${ROLES.reader}, id, attnum, 'select')
      and (attname ~ '_(hash|sealed)$' or id::text || '.' || attname = any(${secrets.map(([what]) => what)}))`.execute(
    db,
  );
  assert.ok(secrets.length > 15);
  assert.deepEqual(rows, []);
  for (const [table] of secrets.filter(([what]) => !what.includes('.')))
    assert.equal(RIGHTS[table]!.reader, '', table);
});

test('jobs are added by who serves people and run by the worker', async () => {
  await sql`select graphile_worker.add_job('nothing')`.execute(as.web);
  const jobs = await sql`select id from graphile_worker._private_jobs`.execute(as.worker);
  assert.equal(jobs.rows.length, 1);
  await sql`delete from graphile_worker._private_jobs`.execute(as.worker);
  assert.equal((await sql`select 1 from graphile_worker._private_jobs`.execute(db)).rows.length, 0);
});

test('what a later migration makes is granted with it, and all again when that was run', async () => {
  await sql`create table later (id int)`.execute(db);
  for (const role of ['web', 'worker'] as const) await sql`insert into later values (0)`.execute(as[role]);
  await refuses('reader', 'select from later');
  const before = await rightsInCatalog(ROLES.web);
  for (let run = 0; run < 2; run += 1) await grantRoles(db, ROLES);
  assert.deepEqual(await rightsInCatalog(ROLES.web), before);
  await sql`drop table later`.execute(db);
});

test('one role for web and worker may do what either may, until each has its own', async () => {
  const shared = await testDatabase();
  await grantRoles(shared.db, roleNames({ ownerUrl, url }));
  const { db: both } = createDatabase(shared.url, 1);
  await sql`update publish_attempts set state = 'published'`.execute(both);
  await sql`select token_hash from sessions`.execute(both);
  await assert.rejects(sql`delete from audit_log`.execute(both), NOT_PERMITTED);
  await grantRoles(shared.db, ROLES);
  await assert.rejects(sql`update publish_attempts set state = 'published'`.execute(both), NOT_PERMITTED);
  await both.destroy();
});

test('the owner alone is granted nothing, and who also writes is no reader', () => {
  assert.deepEqual(Object.values(roleNames({ ownerUrl, url: ownerUrl })).filter(Boolean), []);
  assert.deepEqual(roleNames({ ownerUrl, url, readUrl: url }), { web: ROLES.web, worker: ROLES.web });
  assert.deepEqual(roleNames({ ownerUrl, url, workerUrl, readUrl }), ROLES);
});

test('who reads a copy that is a server of its own is granted nothing here', async () => {
  await grantRoles(db, { reader: 'nobody_here' });
  await assert.rejects(grantRoles(db, { web: 'nobody_here' }), /role "nobody_here" does not exist/);
});

test('a role that machines write with is not made a reader, and goes on writing', async () => {
  const reads = grantRoles(db, roleNames({ ownerUrl, url: workerUrl, readUrl: url }));
  await assert.rejects(reads, /tidepost_web may do more than it is to/);
  await sql`insert into email_opt_outs select id, 'topics' from users where false`.execute(as.web);
});

test('a role that may more from elsewhere is refused', async () => {
  for (const role of Object.keys(ROLES) as Role[])
    await assert.rejects(grantRoles(db, { [role]: 'tidepost' }), /may do more than it is to/, role);
  await sql`grant delete on publish_attempts to public`.execute(db);
  await assert.rejects(
    grantRoles(db, ROLES),
    /tidepost_web may do more than it is to: delete rows of publish_attempts/,
  );
  await sql`revoke delete on publish_attempts from public`.execute(db);
});

test('where functions of the owner look nobody else makes anything, even when they were let', async () => {
  await sql.raw(`grant create on schema public to public, ${ROLES.worker}`).execute(db);
  const database = (await sql<{ name: string }>`select current_database() as name`.execute(db)).rows[0]!.name;
  await sql`grant create on database ${sql.id(database)} to ${sql.id(ROLES.reader)}`.execute(db);
  await grantRoles(db, ROLES);
  // As the better fitting one it would be called in keep_visit_months, and do what the owner may.
  const times = 'create function public.times(int, interval) returns interval language sql return $2';
  await refuses('web', times);
  await refuses('worker', times);
  await sql`set default_transaction_read_only = off`.execute(as.reader);
  await refuses('reader', times, 'create schema tidepost');
});
