import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { requestDeletion } from '#app/domain/account-deletion/request.ts';
import { EXCLUDED_COLUMNS, EXPORTED_COLUMNS } from '#app/domain/data-export/columns.ts';
import { exportAccount } from '#app/domain/data-export/export.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { fillAccount } from '#tests/fixtures/full-account.ts';
import { makePublisher } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db, pool } = await testDatabase();

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** MANY=100000 says how long that many take, and what they need. */
const MANY = Number(process.env.MANY ?? 20_000);

// biome-ignore lint/suspicious/noExplicitAny: what the file says is what this test looks at.
type Exported = Record<string, any>;

async function exported(actor: Actor): Promise<Exported> {
  let text = '';
  for await (const piece of exportAccount(db, actor)) text += piece;
  return JSON.parse(text);
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The tables with a column that names a user or an address, and those whose rows belong to one of them. */
async function tablesOfUsers(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(`
    with recursive theirs as (
      select 'users'::name as name
      union
      select table_name::name from information_schema.columns where table_schema = 'public'
        and (column_name ~ '^(user|admin)_id$|^email$|^to_address$')
      union
      select conrelid::regclass::text::name from pg_constraint
        join theirs on theirs.name = confrelid::regclass::text::name
        where contype = 'f' and confdeltype = 'c')
    select name from theirs order by 1`);
  return rows.map(({ name }) => name);
}

test('every column that keeps something of a user is in the file, or is named with the reason why not', async () => {
  const tables = await tablesOfUsers();
  assert.ok(tables.length > 20 && tables.includes('generation_attempts') && tables.includes('fact_uses'));
  const { rows } = await pool.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'`,
  );
  const said = new Set(
    Object.entries(EXPORTED_COLUMNS).flatMap(([table, columns]) =>
      columns.map((name) => `${snake(table)}.${snake(name)}`),
    ),
  );
  // Whose it is says the file as a whole; with an address beside it the address is that of the account.
  const isWhose = (column: string) => ['user_id', 'admin_id'].includes(column);
  const isAddress = (table: string, column: string) => column === 'email' && !said.has(`${table}.email`);
  const missing = rows
    .filter(({ table, column }) => tables.includes(table) && !(table in EXCLUDED_COLUMNS) && !isWhose(column))
    .filter(({ table, column }) => !isAddress(table, column))
    .map(({ table, column }) => `${table}.${column}`)
    .filter((name) => !said.has(name) && !(name in EXCLUDED_COLUMNS));
  assert.deepEqual(missing, []);
  const known = new Set(rows.flatMap(({ table, column }) => [table, `${table}.${column}`]));
  assert.deepEqual(
    [...said, ...Object.keys(EXCLUDED_COLUMNS)].filter((name) => !known.has(name)),
    [],
    'named, and not in the database',
  );
});

