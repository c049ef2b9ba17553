/** The real `npm run doctor`, against good surroundings and against broken ones. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { sql } from 'kysely';
import { ticks } from '#app/domain/platform/jobs.ts';
import { reportFault } from '#app/domain/platform/operator-alerts.ts';
import { ROOT } from '#scripts/run.ts';
import { sandboxAddresses, savedSandboxAddresses, saveSandboxAddresses } from '#scripts/start/settings.ts';
import { makePublisher } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { closedPort, serve, startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { LINKEDIN_API_URL = '', LINKEDIN_AUTH_URL = '', OPENAI_BASE_URL = '' } = process.env;

async function tickedDatabase(ago = '30 seconds') {
  const database = await testDatabase();
  const names = sql.join(Object.values(ticks).map(({ name }) => sql`(${name})`));
  await sql`insert into tick_times (name, known_since, last_at)
    select name, now() - interval '9 days', now() - ${ago}::interval from (values ${names}) as t (name)`.execute(
    database.db,
  );
  await sql`update publishing_epoch set ticked_at = now()`.execute(database.db);
  return database;
}

/** Answers the exit status and the line of each check, by its name. */
async function doctor(env: Record<string, string>, args: string[] = []) {
  const { NODE_TEST_CONTEXT: _context, ...inherited } = process.env;
  const child = spawn(process.execPath, [...args, 'scripts/doctor/doctor.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...inherited,
      NODE_ENV: 'production',
      SANDBOX: '1',
      LINKEDIN_API_URL,
      LINKEDIN_AUTH_URL,
      OPENAI_BASE_URL,
      SMTP_URL: outside.smtpUrl,
      ...env,
    },
  });
  const [out, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  assert.equal(errors, '');
  const lines = new Map<string, string>();
  for (const [line, name] of out.matchAll(/^[✔✖] (\w+) .*$/gm)) lines.set(name!, line);
  return { status, lines, out };
}

const ALL = [
  'configuration',
  'database',
  'postgres',
  'migrations',
  'letters',
  'clock',
  'ticks',
  'heartbeat',
  'publishing',
  'pause',
  'faults',
  'versions',
  'linkedin',
  'writer',
  'mail',
  'places',
];
const wrong = (lines: Map<string, string>) =>
  [...lines].filter(([, line]) => line.startsWith('✖')).map(([name]) => name);

test('where all is well it says so in a line for each, and ends with 0', async () => {
  const { url } = await tickedDatabase();
  const { status, lines, out } = await doctor({ DATABASE_URL: url });
  assert.deepEqual([...lines.keys()], ALL, out);
  assert.deepEqual(wrong(lines), [], out);
  assert.equal(status, 0);
  assert.match(out, /All is well\./);
  assert.match(lines.get('linkedin')!, /answers; its versions can be tried once somebody has connected/);
});

test('what is wrong outside is named, each with its cure, and what is well stays well', async () => {
  const { url } = await tickedDatabase();
  const closed = await closedPort();
  const { status, lines, out } = await doctor({
    DATABASE_URL: url,
    SMTP_URL: `smtp://127.0.0.1:${closed}`,
    OPENAI_API_KEY: 'wrong',
    LINKEDIN_API_URL: `http://127.0.0.1:${closed}`,
    LINKEDIN_VERSIONS: '202501,202412',
  });
  assert.equal(status, 1);
  assert.deepEqual(wrong(lines), ['versions', 'linkedin', 'writer', 'mail'], out);
  assert.match(
    lines.get('versions')!,
    /202501, is \d\d months old\. Put a newer version first in LINKEDIN_VERSIONS/,
  );
  assert.match(lines.get('linkedin')!, /ECONNREFUSED.*Check LINKEDIN_API_URL/);
  assert.match(lines.get('writer')!, /refuses the key in OPENAI_API_KEY/);
  assert.match(lines.get('mail')!, /ECONNREFUSED.*Check SMTP_URL/);
  const model = await doctor({ DATABASE_URL: url, OPENAI_MODEL: 'gpt-nobody' });
  assert.match(model.lines.get('writer')!, /has no model gpt-nobody\. Set OPENAI_MODEL to one of its own: /);
});

