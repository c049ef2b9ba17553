import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { ROOT } from '#scripts/run.ts';
import { startTestSandbox } from '#tests/harness/outside/sandbox-process.ts';

const MAIN = path.join(ROOT, 'sandbox/main.ts');

async function start(t: TestContext) {
  const child = fork(MAIN, {
    env: { ...process.env, SANDBOX_PORT: '0', SANDBOX_SMTP_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: (child as ChildProcess).stdout! }), 'line');
  const [, http = '', smtp = ''] =
    /^sandbox ready http=(http:\S+) smtp=(smtp:\S+) smtps=smtps:\S+$/.exec(line) ?? [];
  return { child, http, smtp };
}

test('the process says where it is, serves its pages and ends on SIGTERM', async (t) => {
  const { child, http, smtp } = await start(t);
  assert.match(smtp, /^smtp:\/\/127\.0\.0\.1:\d+\?tls\.rejectUnauthorized=false$/);
  for (const path of ['/', '/feed', '/inbox', '/faults']) {
    const response = await fetch(http + path);
    assert.equal(response.status, 200);
    assert.match(await response.text(), /Sandbox – nothing here reaches the real LinkedIn/);
  }
  assert.equal((await fetch(`${http}/nowhere`)).status, 404);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('the process ends when its parent lets go', async (t) => {
  const { child } = await start(t);
  child.disconnect();
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('a port that is taken is said in a sentence', async (t) => {
  const sandbox = await startTestSandbox();
  t.after(() => sandbox.close());
  const child = fork(MAIN, {
    env: { ...process.env, SANDBOX_PORT: new URL(sandbox.url).port, SANDBOX_SMTP_PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const [line] = await once(createInterface({ input: child.stderr! }), 'line');
  assert.match(line, /^The sandbox could not start: .*EADDRINUSE/);
});

test('a connection made before a restart still works after it', async (t) => {
  const before = await startTestSandbox();
  const { token, sub } = await before.member('lasting@person.example');
  await before.close();
  const afterwards = await startTestSandbox();
  t.after(() => afterwards.close());
  const response = await fetch(`${afterwards.url}/linkedin-api/v2/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal((await response.json()).sub, sub);
});
