import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

const ROOT = path.join(import.meta.dirname, '..');
const HIDDEN = 'nobody-may-read-this';

/** What the log writes for a line, made in a process of its own. */
function logged(line: string): string {
  const program = `
    import { logger } from '#app/log.ts';
    const hidden = ${JSON.stringify(HIDDEN)};
    logger().info(${line}, 'a line');
  `;
  const args = ['--input-type=module-typescript', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  assert.match(stdout, /"msg":"a line"/, stderr);
  return stdout;
}

test('what bears the name of a secret is cut from the log, however deep it stands', () => {
  const names = ['password', 'newPassword', 'token', 'accessToken', 'refresh_token', 'code', 'otp'];
  names.push('authorization', 'Authorization', 'cookie', 'Set-Cookie', 'secret', 'clientSecret', 'email');
  for (const name of names) {
    const entry = `{ ${JSON.stringify(name)}: hidden }`;
    const line = `{ ...${entry}, kept: 'seen', one: ${entry}, many: [{ more: { still: ${entry} } }] }`;
    const said = logged(line);
    assert.ok(!said.includes(HIDDEN), `${name} ${said}`);
    assert.equal(JSON.parse(said).kept, 'seen');
  }
});

test('an error keeps its message and stack, and loses the secrets that hang on it', () => {
  const said = logged(
    `{ err: Object.assign(new Error('no answer'), { request: { headers: { authorization: hidden } } }) }`,
  );
  assert.ok(!said.includes(HIDDEN), said);
  const { err } = JSON.parse(said);
  assert.equal(err.message, 'no answer');
  assert.match(err.stack, /Error: no answer\n/);
});

test('a line that holds itself is written all the same', () => {
  const said = logged(`(() => { const one = { kept: 'seen' }; one.one = one; return one; })()`);
  assert.equal(JSON.parse(said).kept, 'seen');
});