test('everything of this person is in it, nothing of anybody else, and no secret', async () => {
  const actor = await makePublisher(db, outside.url);
  const other = await makePublisher(db, outside.url);
  const { postId } = await fillAccount(db, actor, 'Quillfeather');
  await fillAccount(db, other, 'Inkwellington');
  await sql`insert into audit_log (admin_id, action) values (${actor.userId}, 'publishing.paused')`.execute(
    db,
  );
  await requestDeletion(db, actor, null);
  await sql`insert into disabled_accounts (user_id, disabled_at, reason)
    values (${actor.userId}, now(), 'Sells followers')`.execute(db);
  const file = await exported(actor);
  assert.equal(file.account.email, actor.email);
  for (const [name, value] of Object.entries(file)) {
    const isFound = Array.isArray(value) ? value.length > 0 : value !== null;
    // Sessions end with the wish to leave, and with them what they began.
    assert.equal(isFound, !['sessions', 'emailChange'].includes(name), name);
  }
  const post = file.posts.find(({ id }: { id: string }) => id === postId);
  assert.equal(post.content, 'A post of Quillfeather.');
  assert.equal(post.schedule.status, 'generated');
  assert.equal(post.attempts[0].body, 'Sent by Quillfeather');
  assert.equal(post.versions[0].content, 'Once by Quillfeather');
  assert.equal(post.engagement.likes, 3);
  assert.equal(post.brief.content, 'Written for Quillfeather');
  assert.equal(post.factsUsed[0], file.facts[0].id);
  assert.equal(file.deletedPosts[0].content, 'A deleted post of Quillfeather.');
  assert.equal(
    file.generationRuns.find(({ error }: Exported) => error)?.attempts[0].rejected,
    'Bad text of Quillfeather',
  );
  assert.equal(file.payments.length, 2);
  const [picture] = file.paymentScreenshots;
  assert.equal(Buffer.from(picture.bytes, 'base64').toString(), 'Drawn by Quillfeather');
  const text = JSON.stringify(file);
  for (const foreign of ['Inkwellington', other.userId, other.email])
    assert.ok(!text.includes(foreign), foreign);
  const { rows } = await pool.query(
    `select password_hash as secret from users union
    select token_hash from sessions union select access_token_sealed from linkedin_connections union
    select data_sealed from mails where data_sealed is not null union
    select secret_sealed from webhook_endpoints union select state_hash from oauth_states
    where user_id = $1`,
    [actor.userId],
  );
  for (const { secret } of rows) assert.ok(!text.includes(secret), secret);
});

test('a new account is a file without posts', async () => {
  const file = await exported(await makeUser(db));
  assert.deepEqual([file.posts, file.deletedPosts, file.linkedIn, file.mails], [[], [], null, []]);
});

test('more posts than are read at a time are all there, each once', async () => {
  const actor = await makeUser(db);
  await sql`with made as (
      insert into posts (user_id, content, created_at, deleted_at)
      select ${actor.userId}, 'Number ' || n, now() - (n / 7) * interval '1 minute', case when n % 3 = 0 then now() end
      from generate_series(1, 1203) as n returning id, user_id)
    insert into post_schedules (post_id, user_id) select id, user_id from made`.execute(db);
  const { posts, deletedPosts } = await exported(actor);
  assert.deepEqual([posts.length, deletedPosts.length], [802, 401]);
  const contents = [...posts, ...deletedPosts].map(({ content }: Exported) => content);
  assert.equal(new Set(contents).size, 1_203);
});

/** What is in use once everything else is thrown away. */
function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test('however many posts there are, few are held at a time', async () => {
  const actor = await makeUser(db);
  const text = 'A plan that fits on a postcard gets read. '.repeat(24);
  await sql`with made as (
      insert into posts (user_id, content, created_at)
      select ${actor.userId}, ${text}, now() - n * interval '1 minute' from generate_series(1, ${MANY}::int) as n
      returning id, user_id)
    insert into post_schedules (post_id, user_id) select id, user_id from made`.execute(db);
  await sql`analyze posts, post_schedules`.execute(db);
  let [bytes, longest, most, pieces] = [0, 0, 0, 0];
  const before = heapInUse();
  const begun = performance.now();
  for await (const piece of exportAccount(db, actor)) {
    bytes += piece.length;
    longest = Math.max(longest, piece.length);
    pieces += 1;
    if (pieces % 50 === 0) most = Math.max(most, heapInUse() - before);
  }
  const seconds = (performance.now() - begun) / 1000;
  const megabytes = (count: number) => Math.round(count / 2 ** 20);
  const said = `${megabytes(bytes)} MB in ${seconds.toFixed(1)} s, ${megabytes(most)} MB in use at most`;
  assert.ok(bytes > MANY * text.length && most > 0, said);
  assert.ok(megabytes(longest) < 1, `a piece of ${longest}`);
  assert.ok(megabytes(most) < 10, said);
  if (process.env.MANY) console.log(said);
});
