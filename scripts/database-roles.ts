import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { EXECUTE_RIGHTS, RIGHTS, type Role } from './rights.ts';

/** The roles that do not own the database, in clusters that `npm start` or the tests created. */
export const ROLES = { web: 'tidepost_web', worker: 'tidepost_worker', reader: 'tidepost_reader' } as const;

/** The name of the database role for each use; one name for two uses gets the rights of both. */
export type RoleNames = Partial<Record<Role, string>>;

export type DatabaseUrls = { ownerUrl: string; url: string; workerUrl?: string; readUrl?: string };

const GRANT_LOCK = 8902;
const SCHEMAS = ['public', 'graphile_worker'];
const PRIVILEGES = { r: 'select', a: 'insert', w: 'update', d: 'delete' } as const;
type Letter = keyof typeof PRIVILEGES;

function roleUrl(ownerUrl: string, role: Role): string {
  const url = new URL(ownerUrl);
  url.username = ROLES[role];
  return url.href;
}

export const urlsForRoles = (ownerUrl: string): Required<DatabaseUrls> => ({
  ownerUrl,
  url: roleUrl(ownerUrl, 'web'),
  workerUrl: roleUrl(ownerUrl, 'worker'),
  readUrl: roleUrl(ownerUrl, 'reader'),
});

/** The names of the roles that connect by these URLs, without the owner. */
export function roleNames({ ownerUrl, url, workerUrl = url, readUrl }: DatabaseUrls): RoleNames {
  const [owner, web, worker, reader] = [ownerUrl, url, workerUrl, readUrl].map(
    (each) => each && decodeURIComponent(new URL(each).username),
  );
  const notOwner = (name?: string) => (name && name !== owner ? name : undefined);
  // A role that also writes is granted the rights of web or worker instead.
  const isReader = reader !== web && reader !== worker;
  return { web: notOwner(web), worker: notOwner(worker), ...(isReader && { reader: notOwner(reader) }) };
}

/**
 * Throws before a migration would fail halfway: when the connected role does not own the tables, or a role of web or
 * worker does not exist. Returns the name of the reader when it does not exist on this server.
 */
export async function requireRoles(db: Db, names: RoleNames): Promise<string | undefined> {
  await requireOwner(db);
  for (const name of [names.web, names.worker])
    if (name && !(await roleExists(db, name))) {
      const fix = `\`create role ${name} login password '…'\` makes it`;
      throw new Error(`There is no role ${name}: ${fix}. Then run this again; nothing was done.`);
    }
  return names.reader && !(await roleExists(db, names.reader)) ? names.reader : undefined;
}

async function requireOwner(db: Db): Promise<void> {
  const { rows } = await sql<{ me: string; database: string; owner: string | null; owns: boolean }>`
    select current_user as me, current_database() as database, pg_get_userbyid(relowner) as owner,
      coalesce(pg_has_role(relowner, 'usage'), has_schema_privilege('public', 'create')
        and has_database_privilege(current_database(), 'create')) as owns
    from (select to_regclass('public.kysely_migration') as id) as first left join pg_class on oid = id`.execute(
    db,
  );
  const { me, database, owner, owns } = rows[0]!;
  if (owns) return;
  throw new Error(
    owner
      ? `The role ${me} does not own the tables of ${database}, ${owner} does: name that one in DATABASE_OWNER_URL.`
      : `The role ${me} may make no tables in ${database}: \`alter database ${database} owner to ${me}\` lets it.`,
  );
}

/** The columns of one table for which a role has one privilege. */
type Right = { table: string; letter: Letter; columns: string[] };

function parseRights(table: string, notation: string, allColumns: string[]): Right[] {
  return [...notation.matchAll(/([rawd]+)(?:\((-?)([^)]*)\))?/g)].flatMap(([, letters, minus, list]) => {
    const named = list?.split(',') ?? [];
    const unknown = named.find((name) => !allColumns.includes(name));
    if (unknown) throw new Error(`scripts/rights.ts names ${table}.${unknown}, which is not there`);
    const columns =
      list === undefined ? allColumns : allColumns.filter((name) => named.includes(name) !== Boolean(minus));
    return [...letters!].map((letter) => ({ table, letter: letter as Letter, columns }));
  });
}

type Columns = Map<string, string[]>;

async function columnsOf(db: Db): Promise<Columns> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select case when relnamespace = 'public'::regnamespace then '' else 'graphile_worker.' end || relname as name,
      array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relnamespace = any(${SCHEMAS}::regnamespace[]) and relkind in ('r', 'p', 'v')
    group by pg_class.oid`.execute(db);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

const tableId = (table: string) => sql.id(...table.split('.'));
const joinSql = (parts: RawBuilder<unknown>[], separator = sql`, `) => sql.join(parts, separator);
const schemaIds = joinSql(SCHEMAS.map((each) => sql.id(each)));

function grant({ table, letter, columns }: Right, all: string[], to: RawBuilder<unknown>) {
  const list = columns.length === all.length ? sql`` : sql`(${joinSql(columns.map((name) => sql.id(name)))})`;
  return sql`grant ${sql.raw(PRIVILEGES[letter])} ${list} on ${tableId(table)} to ${to}`;
}

function rightsOf(roles: Role[], columns: Columns): Right[] {
  return Object.entries(RIGHTS).flatMap(([table, byRole]) =>
    roles.flatMap((role) => parseRights(table, byRole[role], columns.get(table) ?? [])),
  );
}

/**
 * Grants each role exactly the rights of scripts/rights.ts. Tables that a later migration creates are granted to web and
 * worker by default, because running processes may write them by a trigger; each call grants again. The job queue's
 * tables have row level security without a policy, so web and worker get one.
 *
 * @param db Connected as the role that owns the tables.
 */
export async function grantRoles(db: Db, names: RoleNames): Promise<void> {
  const roles = Object.entries(names) as [Role, string][];
  await db.transaction().execute(async (trx) => {
    // Concurrent grants would update the same rows of the catalog.
    await sql`select pg_advisory_xact_lock(${GRANT_LOCK})`.execute(trx);
    const columns = await columnsOf(trx);
    // Granted by default before Postgres 15, also in databases that were upgraded since.
    await sql`revoke create on schema ${schemaIds} from public`.execute(trx);
    // Missing after the restore of a dump whose roles did not exist yet.
    for (const name of Object.keys(EXECUTE_RIGHTS))
      await sql`revoke execute on function ${sql.id(name)} from public`.execute(trx);
    for (const name of new Set(roles.map(([, name]) => name).filter(Boolean))) {
      const ownRoles = roles.filter(([, other]) => other === name).map(([role]) => role);
      if (ownRoles.includes('reader') && !(await roleExists(trx, name))) continue;
      await grantOne(trx, name, ownRoles, columns);
    }
  });
}

/** The reader of a replica may exist only on that server. */
async function roleExists(trx: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select from pg_roles where rolname = ${name}`.execute(trx);
  return rows.length > 0;
}

