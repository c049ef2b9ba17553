import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

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
