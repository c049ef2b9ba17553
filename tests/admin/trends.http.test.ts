import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { drawChart } from '#app/routes/admin/trends/chart.ts';
import { compare, presentTrend } from '#app/routes/admin/trends/present.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { startWeb } from '#tests/harness/web.ts';

const PAGE = '/app/admin/trends';
let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

const admin = async () => browserOf(database.db, await makeUser(database.db, { isAdmin: true }), url);
/** What each picture of a page says that it shows. */
const findings = (html: string) =>
  [...html.matchAll(/<svg role="img"[^>]*><title>([^<]*)/g)].map(([, text]) => text!);
const format = (value: number) => `${value}`;
const daysOf = (howMany: number) =>
  Array.from({ length: howMany }, (_, nth) => ({ name: `Day ${nth}`, short: `${nth}` }));

test('a chart has a bar for each day, zero where there is nothing, below a round number', () => {
  const chart = drawChart({
    days: daysOf(4),
    bars: { name: 'visits', values: [0, 87, 3, 0], format },
    isWhole: true,
  });
  assert.deepEqual(
    chart.bars.map(({ height }) => height > 0),
    [false, true, true, false],
  );
  assert.deepEqual(
    chart.ticks.map(({ text }) => text),
    ['0', '20', '40', '60', '80', '100'],
  );
  assert.equal(chart.bars[1]!.title, 'Day 1, 87 visits');
  assert.ok(chart.bars.every(({ y, height }) => y >= 0 && Math.abs(y + height - chart.size.height) < 0.11));
});

test('what is counted one by one has no half of one on its axis', () => {
  const chart = drawChart({ days: daysOf(1), bars: { name: 'visits', values: [1], format }, isWhole: true });
  assert.deepEqual(
    chart.ticks.map(({ text }) => text),
    ['0', '1'],
  );
  assert.equal(chart.bars.length, 1);
});

test('however many days there are, few have a label, the last one among them', () => {
  for (const howMany of [7, 30, 90]) {
    const bars = { name: 'visits', values: Array.from({ length: howMany }, () => 1), format };
    const { labels } = drawChart({ days: daysOf(howMany), bars, overlay: bars, isWhole: true });
    assert.ok(labels.length >= 3 && labels.length <= 5, `${howMany}: ${labels.length}`);
    assert.deepEqual([labels.at(-1)!.text, labels.at(-1)!.isSparse], [`${howMany - 1}`, false]);
  }
});

test('numbers beside the lines of a chart are short ones, its days and sums are whole', () => {
  const days = ['2026-11-01', '2026-11-02'];
  const rows = [{ day: days[1]!, value: 150_000_000 }];
  const bars = { name: 'visits', rows };
  const { chart, sum } = presentTrend({ key: 'visits', title: 'Visits', text: '', bars }, days);
  assert.deepEqual(
    chart!.ticks.map(({ text }) => text),
    ['0', '50M', '100M', '150M'],
  );
  assert.deepEqual([sum, chart!.bars[0]!.title], ['150,000,000', 'Mon, Nov 2, 2026, 150,000,000 visits']);
});

test('a sum is said beside that of as many days before', () => {
  assert.equal(compare(15, 10, 7), 'up 50% on the 7 days before');
  assert.equal(compare(5, 10, 7), 'down 50% on the 7 days before');
  assert.equal(compare(10, 10, 7), 'about as much as in the 7 days before');
  assert.equal(compare(3, 0, 30), 'after none in the 30 days before');
});

test('where nothing was counted yet the page says so, and draws nothing of it', async () => {
  const html = await (await admin()).read(PAGE);
  assert.deepEqual(
    findings(html).map((finding) => finding.split(' of ')[0]),
    ['Sign-ups'],
  );
  for (const title of ['Revenue', 'Posts', 'Punctuality', 'Visits', 'Email clicks'])
    assert.match(html, new RegExp(`${title}</h2>`));
  assert.equal(html.match(/Nothing yet</g)?.length, 6);
});

test('an admin reads the days as pictures and as tables, each currency by itself', async () => {
  const { db } = database;
  await sql`insert into visit_days (day, kind, value, visits, visitors)
    select (now() at time zone 'utc')::date - nth, 'all', '', 10, 4 from generate_series(0, 200) as nth`.execute(
    db,
  );
  const payments = [
    await makePlan(db, await makeUser(db), 1, new Date(), { currencyCode: 'USD' }),
    await makePlan(db, await makeUser(db), 1, new Date(), { currencyCode: 'INR' }),
  ];
  assert.equal(payments.length, 2);
  const reader = await admin();
  for (const [query, days, visits] of [
    ['?days=7', 7, '70'],
    ['', 30, '300'],
    ['?days=90', 90, '900'],
    ['?days=8000000', 30, '300'],
  ] as const) {
    const html = await reader.read(PAGE + query);
    const all = findings(html);
    assert.ok(
      all.includes(
        `Visits of the last ${days} days: ${visits} visits, about as much as in the ${days} days before`,
      ),
      all.join('\n'),
    );
    const revenue = all.filter((finding) => finding.startsWith('Revenue in '));
    assert.deepEqual(
      revenue.map((finding) => finding.slice(0, 14)),
      ['Revenue in USD', 'Revenue in INR'],
    );
    assert.match(html, /<div class="trend-ticks"[^>]*>(?:<span[^>]*>₹[\d.]+<\/span>)+<\/div>/);
    const table = html.match(/Visits by day, the latest first[\s\S]*?<\/table>/)![0];
    assert.equal(table.match(/<tr/g)!.length, days + 1);
    const current = [...html.matchAll(/<a\b[^>]*aria-current="page"[^>]*>([^<]*)/g)].map(([, text]) => text);
    assert.deepEqual(
      current.filter((text) => /^\d+ days$/.test(text!)),
      [`${days} days`],
    );
  }
});

test('what went out and failed is added up, and of lateness the worst day is said, none for a day without any', async () => {
  const { db } = database;
  await sql`insert into publishing_days (day, published, failed, late_p50_ms, late_p99_ms, counted_at)
    select (now() at time zone 'utc')::date - nth, 100, nth % 2, case when nth <> 1 then 900 end,
      case when nth <> 1 then 2000 + 10 * nth end, now() from generate_series(0, 13) as nth`.execute(db);
  const html = await (await admin()).read(`${PAGE}?days=7`);
  const all = findings(html);
  const before = 'the 7 days before';
  assert.ok(all.includes(`Posts of the last 7 days: 700 published, about as much as in ${before}`), `${all}`);
  assert.ok(
    all.includes(`Punctuality of the last 7 days: 2.1 s p99 of the worst day, down 3% on ${before}`),
    `${all}`,
  );
  const cells = (title: string) =>
    html
      .match(new RegExp(`${title} by day, the latest first[\\s\\S]*?</table>`))![0]
      .split('<tr')
      .slice(2, 4)
      .map((line) => [...line.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, text]) => text).slice(-2));
  assert.deepEqual(cells('Posts'), [
    ['100', '0'],
    ['100', '1'],
  ]);
  assert.deepEqual(cells('Punctuality'), [
    ['0.9 s', '2 s'],
    ['–', '–'],
  ]);
});
