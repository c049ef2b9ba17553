import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { queueMail } from '#app/domain/email/outbox.ts';
import { trackingParams } from '#app/domain/email/tracking/link-marks.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { recordClick } from '#app/domain/visits/record-click.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost } from '#tests/fixtures/posts.ts';
import { makePublished } from '#tests/fixtures/published-posts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { call, mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;
let admin: Actor;
before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
  admin = await makeUser(database.db, { isAdmin: true, name: 'Ines Okafor' });
});

const deskOf = () => browserOf(database.db, admin, url);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What was counted on a day in UTC, as it is stored with the visits. */
async function countVisits(daysAgo: number, kind: string, value: string, visits: number) {
  const day = new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  await sql`insert into visit_days (day, kind, value, visits, visitors) values (${day}, ${kind}, ${value}, ${visits}, 1)
    on conflict (kind, day, value) do update set visits = visit_days.visits + excluded.visits`.execute(
    database.db,
  );
  await sql`insert into visit_totals (kind, value, visits, visitors) values (${kind}, ${value}, ${visits}, 1)
    on conflict (kind, value) do update set visits = visit_totals.visits + excluded.visits, visitors = visit_totals.visitors + 1`.execute(
    database.db,
  );
}

const makeVisit = (nth: number, page = '/signup') =>
  database.db
    .insertInto('visits')
    .values({
      visitedAt: new Date(Date.now() - nth * 60_000),
      address: `10.1.0.${nth}`,
      isWhole: true,
      sessionId: 's',
      isReturning: false,
      page,
      country: 'DE',
      city: '',
      language: 'de',
      device: 'Desktop',
      browser: 'Firefox',
      system: 'Linux',
    })
    .execute();

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

/** Somebody opens the link of a mail of ours; `nth` of several to the same address. */
async function makeClick(address: string, minutesAgo: number, nth = 0) {
  const { db } = database;
  await queueMail(db, { address, userId: null }, 'accountKept', { name: 'Ada', url: 'http://127.0.0.1/' });
  await db.updateTable('mails').set({ sentAt: new Date() }).where('toAddress', '=', address).execute();
  const marks = trackingParams({ address, kind: 'accountKept', createdAt: new Date(Date.now() - nth) });
  const { email = '', campaign = '', ts = '' } = marks;
  const click = { email, campaign, ts, page: '/app/dashboard', userAgent: IPHONE };
  await recordClick(db, click, new Date(Date.now() - minutesAgo * 60_000));
}

/** While nobody can read these tables. */
async function without(tables: string[], act: () => Promise<void>) {
  await database.db.transaction().execute(async (trx) => {
    await sql`lock table ${sql.join(tables.map((table) => sql.ref(table)))} in access exclusive mode`.execute(
      trx,
    );
    await act();
  });
}

test('a tab reads what it shows, and nothing of the others', async () => {
  const desk = await deskOf();
  const reads = async (tab: string) => {
    const answer = await Promise.race([
      desk.get(`/app/admin?tab=${tab}`),
      new Promise<null>((resolve) => setTimeout(resolve, 10_000, null)),
    ]);
    assert.equal(answer?.status, 200, tab);
  };
  const analytics = [
    'visits',
    'visit_days',
    'visit_totals',
    'visit_addresses',
    'email_clicks',
    'click_spans',
  ];
  await without(analytics, async () => {
    for (const tab of ['', 'payments', 'users']) await reads(tab);
  });
  await without(['payments', 'posts', 'post_schedules', 'post_counts'], async () => {
    for (const tab of ['email', 'visits']) await reads(tab);
  });
});

