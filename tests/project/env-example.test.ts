import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseEnv } from '#app/env.ts';
import { ROOT } from '#scripts/run.ts';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

test('.env.example has every variable that app/env.ts reads', () => {
  const documented = [...read('.env.example').matchAll(/^([A-Z_]+)=$/gm)].map(([, name]) => name);
  const parsed = [...read('app/env.ts').matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name]) => name);
  const ours = ['SANDBOX_PORT', 'SANDBOX_SMTP_PORT', 'SANDBOX_SMTPS_PORT'];
  assert.deepEqual(
    documented.toSorted(),
    [...parsed.filter((name) => name !== 'NODE_ENV'), ...ours].toSorted(),
  );
});

test('an address with a slash at its end is one without: what stands behind it begins with one', () => {
  for (const name of ['APP_URL', 'LINKEDIN_API_URL', 'OPENAI_BASE_URL'] as const) {
    assert.equal(parseEnv({ [name]: 'https://example.com/' })[name], 'https://example.com', name);
    assert.equal(parseEnv({ [name]: 'https://example.com/v1' })[name], 'https://example.com/v1', name);
  }
});

test('admins sign in in two steps unless an operator says otherwise; on a machine of one’s own they need not', () => {
  const { REQUIRE_ADMIN_TWO_STEP, SECRET_KEYS, ...local } = parseEnv({});
  assert.equal(REQUIRE_ADMIN_TWO_STEP, false);
  const said = Object.entries(local).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  const keys = `one:${Buffer.alloc(32, 7).toString('base64')}`;
  const production = { ...Object.fromEntries(said), NODE_ENV: 'production', SECRET_KEYS: keys };
  const isAsked = (value?: string) =>
    parseEnv({ ...production, REQUIRE_ADMIN_TWO_STEP: value }).REQUIRE_ADMIN_TWO_STEP;
  assert.deepEqual([isAsked(), isAsked(''), isAsked('1'), isAsked('0')], [true, true, true, false]);
});
