import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseEnv } from '#app/env.ts';

const ROOT = path.join(import.meta.dirname, '..');
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