describe('the tabs', () => {
  test('are links that say where one is, with a title of their own', async () => {
    const desk = await deskOf();
    const tabs = { '': 'Overview', payments: 'Payments', email: 'Email', visits: 'Visits', users: 'Users' };
    for (const [tab, label] of Object.entries(tabs)) {
      const page = await desk.read(tab ? `/app/admin?tab=${tab}` : '/app/admin');
      const current = /<nav [^>]*aria-label="Sections"[\s\S]*?<a [^>]*aria-current="page"[^>]*>([^<]+)/.exec(
        page,
      );
      assert.equal(current?.[1], label);
      assert.match(page, /href="[^"]*"[^>]*>Refresh</);
    }
    assert.match(await desk.read('/app/admin?tab=users'), /<title>Users – Tidepost/);
    for (const odd of ['nothing', 'toString', '__proto__', '%00'])
      assert.match(await desk.read(`/app/admin?tab=${odd}`), /<title>Admin Dashboard – Tidepost/);
  });

  test('refresh what stands there, and drop a dialog', async () => {
    const desk = await deskOf();
    const page = await desk.read('/app/admin?tab=users&q=ines&show=admins&confirm-verify=x');
    assert.match(page, /href="\/app\/admin\?tab=users&amp;q=ines&amp;show=admins"[^>]*>Refresh</);
  });
});

test('email shows the ten latest clicks, who clicks most, and what with', async () => {
  const desk = await deskOf();
  assert.match(await desk.read('/app/admin?tab=email'), /No clicks yet/);
  for (let nth = 0; nth < 12; nth += 1) await makeClick(`click${nth}@example.com`, nth * 90);
  for (const nth of [1, 2, 3]) await makeClick('click3@example.com', 5_000, nth);
  const page = wordsOf(mainOf(await desk.read('/app/admin?tab=email')));
  assert.match(page, /All time 15 by 12 addresses/);
  const recent = /Recent clicks([\s\S]*?)Top clickers/.exec(page)![1]!;
  assert.match(recent, /click0@example\.com Mobile, Safari, iOS/);
  assert.match(recent, /click9@/);
  assert.doesNotMatch(recent, /click10@/);
  assert.match(page, /Top clickers .*?click3@example\.com 4 /);
  assert.match(page, /Devices .*Mobile 15 .*Browsers .*Safari 15/);
});

test('visits show who came, from where and with what, of a time that is chosen', async () => {
  const desk = await deskOf();
  assert.match(await desk.read('/app/admin?tab=visits'), /No visits yet/);
  for (let nth = 1; nth <= 16; nth += 1) await makeVisit(nth, `/page-${nth}-`);
  for (const [days, visits, country, page] of [
    [0, 5, 'DE', '/'],
    [400, 1_200, 'IN', '/login'],
  ] as const) {
    await countVisits(days, 'all', '', visits);
    await countVisits(days, 'country', country, visits);
    await countVisits(days, 'page', page, visits);
    await countVisits(days, 'city', '', visits);
  }
  await countVisits(0, 'country', '', 1);
  await database.db
    .insertInto('visitAddresses')
    .values({
      address: '10.1.0.7',
      visits: '42',
      lastVisitAt: new Date(),
      country: 'FR',
      city: '',
      devices: { Mobile: '2026-01-01' },
      browsers: { Chrome: '2026-01-01', Safari: '2026-01-01' },
    })
    .execute();
  const all = wordsOf(mainOf(await desk.read('/app/admin?tab=visits')));
  assert.match(all, /All time 1,205 2 visitors Today 5 1 visitor/);
  assert.match(all, /Top pages .*\/login 1,200 .*\/ 5 .*Countries .*India 1,200 .*Germany 5 .*Unknown 1/);
  assert.match(all, /countries alone/);
  assert.match(all, /\/page-15- Germany Desktop, Firefox, Linux 10\.1\.0\.15/);
  assert.doesNotMatch(all, /page-16-/);
  assert.match(all, /10\.1\.0\.7 42 .* France Mobile, Chrome, Safari/);
  for (const span of ['today', 'week', 'month']) {
    const page = await desk.read(`/app/admin?tab=visits&span=${span}`);
    assert.match(
      page,
      new RegExp(`span=${span}"[^>]*aria-current="true"|aria-current="true"[^>]*span=${span}"`),
    );
    const said = wordsOf(mainOf(page));
    assert.match(said, /Germany 5/, span);
    assert.doesNotMatch(said, /India/, span);
  }
  assert.match(wordsOf(mainOf(await desk.read('/app/admin?tab=visits&span=ever'))), /India 1,200/);
});

