import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { countCall, countTokens } from '#app/domain/writing/usage-limits.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const PAGE = '/app/admin/writing';
process.env.WRITER_CALLS_A_DAY = '200';
let database: TestDatabase;
let url: string;
let priced: string;

before(async () => {
  database = await testDatabase();
  const env = { WRITER_CALLS_A_DAY: '200' };
  const prices = { WRITER_INPUT_PRICE: '0.25', WRITER_OUTPUT_PRICE: '2' };
  ({ url } = await startWeb({ databaseUrl: database.url, env }));
  ({ url: priced } = await startWeb({ databaseUrl: database.url, env: { ...env, ...prices } }));
});

const admin = async (at = url) => browserOf(database.db, await makeUser(database.db, { isAdmin: true }), at);
/** The words of a page, with its marks left out. */
const words = (html: string) =>
  html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>|&#x27;|\s+/g, ' ')
    .replace(/ +/g, ' ');

test('only admins read what the writer costs', async () => {
  const { db } = database;
  const user = await browserOf(db, await makeUser(db), url);
  assert.equal((await user.get(PAGE)).status, 403);
  assert.equal((await user.get(`${PAGE}.data`)).status, 403);
  const visitor = await new Browser(url).get(PAGE);
  assert.deepEqual([visitor.status, visitor.headers.get('Location')?.split('?')[0]], [302, '/login']);
  assert.equal((await (await admin()).get(PAGE)).status, 200);
});

test('before anything was written the page says so', async () => {
  assert.match(words(await (await admin()).read(PAGE)), /Nothing was written yet/);
});

test('an admin reads the day beside its ceiling, who asked, and what the runs came to', async () => {
  const { db } = database;
  const [much, little] = [
    await makeUser(db, { name: 'Asks Much' }),
    await makeUser(db, { name: '<b>Asks Little</b>' }),
  ];
  const gone = await makeUser(db, { name: 'Has Left' });
  for (const { userId } of [much, much, little, gone]) await countCall(db, userId);
  await countTokens(db, much.userId, { model: 'm', inputTokens: 2_000_000, outputTokens: 100_000 });
  await countTokens(db, little.userId, { model: 'm', inputTokens: 900, outputTokens: 30 });
  await countTokens(db, gone.userId, { model: 'm', inputTokens: 10_000, outputTokens: 400 });
  await db.deleteFrom('users').where('id', '=', gone.userId).execute();
  const run = {
    userId: much.userId,
    requested: 2,
    inputTokens: 4_200,
    outputTokens: 900,
    model: 'test-model',
  };
  const error = 'A post about "Plans" was not good enough: too short';
  await db
    .insertInto('generationRuns')
    .values([
      { ...run, status: 'complete', done: 1, failed: 1, error },
      { ...run, status: 'running', scheduledFor: new Date(), createdAt: new Date(Date.now() + 1_000) },
      { ...run, status: 'queued', requested: 0, createdAt: new Date(Date.now() - 60_000) },
    ])
    .execute();

  const plain = words(await (await admin()).read(PAGE));
  assert.match(plain, /Calls today 4 of 200 a day/);
  assert.match(plain, /Tokens today 2\.1M of 100M a day/);
  assert.doesNotMatch(plain, /\$|about \d/, 'nobody knows the price');
  assert.match(
    plain,
    /Asks Much \S+ @\S+ \S+ 2 2M in 100K out .*Asks Little.* 1 900 in 30 out All others also deleted accounts 1 10K in 400 out/,
  );
  assert.match(
    plain,
    /Being written[\s\S]*1 of 2 posts A post about .*too short\. test-model 4\.2K in 900 out/,
  );

  const shown = await (await admin(priced)).read(PAGE);
  assert.match(words(shown), /Asks Much \S+ @\S+ \S+ 2 2M in 100K out \$0\.70 /);
  assert.match(words(shown), /Asks Little.* 1 900 in 30 out under \$0\.01/);
  assert.match(words(shown), /Last 30 days about \$0\.70/);
  assert.ok(shown.includes('&lt;b&gt;Asks Little'));
});

test('a day of the last month can be chosen, and one that is none is today', async () => {
  const { db } = database;
  const actor = await makeUser(db, { name: 'Asked Earlier' });
  const { rows } = await sql<{
    day: string;
  }>`select to_char(now() at time zone 'utc' - interval '3 days', 'YYYY-MM-DD') as day`.execute(db);
  const { day } = rows[0]!;
  await sql`insert into writer_days (day, calls, input_tokens, output_tokens) values (${day}::date, 150, 10, 20)`.execute(
    db,
  );
  await sql`insert into writer_calls (user_id, day, calls, input_tokens, output_tokens) values (${actor.userId}, ${day}::date, 150, 10, 20)`.execute(
    db,
  );
  const browser = await admin();
  const shown = await browser.read(`${PAGE}?day=${day}`);
  assert.match(words(shown), /Asked Earlier \S+ @\S+ \S+ 150 10 in 20 out/);
  assert.match(shown, /aria-current="true"[\s\S]*?75% of the ceiling/);
  assert.doesNotMatch(words(await browser.read(PAGE)), /Asked Earlier/);
  for (const none of ['x', '2026-02-30', '2026-13-01', '%00', '9999-99-99', '']) {
    assert.match(words(await browser.read(`${PAGE}?day=${none}`)), /Who asked: Today/, none);
  }
  assert.match(
    words(await browser.read(`${PAGE}?day=2020-01-01`)),
    /Who asked: Wed, Jan 01, 2020 Nobody did The latest runs/,
  );
});

test('what the operator has to mend of the writer stands on the page', async () => {
  const { db } = database;
  await db
    .insertInto('operatorAlerts')
    .values([
      {
        key: 'writer-ceiling',
        message: 'The ceiling is reached.',
        firstSeenAt: new Date(),
        lastSeenAt: new Date(),
      },
      { key: 'linkedin', message: 'Not of writing.', firstSeenAt: new Date(), lastSeenAt: new Date() },
    ])
    .execute();
  const shown = words(await (await admin()).read(PAGE));
  assert.match(shown, /Something needs the operator The ceiling is reached\./);
  assert.doesNotMatch(shown, /Not of writing/);
});
