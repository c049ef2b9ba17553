/** What is done in the wrong order or the wrong place does nothing, and is answered in a sentence that says what mends it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { createSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { beatEpoch } from '#app/domain/publishing/safety/epoch.ts';
import { migrate } from '#scripts/migrate.ts';
import { ROOT } from '#scripts/run.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db, pool, ...addresses } = await testDatabase();
const { url, workerUrl, ownerUrl, readUrl } = addresses;

type Script = 'migrate' | 'make-admin' | 'rotate-keys' | 'resume-publishing';

/** Its exit code, and the whole of what it said. */
function run(script: Script, names: Record<string, string>, ...words: string[]) {
  const own = { DATABASE_WORKER_URL: '', DATABASE_OWNER_URL: '', DATABASE_READ_URL: '', LOG_LEVEL: 'silent' };
  const env = { ...process.env, ...own, ...names };
  const file = path.join(ROOT, 'scripts', `${script}.ts`);
  return new Promise<[number, string]>((resolve) => {
    execFile(process.execPath, [file, ...words], { env }, (error, stdout, stderr) =>
      resolve([Number(error?.code ?? 0), `${stdout}${stderr}`.trim()]),
    );
  });
}

async function emptyDatabase(t: TestContext) {
  const name = `empty_${Date.now()}`;
  await pool.query(`create database ${name}`);
  t.after(() => pool.query(`drop database ${name}`));
  const at = (address: string) => Object.assign(new URL(address), { pathname: `/${name}` }).href;
  return { name, at };
}

