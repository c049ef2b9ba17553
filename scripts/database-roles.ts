import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { CALLED_BY, RIGHTS, type Role } from './rights.ts';

/** The roles of a database that `npm start` or the tests made, beside the one that owns it. */
export const ROLES = { web: 'tidepost_web', worker: 'tidepost_worker', reader: 'tidepost_reader' } as const;

/** Who each of them connects as; two that are one do what either may. */
export type Names = Partial<Record<Role, string>>;

/** The addresses of a database, each for a role of its own where there is one. */
export type Addresses = { ownerUrl: string; url: string; workerUrl?: string; readUrl?: string };

const GRANTING = 8902;
const SCHEMAS = ['public', 'graphile_worker'];
const WORDS = { r: 'select', a: 'insert', w: 'update', d: 'delete' } as const;
type Letter = keyof typeof WORDS;

/** The address of a database for a role, beside that of the role that owns it. */
function roleUrl(ownerUrl: string, role: Role): string {
  const address = new URL(ownerUrl);
  address.username = ROLES[role];
  return address.href;
}

/** The same for all roles. */
export const addressesOf = (ownerUrl: string): Required<Addresses> => ({
  ownerUrl,
  url: roleUrl(ownerUrl, 'web'),
  workerUrl: roleUrl(ownerUrl, 'worker'),
  readUrl: roleUrl(ownerUrl, 'reader'),
});

/** Who connects by an address that is not the owner's. */
export function namesOf({ ownerUrl, url, workerUrl = url, readUrl }: Addresses): Names {
  const [owner, web, worker, reader] = [ownerUrl, url, workerUrl, readUrl].map(
    (address) => address && decodeURIComponent(new URL(address).username),
  );
  const other = (name?: string) => (name && name !== owner ? name : undefined);
  // Who also writes is granted that.
  const isReader = reader !== web && reader !== worker;
  return { web: other(web), worker: other(worker), ...(isReader && { reader: other(reader) }) };
}

/**
 * Refuses what a migration would be refused for half way: who owns nothing here, and a role that nobody has made. Answers
 * the reader when it is one of another server.
 */
