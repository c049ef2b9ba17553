import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '#scripts/run.ts';

const LISTENER = `
  import { onInterrupt } from '#scripts/start/interrupts.ts';
  onInterrupt(() => console.log('first'), () => { console.log('again'); process.exit(); });
  console.log('ready');
  setInterval(() => {}, 1000);
`;

test('a Ctrl-C that npm and the bootstrap hand on counts once, and a second one counts', async () => {
  const args = ['--input-type=module', '--eval', LISTENER];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, 'ready');
  child.kill('SIGINT');
  assert.equal((await lines.next()).value, 'first');
  // Handed on a moment later: a signal that is still pending would be merged with the next.
  for (const wait of [10, 50]) {
    await pause(wait);
    child.kill('SIGINT');
  }
  await pause(1_200);
  assert.equal(child.exitCode, null);
  child.kill('SIGINT');
  assert.equal((await lines.next()).value, 'again');
  if (child.exitCode === null) await once(child, 'exit');
});
