import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { ROOT } from '#scripts/run.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { head, parseHead, speak } from '#tests/harness/http/raw.ts';
import { startWeb } from '#tests/harness/web.ts';

const CLIENT = path.join(ROOT, 'build/client');

let url: string;
before(async () => {
  const { url: databaseUrl } = await testDatabase();
  ({ url } = await startWeb({ databaseUrl }));
});

/** What people who look for open doors ask every server for. */
const ASKED = [
  '/.git/config',
  '/.git/HEAD',
  '/.env',
  '/.env.local',
  '/.npmrc',
  '/.ssh/id_rsa',
  '/.DS_Store',
  '/.vite/manifest.json',
  '/package.json',
  '/package-lock.json',
  '/server.ts',
  '/tsconfig.json',
  '/Dockerfile',
  '/fly.toml',
  '/README.md',
  '/build/server/index.js',
  '/app/env.ts',
  '/migrations/0002-accounts.sql',
  '/node_modules/pg/package.json',
  '/debug',
  '/debug/vars',
  '/debug/pprof/',
  '/server-status',
  '/status',
  '/actuator/env',
  '/console',
  '/admin',
  '/metrics',
  '/__inspect',
  '/__manifest.json',
  '/phpinfo.php',
  '/wp-login.php',
  '/graphql',
  '/swagger.json',
  '/assets/',
  '/assets',
  '/assets/..',
  '/../package.json',
  '/assets/../../package.json',
  '/..%2fpackage.json',
  '/%2e%2e/package.json',
  '/assets/%2e%2e/%2e%2e/package.json',
  '/assets/..%5c..%5cpackage.json',
  '/backup.sql',
  '/dump.sql',
];

test('64 nothing is given to who looks for files, lists, debugging or numbers', async () => {
  for (const address of ASKED) {
    const { status, headers, body } = parseHead(await speak(url, [head(`GET ${address}`)]));
    // Any other address of a page leads to the start page.
    const isLed =
      (status === 302 || status === 301) &&
      ['/', '/login', '/assets/'].includes(headers.get('location') ?? '');
    assert.ok(isLed || status === 404 || status === 400, `${address} ${status} ${headers.get('location')}`);
    assert.doesNotMatch(body, /"dependencies"|\[core\]|DATABASE_URL|process_cpu|Index of/, address);
  }
});

test('64 no answer names what serves it, or in which version', async () => {
  for (const bytes of [
    'GET /',
    'GET /nowhere',
    'GET /health',
    'GET /favicon.svg',
    'GET /api/v1/auth/me',
    'TRACE /',
    'GET /%',
  ]) {
    const { headers } = parseHead(await speak(url, [head(bytes)]));
    for (const name of ['server', 'x-powered-by', 'x-runtime', 'via', 'x-react-router'])
      assert.equal(headers.get(name) ?? null, null, `${name} of ${bytes}`);
  }
});

test('64 the build that browsers see has no map of its sources, and says nothing of where it was made', () => {
  const files = globSync('**/*.{js,css,map,json,html}', { cwd: CLIENT });
  assert.ok(files.length > 10);
  assert.deepEqual(
    files.filter((file) => file.endsWith('.map')),
    [],
  );
  for (const file of files) {
    const text = readFileSync(path.join(CLIENT, file), 'utf8');
    assert.doesNotMatch(text, /sourceMappingURL|node_modules\/|\/(?:home|Users|tmp)\/\w+\//, file);
  }
});
