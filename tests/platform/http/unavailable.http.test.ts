import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT } from '#scripts/run.ts';
import { freePort } from '#scripts/start/ports.ts';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { call } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const SERVE = 'node_modules/@react-router/serve/bin.js';
/** What must stay on the server: stacks, addresses, names of drivers. */
const INNER = /ECONN|EPIPE|terminat|postgres|kysely|node_modules|\bat .*:\d+:\d+|\.[jt]s:\d+/i;

/** The way to a database, which can be cut and mended. */
async function startWire(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const port = await freePort();
  const open = new Set<Socket>();
  let server: Server | undefined;
  const mend = () =>
    new Promise<void>((ready) => {
      server = createServer((near) => {
        const far = connect(Number(target.port), target.hostname);
        for (const socket of [near, far]) {
          open.add(socket);
          socket.on('error', () => {});
          socket.on('close', () => {
            open.delete(socket);
            near.destroy();
            far.destroy();
          });
        }
        near.pipe(far).pipe(near);
      }).listen(port, '127.0.0.1', ready);
    });
  const cut = async () => {
    const closed = new Promise((done) => server?.close(done));
    for (const socket of open) socket.destroy();
    await closed;
  };
  await mend();
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return { url: url.href, cut, mend };
}

describe('while the database cannot be reached', () => {
  let database: TestDatabase;
  let wire: Awaited<ReturnType<typeof startWire>>;
  let url: string;

  before(async () => {
    database = await testDatabase();
    wire = await startWire(database.url);
    ({ url } = await startWeb({ databaseUrl: wire.url, env: { LOG_LEVEL: 'silent' } }));
  });
  after(() => wire.cut());

  test('pages and the API say so without details, and work again when it is back', async () => {
    const actor = await makeUser(database.db);
    const browser = await browserOf(database.db, actor, url);
    const token = await tokenOf(database.db, actor);
    assert.equal((await browser.get('/app/topics')).status, 200);
    assert.equal((await call(url, 'GET', '/topics', undefined, token)).status, 200);

    await wire.cut();
    for (let round = 0; round < 2; round += 1) {
      for (const address of ['/app/topics', '/app/dashboard', '/app/payments']) {
        const answer = await browser.get(address);
        assert.equal(answer.status, 503, address);
        assert.equal(answer.headers.get('Retry-After'), '60');
        assert.match(answer.headers.get('Content-Type')!, /text\/html/);
        const html = await answer.text();
        assert.match(html, /Something went wrong on our side/);
        assert.match(html, /Please try again in a minute/);
        assert.doesNotMatch(html.replaceAll(/<script.*?<\/script>|<link[^>]*>/gs, ''), INNER);
      }
      const data = await browser.get('/app/topics.data');
      assert.equal(data.status, 503);
      assert.equal(data.headers.get('Retry-After'), '60');
      assert.doesNotMatch(await data.text(), INNER);
      const form = await browser.post('/login', { email: actor.email, password: PASSWORD });
      assert.equal(form.status, 503);
      assert.match(await form.text(), /Something went wrong on our side/);
      for (const [method, route] of [
        ['GET', '/topics'],
        ['POST', '/auth/login'],
      ] as const) {
        const body = method === 'POST' ? { email: actor.email, password: PASSWORD } : undefined;
        const answer = await call(url, method, route, body, token);
        assert.equal(answer.status, 503);
        assert.equal(answer.headers.get('Retry-After'), '60');
        assert.deepEqual(Object.keys(answer.body), ['message', 'code', 'requestId']);
        assert.equal(answer.body.code, 'unavailable');
        assert.doesNotMatch(JSON.stringify(answer.body), INNER);
      }
      assert.equal((await fetch(`${url}/health`)).status, 200);
    }

    await wire.mend();
    const deadline = Date.now() + 10_000;
    while ((await browser.get('/app/topics')).status !== 200) {
      assert.ok(Date.now() < deadline, 'The pages did not come back with the database');
      await wait(100);
    }
    assert.equal((await call(url, 'GET', '/topics', undefined, token)).status, 200);
  });
});

describe('a faulty configuration', () => {
  const faulty = {
    DATABASE_URL: 'mysql://somewhere',
    APP_URL: 'tidepost',
    SECRET_KEYS: 'k1:short',
    PROMO_PERCENT: '120',
    LATE_GRACE: 'soon',
    LOG_LEVEL: 'loud',
  };
  const sentences = [
    'DATABASE_URL must be an address that starts with postgres:// or postgresql://.',
    'APP_URL must be an address that starts with http:// or https://.',
    'SECRET_KEYS must be a comma-separated list of id:BASE64, each key 32 bytes long.',
    'PROMO_PERCENT must be between 0 and 100.',
    'LATE_GRACE must be a number of hours.',
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.',
  ];

  /** Runs a program to its end with nothing but `env`; answers its exit code and what it said. */
  async function ended(args: string[], env: Record<string, string>) {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { PATH: process.env.PATH!, NODE_ENV: 'production', SANDBOX: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: Buffer[] = [];
    child.stdout.on('data', (chunk) => said.push(chunk));
    child.stderr.on('data', (chunk) => said.push(chunk));
    const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
    const code = await new Promise<number | null>((done) => child.once('close', done));
    clearTimeout(timer);
    return { code, said: Buffer.concat(said).toString() };
  }

  for (const [name, args] of Object.entries({
    web: [SERVE, './server.ts'],
    worker: ['worker/main.ts'],
  })) {
    test(`stops ${name} with one sentence for each fault`, async () => {
      const { code, said } = await ended(args, faulty);
      assert.equal(code, 1, said);
      for (const sentence of sentences)
        assert.ok(said.split('\n').includes(sentence), `${sentence}\n${said}`);
      assert.equal(said.trim().split('\n').length, 1 + sentences.length, said);
      assert.ok(!said.includes('k1:short'), 'a secret is not repeated');
    });

    test(`stops ${name} in production when a secret is missing`, async () => {
      const { code, said } = await ended(args, { SANDBOX: '' });
      assert.equal(code, 1, said);
      for (const missing of ['DATABASE_URL', 'SECRET_KEYS', 'LINKEDIN_CLIENT_SECRET', 'OPENAI_API_KEY']) {
        assert.ok(said.split('\n').includes(`${missing} is missing.`), said);
      }
    });
  }
});
