import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { parseEnv } from '#app/env.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { wordsOf } from '#tests/harness/http/browser.ts';
import { closedPort } from '#tests/harness/outside/sandbox.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';

/** No copy of each other: what is in the second one alone can come from nowhere else. */
let own: TestDatabase;
let copy: TestDatabase;
let web: Web;

before(async () => {
  [own, copy] = await Promise.all([testDatabase(), testDatabase()]);
  for (const [{ db }, currencyCode] of [
    [own, 'USD'],
    [copy, 'INR'],
  ] as const)
    await makePlan(db, await makeUser(db, {}), 1, new Date(), { currencyCode });
  web = await startWeb({ databaseUrl: own.url, env: { DATABASE_READ_URL: copy.readUrl } });
});

const adminOf = async ({ url }: Web) => browserOf(own.db, await makeUser(own.db, { isAdmin: true }), url);

/** Of each page what it shows when something was received in rupees. */
const pages = {
  '/app/admin/trends': /Revenue in INR/,
  '/app/admin/revenue': /₹[1-9]/,
  '/app/admin': /₹[1-9]/,
};

for (const [page, words] of Object.entries(pages)) {
  test(`the figures of ${page} come from the copy`, async () => {
    const admin = await adminOf(web);
    const shown = wordsOf(await admin.read(page));
    assert.match(shown, words);
  });
}

test('visits and clicks come from the copy: nobody waits for who holds those of the database', async () => {
  const admin = await adminOf(web);
  await own.db.transaction().execute(async (trx) => {
    await sql`lock table visits, visit_days, visit_totals, email_clicks, click_spans in access exclusive mode`.execute(
      trx,
    );
    for (const tab of ['visits', 'email']) {
      const answer = await Promise.race([
        admin.get(`/app/admin?tab=${tab}`),
        wait(10_000, null, { ref: false }),
      ]);
      assert.equal(answer?.status, 200, tab);
    }
  });
});

test('people and payments come from the database that is written', async () => {
  const admin = await adminOf(web);
  await makeUser(own.db, { name: 'Nora Newest' });
  assert.match(wordsOf(await admin.read('/app/admin?tab=users')), /Nora Newest/);
});

const notThere = async () => Object.assign(new URL(copy.readUrl), { port: `${await closedPort()}` });
const withoutIt = () => Object.assign(new URL(copy.readUrl), { pathname: '/nobody_made_this' });
/** As before the migrations have come to it. */
const emptied = () => Object.assign(new URL(copy.readUrl), { pathname: '/postgres' });

for (const [what, address] of Object.entries({
  'is away': notThere,
  'does not exist': withoutIt,
  'is empty': emptied,
})) {
  test(`with a copy that ${what} the database answers, and the log says so`, () => answersWithout(address));
}

async function answersWithout(address: () => URL | Promise<URL>) {
  const away = await address();
  const alone = await startWeb({
    databaseUrl: own.url,
    env: { DATABASE_READ_URL: away.href, LOG_LEVEL: 'warn' },
  });
  const admin = await adminOf(alone);
  for (const [page, words] of Object.entries(pages)) {
    const shown = wordsOf(await admin.read(page));
    assert.doesNotMatch(shown, words);
  }
  assert.match(wordsOf(await admin.read('/app/admin/trends')), /Revenue in USD/);
  assert.match(alone.said(), /the copy of the database does not answer/);
}

test('what is no address of a database is refused as one to read from', () => {
  assert.throws(() => parseEnv({ DATABASE_READ_URL: 'mysql://somewhere' }), /DATABASE_READ_URL must be/);
});
