import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { ROOT } from '#scripts/run.ts';

const HIDDEN = 'nobody-may-read-this';
/** A process that writes a line for so long never ends. */
const STUCK_MS = 60_000;

/** What the log writes for each of these calls, made in a process of its own. */
function written(calls: string): string {
  const program = `
    import { logger } from '#app/log.ts';
    const hidden = ${JSON.stringify(HIDDEN)};
    ${calls}
  `;
  const args = ['--input-type=module-typescript', '--eval', program];
  const options = { cwd: ROOT, encoding: 'utf8', timeout: STUCK_MS } as const;
  const { stdout, stderr } = spawnSync(process.execPath, args, options);
  assert.match(stdout, /"msg":/, stderr);
  return stdout;
}

const logged = (line: string) => written(`logger().info(${line}, 'a line');`);

/** What the log leaves of a sentence. */
const left = (sentence: string): string =>
  JSON.parse(written(`logger().info({}, ${JSON.stringify(sentence)});`)).msg;

test('what bears no name that is known as harmless is cut from the log, however deep it stands', () => {
  const names = ['password', 'newPassword', 'token', 'accessToken', 'refresh_token', 'code', 'otp'];
  names.push('authorization', 'Authorization', 'cookie', 'Set-Cookie', 'secret', 'clientSecret', 'email');
  names.push('name', 'headline', 'content', 'url', 'body', 'detail', 'apiKey', 'a name of tomorrow');
  const entries = names.map((name) => `${JSON.stringify(name)}: hidden`).join(', ');
  const entry = `{ ${entries}, many: [hidden, [hidden]], made: { toJSON: () => hidden } }`;
  const said = logged(`{ ...${entry}, status: 200, one: ${entry}, more: [{ more: { still: ${entry} } }] }`);
  assert.ok(!said.includes(HIDDEN), said);
  const line = JSON.parse(said);
  assert.equal(line.status, 200);
  assert.equal(line.password, '[cut]');
});

test('what looks other than its name says is cut too', () => {
  const said = logged(
    `{ requestId: 'a ' + hidden + ' b', method: hidden + '?', code: 123456, status: { a: hidden } }`,
  );
  assert.ok(!said.includes(HIDDEN) && !said.includes('123456'), said);
});

test('a path is logged without its query, and without segments that are secrets', () => {
  const token = 'Zk3vQ0n1mB7xT5yLw9aHc2Rf8sGd4JpUe6iOqNzXbVt';
  const paths = [`/api/v1/auth/verify-email/${token}`, '/app/posts?q=hidden', '/a/ada%40example.com/b'];
  const said = paths.map((one) => JSON.parse(logged(`{ path: ${JSON.stringify(one)} }`)).path);
  assert.deepEqual(said, ['/api/v1/auth/verify-email/[cut]', '/app/posts', '/a/[cut]/b']);
  const id = '0195f4e2-8f0c-7aaa-bbbb-0123456789ab';
  assert.equal(JSON.parse(logged(`{ path: '/app/posts/${id}/retry' }`)).path, `/app/posts/${id}/retry`);
});

test('an error keeps its sentence, its code and its frames, and loses all else that hangs on it', () => {
  const said =
    logged(`{ err: Object.assign(new Error('no answer', { cause: new Error('of "' + hidden + '"') }), {
    request: { headers: { authorization: hidden } }, detail: hidden, code: '23505', constraint: 'users_email_key',
  }) }`);
  assert.ok(!said.includes(HIDDEN), said);
  const { err } = JSON.parse(said);
  const { message, code, constraint } = err;
  assert.deepEqual([message, code, constraint], ['no answer', '23505', 'users_email_key']);
  assert.match(err.stack, /^ {4}at .*\n/);
  assert.equal(err.cause.message, 'of "[cut]"');
});

test('an error that stands by itself, and those that it holds, are cut as well', () => {
  const said = written(`
    logger().error(new Error('token=' + hidden));
    logger().error({ err: new AggregateError([new Error('one "' + hidden + '"')], 'both') }, 'two');
    logger().error({ err: Object.assign(new Error('no'), { stack: hidden + '\\n    at one' }) });
    logger().error({ err: hidden });
  `);
  assert.ok(!said.includes(HIDDEN), said);
  assert.match(said, /one \\"\[cut\]\\"/);
});

test('what is told of an error elsewhere is a line of the same words, with all that stands behind it', () => {
  const of = (error: string) =>
    JSON.parse(
      written(`
        const { loggedError } = await import('#app/log.ts');
        const { message, stack } = loggedError(${error});
        process.stdout.write(JSON.stringify({ "msg": message, stack }));
      `),
    );
  const cause = `Object.assign(new TypeError('no "' + hidden + '"\\nat all'), { code: '23505', detail: hidden })`;
  const many = `new AggregateError([new Error('both'), new Error('one', { cause: ${cause} })], 'both')`;
  const told = of(many);
  assert.equal(told.msg, 'both; one; TypeError: no "[cut]" at all (23505)');
  assert.match(told.stack, /^ {4}at /);
  assert.ok(!JSON.stringify(told).includes(HIDDEN));
  assert.equal(of('hidden').msg, '[cut]');
  const unkept = of(`new Error('a\\0bc' + ' many'.repeat(79) + '\\u{1f600}')`).msg;
  assert.match(unkept, /^a bc many/);
  assert.ok(unkept.isWellFormed());
  assert.equal(
    of(`(() => { const one = new Error('one'); one.cause = one; return one; })()`).msg,
    'one; [cut]',
  );
  const endless = of(
    `new AggregateError(Array.from({ length: 5000 }, (_, index) => new Error('no ' + index)))`,
  );
  assert.ok(endless.msg.length <= 1_000);
});

test('a sentence loses what may be a secret or somebody’s own, and stays on its line', () => {
  const secrets = [
    'Unexpected token in JSON: "hunter2 is the word"',
    'cannot reach postgres://tidepost:hunter2@db.internal/tidepost',
    'no mailbox hunter2@example.com here',
    'refused: Bearer hunter2',
    'refused: password=hunter2, retry',
    'the code hunter2hunter2hunter2hunter2 is used',
  ];
  for (const secret of secrets) {
    const said = left(secret);
    assert.ok(!said.includes('hunter2') && said.includes('[cut]'), said);
  }
  assert.equal(left('the code 482913 is used'), 'the code [cut] is used');
  assert.equal(left('first\r\n{"level":30}\u2028second'), 'first {"[cut]":30} second');
  const plain = 'the lane publishing has ended and is started again, 3 of 8 on port 54320';
  assert.equal(left(plain), plain);
});

test('a line that holds itself, and one without end, are written all the same', () => {
  const said = logged(`(() => { const one = { status: 1 }; one.one = one; return one; })()`);
  assert.equal(JSON.parse(said).status, 1);
  const long = logged(
    `{ reason: 'word '.repeat(100000), differences: Array.from({ length: 5000 }, () => ({})) }`,
  );
  assert.ok(long.length < 2_000, `${long.length}`);
});

test('what a stranger makes us say is written at once, however long a run of characters it is', () => {
  for (const run of ['key', 'a', '@', '"', '“', 'key ', 'token=', 'https://', ' ']) {
    const said = JSON.parse(written(`logger().info({}, ${JSON.stringify(run)}.repeat(200_000));`)).msg;
    assert.ok(said.length <= 400, run);
  }
});
