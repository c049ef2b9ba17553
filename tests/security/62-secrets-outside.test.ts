import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseEnv } from '#app/env.ts';
import { ROOT } from '#scripts/run.ts';

const key = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const KNOWN = `local:${Buffer.from('tidepost-local-development-key-1').toString('base64')}`;

/** All that production has to be told. */
const TOLD = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://tidepost@db.example/tidepost',
  APP_URL: 'https://tidepost.example',
  SECRET_KEYS: key,
  LINKEDIN_CLIENT_ID: 'id',
  LINKEDIN_CLIENT_SECRET: 'secret',
  OPENAI_API_KEY: 'sk-1',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'Tidepost <hello@tidepost.example>',
  SUPPORT_EMAIL: 'support@tidepost.example',
};

test('62 production starts with all that is secret told, and not without any of it', () => {
  assert.equal(parseEnv(TOLD).NODE_ENV, 'production');
  for (const name of Object.keys(TOLD).filter((each) => each !== 'NODE_ENV')) {
    for (const value of ['', undefined])
      assert.throws(() => parseEnv({ ...TOLD, [name]: value }), {
        message: new RegExp(`${name} is missing`),
      });
  }
});

test('62 production takes no key that is short, and none that everybody can read in the repository', () => {
  assert.throws(() => parseEnv({ ...TOLD, SECRET_KEYS: 'k1:c2hvcnQ=' }), /each key 32 bytes long/);
  for (const keys of [KNOWN, `${key},${KNOWN}`, KNOWN.replace('local', 'k2')])
    assert.throws(
      () => parseEnv({ ...TOLD, SECRET_KEYS: keys }),
      /has the key that stands in this repository/,
    );
  assert.equal(parseEnv({ NODE_ENV: 'development', SECRET_KEYS: KNOWN }).SECRET_KEYS.length, 1);
});

/** How the keys of others look, by those who gave them. */
const KEYS = [
  ['of Amazon', /\bAKIA[0-9A-Z]{16}\b/],
  ['of OpenAI', /\bsk-(?:proj-)?[A-Za-z0-9]{32,}/],
  ['of GitHub', /\bgh[pousr]_[A-Za-z0-9]{30,}/],
  ['of Google', /\bAIza[0-9A-Za-z_-]{35}\b|\bGOCSPX-[\w-]{20,}/],
  ['of LinkedIn', /\bWPL_AP\d\.[\w.]{10,}/],
  ['of Slack', /\bxox[abpr]-[\w-]{20,}/],
  ['of Stripe', /\b[rs]k_live_[A-Za-z0-9]{20,}/],
  ['of Fly', /\bFlyV1 [\w+/=]{20,}/],
  ['that is private', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\n[\w+/=]{30,}/],
  ['to a database', /\bpostgres(?:ql)?:\/\/\w+:[^@\s'"`$]{8,}@(?!127\.0\.0\.1|localhost|db\.example)/],
] as const;

/** What git keeps; without it, in a copy, all that is not installed or made. */
function kept(): string[] {
  if (!existsSync(path.join(ROOT, '.git')))
    return globSync(['*.*', '{app,worker,sandbox,scripts,tests,migrations,docs}/**/*.*'], { cwd: ROOT });
  return execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
}

test('62 no file of the repository holds a secret that opens anything', () => {
  const files = kept().filter((file) => !/\.(?:png|webp|jpg|gif|ico|woff2|mmdb|mp4)$/.test(file));
  assert.ok(files.length > 500);
  const found = files.flatMap((file) => {
    const text = existsSync(path.join(ROOT, file)) ? readFileSync(path.join(ROOT, file), 'utf8') : '';
    return KEYS.filter(([, looks]) => looks.test(text)).map(([whose]) => `${file} has a key ${whose}`);
  });
  assert.deepEqual(found, []);
});

test('62 what browsers load holds no secret, no name of one and no address of a database', () => {
  const files = globSync('build/client/**/*.{js,css,html}', { cwd: ROOT });
  for (const file of files) {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    for (const name of [
      'CLIENT_SECRET',
      'SECRET_KEYS',
      'API_KEY',
      'DATABASE_URL',
      'SMTP_URL',
      'tidepost-local',
    ])
      assert.ok(!text.includes(name), `${file} has ${name}`);
    assert.doesNotMatch(text, /postgres:\/\//, file);
  }
});