describe('users', () => {
  test('are found by name, address or ID, and signs are text', async () => {
    const { db } = database;
    const desk = await deskOf();
    const odd = await makeUser(db, { name: '50%_off <b>Élan</b>', email: 'quux-7@example.com' });
    await makeUser(db, { name: '50 off Elan' });
    const found = async (q: string) =>
      wordsOf(mainOf(await desk.read(`/app/admin?tab=users&${new URLSearchParams({ q })}`)));
    for (const q of ['50%_', 'QUUX-7', 'quux-7@example.com', odd.userId, ' quux ', 'qu'])
      assert.match(await found(q), /quux-7@example/, q);
    assert.doesNotMatch(await found('50%_'), /50 off Elan/);
    assert.match(await found('50%_'), /50%_off &lt;b&gt;Élan&lt;\/b&gt;/);
    assert.doesNotMatch(await found('ux'), /quux-7/, 'of few letters, those that begin with them');
    assert.match(await found('nobody-at-all'), /Nobody like that/);
  });

  test('are narrowed, and an address that means nothing is no error', async () => {
    const { db } = database;
    const desk = await deskOf();
    const payer = await makeUser(db, { name: 'Payer Narrowed' });
    await makePlan(db, payer, 3);
    await makeUser(db, { name: 'Free Narrowed' });
    const ended = await makeUser(db, { name: 'Ended Narrowed' });
    await makePlan(db, ended, 1, new Date(Date.now() - 60 * DAY_MS));
    const found = async (show: string) =>
      wordsOf(mainOf(await desk.read(`/app/admin?tab=users&q=narrowed&show=${show}`)));
    assert.match(await found('plan'), /Payer Narrowed .*Premium/);
    assert.doesNotMatch(await found('plan'), /Free|Ended/);
    assert.match(await found('no_plan'), /Ended Narrowed .*No plan .*Free Narrowed|Free Narrowed .*No plan/);
    assert.doesNotMatch(await found('no_plan'), /Payer Narrowed/);
    assert.match(await desk.read('/app/admin?tab=users&show=admins'), /Ines Okafor/);
    assert.doesNotMatch(await found('admins'), /(?:Payer|Free|Ended) Narrowed/);
    for (const odd of [
      'show=x',
      'show=toString',
      'q=%00',
      'q=%5C',
      `q=${'a'.repeat(3_000)}`,
      'user=x',
      'user=%00',
    ])
      assert.equal((await desk.get(`/app/admin?tab=users&${odd}`)).status, 200, odd.slice(0, 30));
    assert.equal((await desk.get('/app/admin?tab=users&cursor=x')).status, 400);
  });

  test('go on in pages that keep what was looked for', async () => {
    const { db } = database;
    const desk = await deskOf();
    const at = Date.now();
    for (let nth = 0; nth < 51; nth += 1) {
      const { userId } = await makeUser(db, { name: `Paged${nth}.` });
      const createdAt = new Date(at - nth * 1_000);
      await db.updateTable('users').set({ createdAt }).where('id', '=', userId).execute();
    }
    const first = await desk.read('/app/admin?tab=users&q=paged');
    assert.match(first, /Paged0\./);
    assert.doesNotMatch(first, /Paged50\./);
    const next = /href="([^"]+)"[^>]*>Earlier ones/.exec(first)![1]!.replaceAll('&amp;', '&');
    const second = await desk.read(next);
    assert.match(second, /Paged50\./);
    assert.doesNotMatch(second, /Paged49\./);
    assert.match(second, /href="\/app\/admin\?tab=users&amp;q=paged"[^>]*>Back to the newest/);
  });

  test('open to their latest posts by a link, and to nobody else’s', async () => {
    const { db } = database;
    const desk = await deskOf();
    const author = await makeUser(db, { name: 'Opened Author' });
    const other = await makeUser(db, { name: 'Opened Other' });
    await makeScheduledPost(db, author, {
      content: `What we <i>learned</i> ${'about planning '.repeat(20)}`,
    });
    await makeScheduledPost(db, other, { content: 'Not to be seen here' });
    await makePublished(db, author, { content: 'This one went out' });
    const closed = await desk.read('/app/admin?tab=users&q=opened');
    assert.match(wordsOf(mainOf(closed)), /Opened Author .*?2 posts ?, 1 published/);
    assert.doesNotMatch(closed, /went out/);
    const link = new RegExp(`href="([^"]*user=${author.userId}[^"]*)"`)
      .exec(closed)![1]!
      .replaceAll('&amp;', '&');
    const opened = await desk.read(link);
    const said = wordsOf(mainOf(opened));
    assert.match(said, /Scheduled .*What we &lt;i&gt;learned&lt;\/i&gt;[^…]{20,200}…/);
    assert.match(said, /Published .*This one went out/);
    assert.doesNotMatch(said, /Not to be seen here/);
    assert.match(opened, /aria-expanded="true"/);
    const empty = await makeUser(db, { name: 'Opened Empty' });
    assert.match(await desk.read(`/app/admin?tab=users&q=opened&user=${empty.userId}`), /No posts yet/);
  });

  test('are answered to admins by calls, with the posts of each', async () => {
    const { db } = database;
    const token = await tokenOf(db, admin);
    const author = await makeUser(db, { name: 'Called Author', timeZone: 'Asia/Kolkata' });
    await makePlan(db, author, 2);
    const postId = await makePublished(db, author, { content: 'Out' });
    await makeScheduledPost(db, author, { dueAt: new Date('2026-12-01T03:30:00Z') });
    const { status, body } = await call(url, 'GET', '/admin/users?q=called&limit=1', undefined, token);
    assert.equal(status, 200);
    const { createdAt, ...user } = body.users[0];
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.deepEqual(
      [user, body.nextCursor],
      [
        {
          _id: author.userId,
          name: 'Called Author',
          email: author.email,
          role: 'user',
          verified: true,
          disabled: false,
          hasActiveSubscription: true,
          subscriptionPlan: 'standard',
          postCount: 2,
          publishedCount: 1,
        },
        null,
      ],
    );
    const path = `/admin/users/${author.userId}/posts`;
    const first = await call(url, 'GET', `${path}?limit=1`, undefined, token);
    const second = await call(
      url,
      'GET',
      `${path}?limit=1&cursor=${first.body.nextCursor}`,
      undefined,
      token,
    );
    const posts = [...first.body.posts, ...second.body.posts];
    assert.equal(second.body.nextCursor, null);
    assert.ok(posts.some(({ _id, status }) => _id === postId && status === 'published'));
    assert.ok(
      posts.some(({ scheduledPublishTime }) => scheduledPublishTime === '09:00'),
      'by the author’s clock',
    );
    for (const nobody of ['x', '00000000-0000-4000-8000-000000000000']) {
      const none = await call(url, 'GET', `/admin/users/${nobody}/posts`, undefined, token);
      assert.deepEqual([none.status, none.body.code], [404, 'not_found']);
    }
    const wrong = await call(url, 'GET', '/admin/users?show=x', undefined, token);
    assert.deepEqual([wrong.status, wrong.body.code], [422, 'invalid']);
  });
});

