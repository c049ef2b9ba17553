import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { API_PATHS, filled } from '#tests/harness/http/route-paths.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;
let token: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
  token = await tokenOf(database.db, await makeUser(database.db));
});

/** Pages of other sites may ask nothing of ours by scripts: without these headers no browser hands them an answer. */
const lets = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

test('28 no other site is let in by scripts: not asked before a call, nor by the answer to one', async () => {
  for (const path of [
    ...API_PATHS.map((each) => `/api/v1${each}`),
    '/mcp',
    '/login',
    '/csp-reports',
    '/health',
  ]) {
    for (const Origin of ['https://evil.example', 'null', url]) {
      const asks = {
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization',
      };
      for (const [method, headers] of [
        ['OPTIONS', { Origin, ...asks }],
        ['GET', { Origin, Authorization: `Bearer ${token}` }],
      ] as const) {
        const answer = await fetch(url + filled(path), { method, headers, redirect: 'manual' });
        await answer.arrayBuffer();
        assert.deepEqual(lets(answer), [], `${method} ${path} from ${Origin}`);
      }
    }
  }
});
