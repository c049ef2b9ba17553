/** What tests/platform/db/rights.test.ts follows by name goes here by column: each sweep, and the deletion of an account that has everything. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createDatabase, type Db } from '#app/db/client.ts';
import { eraseDue } from '#app/domain/account-deletion/erase.ts';
import { requestDeletion } from '#app/domain/account-deletion/request.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { fillAccount } from '#tests/fixtures/full-account.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { runSweeps, SWEEPS } from '#worker/sweeps.ts';

await startOutside();
const database = await testDatabase();
const { db } = database;
let worker: Db;
let web: Db;
before(() => {
  ({ db: worker } = createDatabase(database.workerUrl, 3));
  ({ db: web } = createDatabase(database.url, 1));
});
after(() => Promise.all([worker.destroy(), web.destroy()]));
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

async function makeWhole() {
  const actor = await makeUser(db);
  await makePlan(db, actor, 1);
  await fillAccount(db, actor, 'whole');
  return actor;
}

for (const [name, sweeps] of Object.entries(SWEEPS)) {
  test(`the sweeps of ${name} need no more than the worker may`, async () => {
    await makeWhole();
    for (const days of [0, 29, 200]) await runSweeps(sweeps, worker, inDays(days));
  });
}

test('nor does the deletion of an account', async () => {
  const actor = await makeWhole();
  await requestDeletion(web, actor, null);
  await eraseDue(worker, inDays(9));
  const left = db.selectFrom('users').select('id').where('id', '=', actor.userId);
  assert.equal(await left.executeTakeFirst(), undefined);
});
