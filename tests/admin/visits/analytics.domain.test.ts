import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { agentOf } from '#app/domain/visits/agents.ts';
import { deleteOldVisits } from '#app/domain/visits/delete-visits.ts';
import { pageOf, registerPages } from '#app/domain/visits/page-patterns.ts';
import { VisitInput } from '#app/domain/visits/schema.ts';
import { readVisitAnalytics, readVisitSummary, spansOf } from '#app/domain/visits/visit-analytics.ts';
import { queueVisit, takeDropped, writeVisits } from '#app/domain/visits/visit-queue.ts';
import { env } from '#app/env.ts';
import { testDatabase } from '#tests/harness/database.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const BERLIN = '88.198.0.7';
const AMSTERDAM = '2001:67c:2e8::7';
/** A Wednesday. */
const NOON = new Date('2026-11-18T12:00:00Z');
const DAY = 86_400_000;

let db: Db;
before(async () => {
  ({ db } = await testDatabase());
  registerPages([
    '/',
    '/login',
    '/app/dashboard',
    '/app/posts',
    '/app/posts/:id',
    '/app/posts/:id/versions',
    '/app/posts/new',
  ]);
});
beforeEach(async () => {
  await sql`truncate visits, visit_sightings, visit_days, visit_totals, visit_addresses`.execute(db);
  takeDropped();
});

type Given = {
  pathname?: string;
  at?: Date;
  address?: string | undefined;
  userAgent?: string;
  sessionId?: string;
};

function come({ at = NOON, userAgent = CHROME, ...given }: Given = {}): boolean {
  const { pathname = '/', sessionId = 'n1' } = given;
  const visit = VisitInput.parse({ pathname, sessionId, screenWidth: 1280, language: 'de-DE' });
  const address = 'address' in given ? given.address : BERLIN;
  return queueVisit({ visit, at, address, userAgent }) === 0;
}

const counts = (totalVisits: number, uniqueVisitors: number) => ({ totalVisits, uniqueVisitors });

test('visits count at once, and a visitor once a day, however many batches they come in', async () => {
  come();
  come({ pathname: '/login' });
  await writeVisits(db);
  come({ sessionId: 'another-tab' });
  come({ address: AMSTERDAM, userAgent: IPHONE, pathname: '/login' });
  await writeVisits(db);
  const once = counts(4, 2);
  const all = { allTime: once, today: once, thisWeek: once, thisMonth: once };
  assert.deepEqual(await readVisitSummary(db, NOON), all);

  const { recentVisits, frequentVisitors, places, ...lists } = await readVisitAnalytics(db);
  assert.deepEqual(lists, {
    visitsByCountry: [
      { _id: 'Germany', visits: 3, uniqueVisitors: 1 },
      { _id: 'Netherlands', visits: 1, uniqueVisitors: 1 },
    ],
    visitsByCity: [],
    visitsByDevice: [
      { _id: 'Desktop', count: 3 },
      { _id: 'Mobile', count: 1 },
    ],
    visitsByBrowser: [
      { _id: 'Chrome', count: 3 },
      { _id: 'Safari', count: 1 },
    ],
    visitsByOS: [
      { _id: 'Windows', count: 3 },
      { _id: 'iOS', count: 1 },
    ],
    topPages: [
      { _id: '/', visits: 2, uniqueVisitors: 1 },
      { _id: '/login', visits: 2, uniqueVisitors: 2 },
    ],
  });
  assert.equal(places, 'shipped');
  const [first, second] = frequentVisitors;
  const of = { visits: 3, lastVisit: NOON, country: 'Germany', city: 'Unknown' };
  assert.deepEqual(first, { _id: BERLIN, ...of, devices: ['Desktop'], browsers: ['Chrome'] });
  assert.equal(second?._id, AMSTERDAM);
  const dutch = recentVisits.find(({ country }) => country === 'Netherlands');
  assert.deepEqual(dutch, {
    ipv4: null,
    ipAddress: AMSTERDAM,
    country: 'Netherlands',
    city: 'Unknown',
    device: 'Mobile',
    browser: 'Safari',
    os: 'iOS',
    pathname: '/login',
    visitedAt: NOON,
  });
  assert.equal(recentVisits.find(({ country }) => country === 'Germany')?.ipv4, BERLIN);
});