test('a copy that is named answers, or it is said that it does not', async () => {
  const { url } = await tickedDatabase();
  const well = await doctor({ DATABASE_URL: url, DATABASE_READ_URL: url });
  assert.deepEqual([well.status, wrong(well.lines)], [0, []], well.out);
  assert.match(well.lines.get('copy')!, /answers/);
  const away = await doctor({
    DATABASE_URL: url,
    DATABASE_READ_URL: `postgres://reader@127.0.0.1:${await closedPort()}/copy`,
  });
  assert.deepEqual([away.status, wrong(away.lines)], [1, ['copy']], away.out);
  assert.match(away.lines.get('copy')!, /ECONNREFUSED.*Check DATABASE_READ_URL/);
});

test('a copy that stands still or is none is named', async () => {
  const { url, db } = await tickedDatabase();
  const other = await tickedDatabase();
  const look = () => doctor({ DATABASE_URL: url, DATABASE_READ_URL: other.readUrl });
  const { server, epoch } = await db
    .selectFrom('publishingEpoch')
    .select(['server', 'epoch'])
    .executeTakeFirstOrThrow();
  await sql`update publishing_epoch
    set server = ${server}, epoch = ${epoch}, ticked_at = now() - interval '10 minutes'`.execute(other.db);
  const late = await look();
  assert.deepEqual([late.status, wrong(late.lines)], [1, ['copy']], late.out);
  assert.match(late.lines.get('copy')!, /It is 10 minutes behind\. Look at its replication/);
  await sql`update publishing_epoch set ticked_at = now(), epoch = epoch + 1`.execute(other.db);
  const { lines } = await look();
  assert.match(lines.get('copy')!, /It is no copy of this database\. Check DATABASE_READ_URL/);
});

test('a file of places that is missing or cut off is named', async () => {
  const { url } = await tickedDatabase();
  const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-places-'));
  const half = path.join(folder, 'half.mmdb');
  writeFileSync(half, Buffer.alloc(5_000, 1));
  for (const file of [path.join(folder, 'none.mmdb'), half]) {
    const { status, lines, out } = await doctor({ DATABASE_URL: url, GEOIP_DB: file });
    assert.deepEqual([status, wrong(lines)], [1, ['places']], out);
    assert.ok(lines.get('places')!.includes(`${file} cannot be read: `), out);
    assert.match(lines.get('places')!, /GEOIP_DB has to name an MMDB file/);
  }
  rmSync(folder, { recursive: true });
});

test('a model of Ollama is known without its tag, and of Azure no list of deployments is expected', async () => {
  const { url } = await tickedDatabase();
  const server = await serve((_, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'llama3.2:latest', object: 'model' }] }));
  });
  const well = { DATABASE_URL: url, OPENAI_BASE_URL: `${server}/v1` };
  const ollama = await doctor({ ...well, OPENAI_MODEL: 'llama3.2' });
  assert.match(ollama.lines.get('writer')!, /has llama3\.2$/);
  const azure = await doctor({ ...well, OPENAI_MODEL: 'our-writer', OPENAI_API_VERSION: '2024-10-21' });
  assert.match(azure.lines.get('writer')!, /127\.0\.0\.1:\d+ answers$/);
  const other = await doctor({ ...well, OPENAI_MODEL: 'our-writer' });
  assert.match(other.lines.get('writer')!, /has no model our-writer/);
});