/** What pages that show times say of their zone to an admin in Tokyo. */
const ZONES = {
  '/app/admin?tab=email': 'Times in Asia/Tokyo. Today, this week and this month begin in UTC.',
  '/app/admin?tab=visits': 'Times in Asia/Tokyo. Today, this week and this month begin in UTC.',
  '/app/admin/operations': 'Times in Asia/Tokyo.',
  '/app/admin/operations/list?of=due': 'Times in Asia/Tokyo.',
  '/app/admin/writing': 'Times in Asia/Tokyo, days in UTC.',
  '/app/admin/support-feedback': 'Times in Asia/Tokyo.',
  '/app/admin/support-feedback?tab=feedback': 'Times in Asia/Tokyo.',
};

test('a page of the desk that shows times says of which zone they are, and where its days are of another', async () => {
  const { db } = database;
  const desk = await browserOf(db, await makeUser(db, { isAdmin: true, timeZone: 'Asia/Tokyo' }), url);
  for (const [address, words] of Object.entries(ZONES)) {
    const shown = wordsOf(mainOf(await (await desk.get(address)).text()));
    assert.ok(shown.includes(words), `${address}: ${shown.slice(0, 300)}`);
  }
  const ofLinkedIn = await (await desk.get('/app/admin/operations/list?of=linkedin')).text();
  assert.ok(!wordsOf(mainOf(ofLinkedIn)).includes('Asia/Tokyo'));
});