async function queryOnce(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client
    .query(text)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

function nobody(address: string): string {
  return Object.assign(new URL(address), { username: 'nobody_here' }).href;
}

test('who does not own the tables is told who does', async () => {
  const [code, said] = await run('migrate', { DATABASE_URL: url, DATABASE_WORKER_URL: workerUrl });
  assert.equal(code, 1);
  assert.match(
    said,
    /The role tidepost_web does not own the tables of \w+, tidepost does: name that one in DATABASE_OWNER_URL\.$/,
  );
});

test('who may make nothing in an empty database is told what lets them', async (t) => {
  const { name, at } = await emptyDatabase(t);
  const [code, said] = await run('migrate', { DATABASE_URL: at(url) });
  assert.equal(code, 1);
  assert.ok(
    said.endsWith(`may make no tables in ${name}: \`alter database ${name} owner to tidepost_web\` lets it.`),
    said,
  );
});

test('before its roles are made nothing is migrated, and the sentence makes them', async (t) => {
  const { at } = await emptyDatabase(t);
  const names = { DATABASE_URL: at(nobody(url)), DATABASE_OWNER_URL: at(ownerUrl) };
  const [code, said] = await run('migrate', names);
  assert.equal(code, 1);
  assert.match(said, /There is no role nobody_here: `create role nobody_here login password '…'` makes it\./);
  const again = await run('migrate', { ...names, DATABASE_URL: at(url) });
  assert.match(again[1], /migrated 0001-platform, /);
});

test('a database from before the first release is not changed, and the error says what to do instead', async (t) => {
  const { name, at } = await emptyDatabase(t);
  await queryOnce(
    at(ownerUrl),
    `create table kysely_migration (name text primary key, timestamp text not null);
    insert into kysely_migration values ('0000-extensions', ''), ('0001-accounts', '')`,
  );
  const made = 'was made by a version from before the first release';
  assert.deepEqual(await run('migrate', { DATABASE_URL: at(url), DATABASE_OWNER_URL: at(ownerUrl) }), [
    1,
    `The database could not be migrated: ${name} ${made}: name a new, empty database in DATABASE_URL.`,
  ]);
  await assert.rejects(
    migrate({ ownerUrl: at(ownerUrl), url: at(url) }, '/home/ada/tidepost/.data/postgres'),
    {
      message: `it ${made}: delete the folder /home/ada/tidepost/.data/postgres and start again.`,
    },
  );
  const tables = `select relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname in ('public', 'graphile_worker')`;
  assert.deepEqual(await queryOnce(at(ownerUrl), tables), [{ relname: 'kysely_migration' }]);
});

test('a migration says which database it was, and of a reader that is not there that it is granted nothing', async () => {
  const names = { DATABASE_URL: url, DATABASE_WORKER_URL: workerUrl, DATABASE_OWNER_URL: ownerUrl };
  const { host, pathname } = new URL(ownerUrl);
  const upToDate = `${pathname.slice(1)} at ${host}: up to date.`;
  assert.deepEqual(await run('migrate', { ...names, DATABASE_READ_URL: readUrl }), [0, upToDate]);
  const [code, said] = await run('migrate', { ...names, DATABASE_READ_URL: nobody(readUrl) });
  assert.equal(code, 0);
  assert.match(
    said,
    /^There is no role nobody_here here: if it is to read here, make it and run this again\.$/m,
  );
});

test('an address that cannot be read is named, and what has to be written otherwise in it', async () => {
  const kinds: [string, string, RegExp][] = [
    ['DATABASE_URL', 'nonsense', /must be an address that starts with postgres:\/\/ or postgresql:\/\/\.$/],
    [
      'DATABASE_OWNER_URL',
      'postgres://web:a/b@127.0.0.1/x',
      /is no address that can be read; signs in .* %2F for \//,
    ],
    ['DATABASE_URL', 'postgres://web:50%@127.0.0.1/x', /is no address that can be read; .* %25 for %/],
  ];
  for (const [name, address, words] of kinds) {
    const [code, said] = await run('migrate', { DATABASE_URL: url, [name]: address });
    assert.equal(code, 1);
    assert.match(said, new RegExp(`${name} ${words.source}`));
  }
});

test('what is done beside a web is refused beside a worker, and says so', async () => {
  const { email } = await makeUser(db);
  for (const asked of [['make-admin', email], ['rotate-keys']] as [Script, ...string[]][]) {
    const [script, ...words] = asked;
    const [code, said] = await run(script, { DATABASE_URL: workerUrl }, ...words);
    assert.equal(code, 1);
    assert.match(
      said,
      /permission denied for table \w+\. Run this in the environment of a web, when `npm run migrate` has been run\.$/,
    );
  }
});

test('before a migration there is nobody to make an admin', async (t) => {
  const { at } = await emptyDatabase(t);
  const [code, said] = await run('make-admin', { DATABASE_URL: at(ownerUrl) }, 'ada@people.example');
  assert.equal(code, 1);
  assert.match(
    said,
    /relation "users" does not exist\. Run this in .*, when `npm run migrate` has been run\.$/,
  );
});

test('a word that the command for admins does not know is answered with its usage, and makes nobody an admin', async () => {
  const { email, userId } = await makeUser(db);
  for (const words of [[], ['--reset-two-steps', email], [email, 'another@people.example']]) {
    const answer = await run('make-admin', { DATABASE_URL: url }, ...words);
    assert.deepEqual(answer, [1, 'Usage: npm run admin -- [--reset-two-step] you@example.com']);
  }
  const { rows } = await pool.query('select role from users where id = $1', [userId]);
  assert.deepEqual(rows, [{ role: 'user' }]);
});

test('who is an admin already is told so, and stays signed in', async () => {
  const { email, userId } = await makeUser(db, { isAdmin: true });
  await createSession(db, userId, 'web', 'Firefox');
  assert.deepEqual(await run('make-admin', { DATABASE_URL: url }, email), [
    0,
    `${email} is an admin already.`,
  ]);
  const { rows } = await pool.query('select 1 from sessions where user_id = $1', [userId]);
  assert.equal(rows.length, 1);
});

test('who is disabled is made no admin, as they could not sign in', async () => {
  const { email, userId } = await makeUser(db);
  await pool.query(
    `insert into disabled_accounts (user_id, reason, disabled_at) values ($1, 'Spam', now())`,
    [userId],
  );
  assert.deepEqual(await run('make-admin', { DATABASE_URL: url }, email), [
    1,
    `${email} is disabled. Another admin has to enable the account first.`,
  ]);
  const { rows } = await pool.query('select role from users where id = $1', [userId]);
  assert.deepEqual(rows, [{ role: 'user' }]);
});

test('publishing is released beside a worker alone: beside a web no owner is asked', async () => {
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() - 60_000) });
  await db.updateTable('publishingEpoch').set({ server: 'another' }).execute();
  assert.equal(await beatEpoch(db), false);
  const [code, said] = await run('resume-publishing', { DATABASE_URL: url }, '--ask');
  assert.equal(code, 1);
  assert.match(
    said,
    /The role tidepost_web may not release publishing\. Run this in the environment of a worker; nothing was done\.$/,
  );
  const { rows } = await pool.query('select status from post_schedules where post_id = $1', [postId]);
  assert.deepEqual(rows, [{ status: 'generated' }]);
});