test('a stopped worker, a missing migration and a reported fault are found in the database', async () => {
  const { url, db } = await tickedDatabase('3 hours');
  await db.updateTable('tickTimes').set({ lastAt: new Date() }).where('name', '=', 'sweep-daily').execute();
  const { rows } = await sql<{ name: string }>`delete from kysely_migration
    where name = (select max(name) from kysely_migration) returning name`.execute(db);
  await reportFault(db, 'linkedin-version', 'LinkedIn refuses every version in LINKEDIN_VERSIONS.');
  const { status, lines, out } = await doctor({ DATABASE_URL: url });
  assert.equal(status, 1);
  assert.deepEqual(wrong(lines), ['migrations', 'ticks', 'faults'], out);
  assert.ok(lines.get('migrations')!.includes(`${rows[0]!.name}. Run \`npm run migrate\``), out);
  assert.match(
    lines.get('ticks')!,
    /tick-publishing last ran 180 minutes ago.*sweep-hourly.*Start the worker/,
  );
  assert.doesNotMatch(lines.get('ticks')!, /sweep-daily/);
  assert.match(lines.get('faults')!, /refuses every version/);
});

test('a worker that was not heard of for three minutes is found', async () => {
  const { url, db } = await tickedDatabase();
  await sql`update publishing_epoch set ticked_at = now() - interval '4 minutes'`.execute(db);
  const { status, lines, out } = await doctor({ DATABASE_URL: url });
  assert.deepEqual([status, wrong(lines)], [1, ['heartbeat']], out);
  assert.match(lines.get('heartbeat')!, /The worker was last heard of at .*Start it/);
});

test('a worker that has just begun has not ticked yet, one that began earlier is missed', async () => {
  const { url, db } = await tickedDatabase();
  await sql`update publishing_epoch set ticked_at = null`.execute(db);
  const since = (ago: string) =>
    sql`update tick_times set known_since = now() - ${ago}::interval`.execute(db);
  await since('40 seconds');
  const { lines: first } = await doctor({ DATABASE_URL: url });
  assert.match(first.get('heartbeat')!, /✔ .*the worker has just begun/);
  await since('3 minutes');
  const { lines } = await doctor({ DATABASE_URL: url });
  assert.match(lines.get('heartbeat')!, /has never been heard of.*Start it/);
});

test('ticks that were taken by a clock that is ahead are found', async () => {
  const { url } = await tickedDatabase('-1 day');
  const { status, lines, out } = await doctor({ DATABASE_URL: url });
  assert.deepEqual([status, wrong(lines)], [1, ['ticks']], out);
  assert.match(lines.get('ticks')!, /tick-publishing last ran 1440 minutes from now.*Start the worker/);
});

test('publishing that waits for an operator to look is found, with the command that releases it', async () => {
  const { url, db } = await tickedDatabase();
  await db.updateTable('publishingEpoch').set({ server: 'another' }).execute();
  const { status, lines, out } = await doctor({ DATABASE_URL: url });
  assert.deepEqual([status, wrong(lines)], [1, ['publishing']], out);
  assert.match(lines.get('publishing')!, /Nothing is published.*npm run resume-publishing/);
});

test('publishing that an admin has paused is found, since when and with the reason', async () => {
  const { url, db } = await tickedDatabase();
  const stop = { stoppedAt: new Date('2026-03-01T10:00:00Z'), stopReason: 'We look at something' };
  await db.updateTable('publishingPause').set(stop).execute();
  const { status, lines, out } = await doctor({ DATABASE_URL: url });
  assert.deepEqual([status, wrong(lines)], [1, ['pause']], out);
  assert.match(lines.get('pause')!, /by an admin since 2026-03-01T10:00:00.000Z: We look at something\. /);
  assert.doesNotMatch(out, /All is well/);
});

test('a clock that was set back is found, with what to do when it is right by now', async () => {
  const { url, db } = await tickedDatabase();
  const beatAt = new Date(Date.now() + 1_800_000);
  await db.updateTable('publishingEpoch').set({ beatAt }).execute();
  const { status, lines, out } = await doctor({ DATABASE_URL: url });
  assert.deepEqual([status, wrong(lines)], [1, ['pause']], out);
  assert.match(
    lines.get('pause')!,
    /If it was ahead and is right now, run `npm run resume-publishing`; if it is behind, set it right\./,
  );
});