export async function requireRoles(db: Db, names: Names): Promise<string | undefined> {
  await requireOwner(db);
  for (const name of [names.web, names.worker])
    if (name && !(await isThere(db, name))) {
      const cure = `\`create role ${name} login password '…'\` makes it`;
      throw new Error(`There is no role ${name}: ${cure}. Then run this again; nothing was done.`);
    }
  return names.reader && !(await isThere(db, names.reader)) ? names.reader : undefined;
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

/** What one role may do with one table, for each letter the columns. */
type Right = { table: string; letter: Letter; columns: string[] };

/** `all`: the columns of the table. */
function parse(table: string, words: string, all: string[]): Right[] {
  return [...words.matchAll(/([rawd]+)(?:\((-?)([^)]*)\))?/g)].flatMap(([, letters, minus, list]) => {
    const named = list?.split(',') ?? [];
    const unknown = named.find((name) => !all.includes(name));
    if (unknown) throw new Error(`scripts/rights.ts names ${table}.${unknown}, which is not there`);
    const columns = list === undefined ? all : all.filter((name) => named.includes(name) !== Boolean(minus));
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
const joined = (parts: RawBuilder<unknown>[], by = sql`, `) => sql.join(parts, by);
const schemaIds = joined(SCHEMAS.map((each) => sql.id(each)));

function grant({ table, letter, columns }: Right, all: string[], to: RawBuilder<unknown>) {
  const list = columns.length === all.length ? sql`` : sql`(${joined(columns.map((name) => sql.id(name)))})`;
  return sql`grant ${sql.raw(WORDS[letter])} ${list} on ${tableId(table)} to ${to}`;
}

/** What somebody may do who is `roles` at once. */
function rightsOf(roles: Role[], columns: Columns): Right[] {
  return Object.entries(RIGHTS).flatMap(([table, of]) =>
    roles.flatMap((role) => parse(table, of[role], columns.get(table) ?? [])),
  );
}

/**
 * Lets each role do with the tables what scripts/rights.ts says, and no more. To web and worker tables that a later
 * migration makes are granted with them, because what runs may write them by a trigger; each run grants again.
 * The job queue's tables have row level security without a policy, so web and worker get one.
 *
 * @param db As the role that owns the tables.
 */
export async function grantRoles(db: Db, names: Names): Promise<void> {
  const roles = Object.entries(names) as [Role, string][];
  await db.transaction().execute(async (trx) => {
    // Two that grant at once would write the same rows of the catalog.
    await sql`select pg_advisory_xact_lock(${GRANTING})`.execute(trx);
    const columns = await columnsOf(trx);
    // Postgres let everybody before version 15, and a database that is older stays so.
    await sql`revoke create on schema ${schemaIds} from public`.execute(trx);
    // A dump that is read before its roles are there leaves this out.
    for (const name of Object.keys(CALLED_BY))
      await sql`revoke execute on function ${sql.id(name)} from public`.execute(trx);
    for (const name of new Set(roles.map(([, name]) => name).filter(Boolean))) {
      const its = roles.filter(([, other]) => other === name).map(([role]) => role);
      if (its.includes('reader') && !(await isThere(trx, name))) continue;
      await grantOne(trx, name, its, columns);
    }
  });
}

/** A copy may be a server of its own, with roles that this one does not know. */
async function isThere(trx: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select from pg_roles where rolname = ${name}`.execute(trx);
  return rows.length > 0;
}

async function grantOne(trx: Db, name: string, roles: Role[], columns: Columns): Promise<void> {
  const to = sql.id(name);
  const rights = rightsOf(roles, columns);
  const tables = joined(Object.keys(RIGHTS).map(tableId));
  const isReader = roles.includes('reader');
  const schemas = isReader ? ['public'] : SCHEMAS;
  const statements = [
    // A role that machines write with is no reader, and is refused below.
    sql`revoke ${sql.raw(isReader ? 'select' : 'all')} on ${tables} from ${to}`,
    sql`revoke create on schema ${schemaIds} from ${to}`,
    sql`revoke create on database ${sql.id(await databaseName(trx))} from ${to}`,
    ...rights.map((right) => grant(right, columns.get(right.table)!, to)),
    ...Object.entries(CALLED_BY).map(([name, by]) =>
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
  await joined(statements, sql`; `).execute(trx);
  await requireNoMore(trx, name, rights);
  if (!isReader) await letIntoQueue(trx, name);
}

async function databaseName(trx: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(trx);
  return rows[0]!.name;
}

async function letIntoQueue(trx: Db, name: string): Promise<void> {
  const { rows } = await sql<{ table: string }>`
    select relname as table from pg_class where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
      and not exists (select from pg_policies where schemaname = 'graphile_worker' and tablename = relname
        and policyname = ${name})`.execute(trx);
  for (const { table } of rows) {
    const [queue, to] = [sql.id('graphile_worker', table), sql.id(name)];
    await sql`create policy ${to} on ${queue} to ${to} using (true) with check (true)`.execute(trx);
  }
}

/** Refuses a role that may more: as a superuser, as a member of another, or as one that others write with. */
async function requireNoMore(trx: Db, name: string, rights: Right[]): Promise<void> {
  const granted = rights.flatMap(({ table, letter, columns }) =>
    columns.map((column) => ({ of: table, word: WORDS[letter], column })),
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
    -- A function or an operator that fits better than ours would do what the owner may, as soon as that one calls it.
    union all select 'make what it likes in ' || nspname from pg_namespace
    where nspname = any(${SCHEMAS}) and has_schema_privilege(${name}, oid, 'create')
    union all select 'make schemas' where has_database_privilege(${name}, current_database(), 'create')
    union all select 'do all that the owner may' where pg_has_role(${name}, current_user, 'member')
    limit 1`.execute(trx);
  if (rows.length === 0) return;
  const cure = rows[0]!.what.startsWith('make ')
    ? 'Who owns that has to revoke create on it, from public as well'
    : 'Make one of its own that is no superuser and no member of another role';
  throw new Error(`The role ${name} may do more than it is to: ${rows[0]!.what}. ${cure}`);
}