async function grantOne(trx: Db, name: string, roles: Role[], columns: Columns): Promise<void> {
  const to = sql.id(name);
  const rights = rightsOf(roles, columns);
  const tables = joinSql(Object.keys(RIGHTS).map(tableId));
  const isReader = roles.includes('reader');
  const schemas = isReader ? ['public'] : SCHEMAS;
  const statements = [
    // Other privileges of a reader are left, so that requireOnly() refuses a role that also writes.
    sql`revoke ${sql.raw(isReader ? 'select' : 'all')} on ${tables} from ${to}`,
    sql`revoke create on schema ${schemaIds} from ${to}`,
    sql`revoke create on database ${sql.id(await databaseName(trx))} from ${to}`,
    ...rights.map((right) => grant(right, columns.get(right.table)!, to)),
    ...Object.entries(EXECUTE_RIGHTS).map(([name, by]) =>
      by.some((role) => roles.includes(role))
        ? sql`grant execute on function ${sql.id(name)} to ${to}`
        : sql`revoke execute on function ${sql.id(name)} from ${to}`,
    ),
    ...schemas.map((schema) => sql`grant usage on schema ${sql.id(schema)} to ${to}`),
  ];
  if (!isReader)
    for (const schema of SCHEMAS.map((each) => sql.id(each)))
      statements.push(
        sql`grant usage on all sequences in schema ${schema} to ${to}`,
        sql`alter default privileges in schema ${schema} grant select, insert, update on tables to ${to}`,
        sql`alter default privileges in schema ${schema} grant usage on sequences to ${to}`,
      );
  await joinSql(statements, sql`; `).execute(trx);
  await requireOnly(trx, name, rights);
  if (!isReader) await createQueuePolicies(trx, name);
}

async function databaseName(trx: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(trx);
  return rows[0]!.name;
}

async function createQueuePolicies(trx: Db, name: string): Promise<void> {
  const { rows } = await sql<{ table: string }>`
    select relname as table from pg_class where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
      and not exists (select from pg_policies where schemaname = 'graphile_worker' and tablename = relname
        and policyname = ${name})`.execute(trx);
  for (const { table } of rows) {
    const [queue, to] = [sql.id('graphile_worker', table), sql.id(name)];
    await sql`create policy ${to} on ${queue} to ${to} using (true) with check (true)`.execute(trx);
  }
}

/** Refuses a role with other rights: as a superuser, as a member of another role, or by grants that were made elsewhere. */
async function requireOnly(trx: Db, name: string, rights: Right[]): Promise<void> {
  const granted = rights.flatMap(({ table, letter, columns }) =>
    columns.map((column) => ({ of: table, word: PRIVILEGES[letter], column })),
  );
  const { rows } = await sql<{ what: string }>`
    with granted as (
      select * from json_to_recordset(${JSON.stringify(granted)}::json) as its (of text, word text, "column" text)
    ), tables as (select of::regclass as id from unnest(${Object.keys(RIGHTS)}::text[]) as of)
    select word || ' ' || attname || ' of ' || id::text as what
    from tables join pg_attribute on attrelid = id and attnum > 0 and not attisdropped,
      unnest(array['select', 'insert', 'update']) as words (word)
    where has_column_privilege(${name}, id, attnum, word)
      and not exists (select from granted g where g.of = id::text and g.word = words.word and g.column = attname)
    union all select 'delete rows of ' || id::text from tables
    where has_table_privilege(${name}, id, 'delete')
      and not exists (select from granted g where g.of = id::text and g.word = 'delete')
    union all select 'truncate ' || id::text from tables where has_table_privilege(${name}, id, 'truncate, trigger')
    -- A function or an operator that matches better than ours would run with the rights of the owner that calls it.
    union all select 'make what it likes in ' || nspname from pg_namespace
    where nspname = any(${SCHEMAS}) and has_schema_privilege(${name}, oid, 'create')
    union all select 'make schemas' where has_database_privilege(${name}, current_database(), 'create')
    union all select 'do all that the owner may' where pg_has_role(${name}, current_user, 'member')
    limit 1`.execute(trx);
  if (rows.length === 0) return;
  const fix = rows[0]!.what.startsWith('make ')
    ? 'Who owns that has to revoke create on it, from public as well'
    : 'Make one of its own that is no superuser and no member of another role';
  throw new Error(`The role ${name} may do more than it is to: ${rows[0]!.what}. ${fix}`);
}