test('a version that LinkedIn no longer takes is found with the token of a member, and what it takes is named', async () => {
  const { url, db } = await tickedDatabase();
  await makePublisher(db, outside.url);
  const old = await doctor({ DATABASE_URL: url, LINKEDIN_VERSIONS: '202608,202508' });
  assert.deepEqual(wrong(old.lines), ['linkedin'], old.out);
  assert.match(old.lines.get('linkedin')!, /refuses version 202508\. .*LINKEDIN_VERSIONS/);
  const good = await doctor({ DATABASE_URL: url, LINKEDIN_VERSIONS: '202608,202607' });
  assert.deepEqual(wrong(good.lines), [], good.out);
  assert.match(good.lines.get('linkedin')!, /answers, and takes 202608, 202607/);
});

test('a clock more than 2 s off the database is a fault', async () => {
  const { url } = await tickedDatabase();
  const shifted = (ms: number) => [
    '--import',
    `data:text/javascript,const now=Date.now;Date.now=()=>now()+(${ms})`,
  ];
  const near = await doctor({ DATABASE_URL: url }, shifted(1_000));
  assert.deepEqual(wrong(near.lines), [], near.out);
  for (const [ms, words] of [
    [3_500, /clock is 3\.\d s ahead of/],
    [-3_500, /clock is 3\.\d s behind/],
  ] as const) {
    const { status, lines } = await doctor({ DATABASE_URL: url }, shifted(ms));
    assert.deepEqual([status, wrong(lines)], [1, ['clock']]);
    assert.match(lines.get('clock')!, words);
    assert.match(lines.get('clock')!, /goes on by itself/);
  }
});

test('without a database the rest of the world is looked at all the same', async () => {
  const closed = await closedPort();
  const { status, lines } = await doctor({ DATABASE_URL: `postgres://nobody:x@127.0.0.1:${closed}/none` });
  assert.equal(status, 1);
  assert.deepEqual([...lines.keys()], ALL);
  assert.deepEqual(wrong(lines), [
    'database',
    'postgres',
    'migrations',
    'letters',
    'clock',
    'ticks',
    'heartbeat',
    'publishing',
    'pause',
    'faults',
  ]);
  assert.match(lines.get('database')!, /ECONNREFUSED.*Start PostgreSQL and check DATABASE_URL/);
});

test('every fault of the configuration has its line', async () => {
  const { status, out } = await doctor({ SANDBOX: '0', PORT: 'x', DATABASE_URL: '' });
  assert.equal(status, 1);
  for (const name of ['DATABASE_URL', 'APP_URL', 'SECRET_KEYS', 'PORT']) {
    assert.match(out, new RegExp(`✖ configuration +${name} `));
  }
});

test('a command beside npm start finds the outside world where that has put it, if nothing names another', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-outside-'));
  const { DATABASE_URL, NODE_ENV } = process.env;
  t.after(() => {
    rmSync(folder, { recursive: true });
    Object.assign(process.env, { ...(DATABASE_URL && { DATABASE_URL }), ...(NODE_ENV && { NODE_ENV }) });
  });
  delete process.env.DATABASE_URL;
  assert.deepEqual(savedSandboxAddresses(folder), {});
  const outside = sandboxAddresses('http://127.0.0.1:4500', 'smtp://127.0.0.1:4525');
  saveSandboxAddresses(outside, folder);
  assert.deepEqual(savedSandboxAddresses(folder), outside);
  process.env.DATABASE_URL = 'postgres://127.0.0.1/another';
  assert.deepEqual(savedSandboxAddresses(folder), {});
  delete process.env.DATABASE_URL;
  process.env.NODE_ENV = 'production';
  assert.deepEqual(savedSandboxAddresses(folder), {});
});
