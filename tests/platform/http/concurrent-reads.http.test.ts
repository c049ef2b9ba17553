import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';
import { until } from '#tests/harness/worker/until.ts';

const { db, pool, url: databaseUrl } = await testDatabase();
let web: Web;
before(async () => {
  web = await startWeb({ databaseUrl });
});

const blocked = async () => {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
  );
  return rowCount ?? 0;
};

/**
 * Sends 30 reads of one account that all wait for a locked table, checks that `waiting` queries wait, and that
 * `other`, a request of another account, is answered meanwhile.
 */
async function readMuch(
  table: string,
  read: () => Promise<Response>,
  other: () => Promise<Response>,
  waiting: number,
): Promise<void> {
  let all: Promise<Response>[] = [];
  await db.transaction().execute(async (trx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx);
    all = Array.from({ length: 30 }, read);
    await until(`${waiting} wait in the database`, async () => (await blocked()) >= waiting);
    await wait(1_000);
    assert.equal((await other()).status, 200);
    assert.equal(await blocked(), waiting);
  });
  for (const { status } of await Promise.all(all)) assert.equal(status, 200);
}

test('who reads many pages at once keeps nobody else from the database', async () => {
  const busy = await browserOf(db, await makeUser(db), web.url);
  const other = await browserOf(db, await makeUser(db), web.url);
  await readMuch(
    'passkeys',
    () => busy.get('/app/account/security'),
    () => other.get('/app/dashboard'),
    6,
  );
});

test('nor when every page waits for all of its queries', async () => {
  const busy = await browserOf(db, await makeUser(db), web.url);
  const headers = { Authorization: `Bearer ${await tokenOf(db, await makeUser(db))}` };
  await readMuch(
    'post_schedules',
    () => busy.get('/app/dashboard'),
    () => fetch(`${web.url}/api/v1/auth/me`, { headers }),
    6,
  );
});

test('nor does who reads as much over the API', async () => {
  const headers = { Authorization: `Bearer ${await tokenOf(db, await makeUser(db))}` };
  const other = await browserOf(db, await makeUser(db), web.url);
  await readMuch(
    'webhook_endpoints',
    () => fetch(`${web.url}/api/v1/webhooks`, { headers }),
    () => other.get('/app/dashboard'),
    4,
  );
});

test('who goes away while a page waits for its turn leaves no error behind', async () => {
  const browser = await browserOf(db, await makeUser(db), web.url);
  const headers = { Cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  const token = { Authorization: `Bearer ${await tokenOf(db, await makeUser(db))}` };
  const leave = new AbortController();
  const asked = Array.from({ length: 200 }, (_, nth) => {
    const isCall = nth % 2 === 0;
    const path = isCall ? '/api/v1/automation/settings' : '/app/dashboard';
    return fetch(web.url + path, { headers: isCall ? token : headers, signal: leave.signal });
  });
  await Promise.any(asked);
  leave.abort();
  await Promise.allSettled(asked);
  assert.equal((await browser.get('/app/dashboard')).status, 200);
  assert.doesNotMatch(web.said(), /"level":50|Error/);
});