test('a week begins on its Monday and a month on its first, in UTC; a visitor of two days counts in each', async () => {
  const days = ['2026-11-18', '2026-11-16', '2026-11-15', '2026-11-01', '2026-10-31'];
  for (const day of days) come({ at: new Date(`${day}T23:59:59Z`) });
  await writeVisits(db);
  const { allTime, today, thisWeek, thisMonth } = await readVisitSummary(db, NOON);
  assert.deepEqual(
    [allTime, today, thisWeek, thisMonth].map(({ uniqueVisitors }) => uniqueVisitors),
    [5, 1, 2, 4],
  );
  const { rows } = await sql<{ n: string }>`select count(distinct visitor) as n from visit_sightings`.execute(
    db,
  );
  assert.equal(rows[0]!.n, '5', 'nobody is the same on another day');
  assert.equal(spansOf(new Date('2026-11-22T00:00:00Z')).thisWeek, '2026-11-16');
  assert.equal(spansOf(new Date('2026-11-23T00:00:00Z')).thisWeek, '2026-11-23');
});

test('what is counted has as many names as there are pages and families, whatever is sent', async () => {
  for (let n = 0; n < 300; n += 1) {
    const address = `10.0.${n >> 4}.${n & 15}`;
    come({ address, pathname: `/wp-${n}/x`, userAgent: `Mozilla/5.0 Firefox/${n}.0 Curious${n}/1.0` });
  }
  come({ pathname: "/app/posts/'); drop table visits; --", userAgent: CHROME });
  come({ pathname: `/app/posts/${crypto.randomUUID()}/versions` });
  await writeVisits(db);
  const { topPages, visitsByBrowser, visitsByOS, visitsByDevice } = await readVisitAnalytics(db);
  assert.deepEqual(
    topPages.map(({ _id, visits }) => [_id, visits]),
    [
      ['other', 300],
      ['/app/posts/:id', 1],
      ['/app/posts/:id/versions', 1],
    ],
  );
  for (const list of [visitsByBrowser, visitsByOS, visitsByDevice]) assert.ok(list.length <= 4);
  assert.equal(pageOf('/app/posts/new'), '/app/posts/new');
  assert.equal(pageOf('/app/posts/'), '/app/posts');
  assert.equal(pageOf('/__proto__'), 'other');
});

test('robots are not counted, nor who says nothing of what they are', async () => {
  const robots = [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0 Safari/537.36',
    'curl/8.5.0',
    'node',
    '',
  ];
  for (const userAgent of robots) {
    assert.equal(agentOf(userAgent), undefined, userAgent);
    come({ userAgent });
  }
  await writeVisits(db);
  assert.deepEqual((await readVisitSummary(db, NOON)).allTime, counts(0, 0));
});

test('a flood is let go and counted: of one address so many, and of all so many', async () => {
  const taken = Array.from({ length: 50 }, () => come()).filter(Boolean).length;
  assert.equal(taken, 20);
  for (let n = 0; n < 5_000; n += 1) come({ address: `10.1.${n >> 8}.${n & 255}` });
  assert.deepEqual(takeDropped(), { 'address.second': 30, 'all.second': 5_000 - 1_980 });
  await writeVisits(db);
  assert.equal((await readVisitSummary(db, NOON)).allTime.totalVisits, 2_000);
  assert.equal(come(), true, 'there is room again');
  await writeVisits(db);
});

test('batches of two processes at once lose nothing and wait for each other', async () => {
  const batches = [];
  for (let n = 0; n < 8; n += 1) {
    for (let each = 0; each < 50; each += 1)
      come({ address: `10.2.${n}.${each}`, pathname: ['/', '/login', '/app/posts'][each % 3]! });
    batches.push(writeVisits(db));
  }
  await Promise.all(batches);
  assert.deepEqual((await readVisitSummary(db, NOON)).allTime, counts(400, 400));
});

test('after 30 days an address is its network, after 180 a visit is gone, and what was counted stays', async () => {
  const ago = (days: number) => new Date(NOON.getTime() - days * DAY);
  for (const days of [1, 29, 31, 179, 181]) {
    come({ at: ago(days), sessionId: `d${days}`, userAgent: days > 30 ? IPHONE : CHROME });
    come({ at: ago(days), sessionId: `d${days}`, address: AMSTERDAM });
  }
  come({ at: ago(31), address: '88.198.9.9', sessionId: 'd31' });
  come({ at: ago(31), address: undefined, sessionId: 'd31' });
  // Until it is looked at again, it would be older than 30 days.
  come({ at: new Date(ago(30).getTime() + 3_600_000), sessionId: 'd30' });
  await writeVisits(db);
  const before = await readVisitSummary(db, NOON);
  await Promise.all([deleteOldVisits(db, NOON), deleteOldVisits(db, NOON)]);
  await deleteOldVisits(db, NOON);
  const { rows } = await sql<{ id: string; address: string }>`
    select session_id as id, coalesce(abbrev(address), '') as address from visits
    order by visited_at desc, abbrev(address) nulls first`.execute(db);
  assert.deepEqual(
    rows.map(({ id, address }) => `${id} ${address}`),
    [
      'd1 2001:67c:2e8::7',
      `d1 ${BERLIN}`,
      'd29 2001:67c:2e8::7',
      `d29 ${BERLIN}`,
      'd30 88.198.0.0/24',
      'd31 ',
      'd31 2001:67c:2e8::/48',
      'd31 88.198.0.0/24',
      'd31 88.198.9.0/24',
      'd179 2001:67c:2e8::/48',
      'd179 88.198.0.0/24',
    ],
  );
  assert.deepEqual(await readVisitSummary(db, NOON), before);
  const { frequentVisitors } = await readVisitAnalytics(db);
  // Nothing of them is older than the visits that are kept whole: neither their number nor another browser.
  const kept = { visits: 2, devices: ['Desktop'], browsers: ['Chrome'] };
  assert.deepEqual(
    frequentVisitors
      .map(({ _id, visits, devices, browsers }) => ({ _id, visits, devices, browsers }))
      .sort((one, other) => one._id.localeCompare(other._id)),
    [AMSTERDAM, BERLIN].map((_id) => ({ _id, ...kept })),
  );
  const seen = await db.selectFrom('visitSightings').select('day').distinct().execute();
  assert.deepEqual(
    seen.map(({ day }) => day),
    ['2026-11-17'],
  );
});

test('what a browser says is held to its bounds', () => {
  const good = { pathname: '/', sessionId: 'n1' };
  const accepted: object[] = [good, { ...good, screenWidth: null }, { ...good, more: 1 }];
  for (const each of accepted) assert.ok(VisitInput.safeParse(each).success, JSON.stringify(each));
  const refused: object[] = [
    {},
    { pathname: '/' },
    { sessionId: 'n1' },
    { ...good, pathname: 'login' },
    { ...good, pathname: '/a\0' },
    { ...good, pathname: `/${'x'.repeat(2_000)}` },
    { ...good, sessionId: '' },
    { ...good, sessionId: 'a b' },
    { ...good, sessionId: 'x'.repeat(101) },
    { ...good, screenWidth: '1280' },
    { ...good, screenWidth: -1 },
    { ...good, screenHeight: 1e9 },
    { ...good, language: 'x'.repeat(36) },
    { ...good, isReturningVisitor: 'yes' },
    { ...good, pathname: { toString: '/' } },
  ];
  for (const each of refused) assert.ok(!VisitInput.safeParse(each).success, JSON.stringify(each));
});

test('of a day so many are kept as the operator says, of all processes together', async () => {
  const most = env().VISITS_A_DAY;
  const of = { kind: 'all' as const, value: '', visitors: '0' };
  await db
    .insertInto('visitDays')
    .values({ ...of, day: '2026-11-18', visits: String(most - 1) })
    .execute();
  assert.ok(come(), 'this process does not know yet');
  await writeVisits(db);
  assert.equal(come(), false);
  assert.equal(come({ address: AMSTERDAM }), false);
  assert.deepEqual(takeDropped(), { 'all.day': 2 });
  assert.ok(come({ at: new Date('2026-11-19T00:00:00Z') }), 'the next day is another one');
  await writeVisits(db);
});

test('who calls his browser by many names is one visitor, and of names so many are read', async () => {
  for (let batch = 0; batch < 10; batch += 1) {
    for (let n = 0; n < 20; n += 1) come({ userAgent: CHROME.replace('140', `${batch}.${n}`) });
    await writeVisits(db);
  }
  assert.deepEqual((await readVisitSummary(db, NOON)).allTime, counts(200, 1));
});
