import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { REJECT_REASONS } from '#app/domain/payments/limits.ts';
import { verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan } from '#tests/fixtures/payments.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { call, mainOf, Browser as NewBrowser, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;
before(async () => {
  database = await testDatabase();
  process.env.PAYMENT_FOUR_EYES = 'GBP:20';
  ({ url } = await startWeb({ databaseUrl: database.url, env: { PAYMENT_FOUR_EYES: 'GBP:20' } }));
});

const HOUR = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR);
const makeAdmin = (name = 'Ines Okafor') => makeUser(database.db, { isAdmin: true, name });
const deskOf = (admin: Actor) => browserOf(database.db, admin, url);
const statusOf = async (id: string) =>
  (await database.db.selectFrom('payments').select('status').where('id', '=', id).executeTakeFirstOrThrow())
    .status;
const dialogOf = (html: string) => wordsOf(/<dialog[\s\S]*?<\/dialog>/.exec(html)?.[0] ?? '');
const PAGES = ['/app/admin', '/app/admin?tab=payments', '/app/admin/subscriptions', '/app/admin/revenue'];

test('visitors and users see nothing of the desk, of no ledger and no file', async () => {
  const user = await makeUser(database.db);
  await makePlan(database.db, user, 1);
  const ledger = `/app/admin/ledgers/${user.userId}`;
  const own = await browserOf(database.db, user, url);
  for (const path of [...PAGES, ledger, `${ledger}/ledger.csv`]) {
    assert.equal((await new NewBrowser(url).get(path)).status, 302, path);
    const answer = await own.get(path);
    assert.equal(answer.status, 403, path);
    assert.doesNotMatch(await answer.text(), /TP-[2-9A-Z]{6}/);
  }
  // What scripts ask for in the place of a page, and the forms.
  for (const path of ['/app/admin', '/app/admin/subscriptions', '/app/admin/revenue', ledger]) {
    const asked = `${path}.data`;
    const answers = [await new NewBrowser(url).get(asked), await own.get(asked), await own.post(asked)];
    for (const [nth, answer] of answers.entries()) {
      assert.equal(answer.status, nth === 0 ? 202 : 403, asked);
      assert.doesNotMatch(await answer.text(), /TP-[2-9A-Z]{6}/, asked);
    }
  }
  const desk = await deskOf(await makeAdmin());
  for (const path of [...PAGES, ledger, `${ledger}/ledger.csv`])
    assert.equal((await desk.get(path)).status, 200, path);
});

describe('the list of what waits', () => {
  test('says how long each waits, marks it past 20 hours, and goes on in pages with its dialogs', async () => {
    const { db } = database;
    const admin = await makeAdmin();
    const desk = await deskOf(admin);
    const late = await makeUser(db, { name: 'Late Payer' });
    const fresh = await makeUser(db, { name: 'Fresh Payer' });
    await makePayment(db, late, 1, ago(20.5));
    await makePayment(db, fresh, 2, ago(2));
    const page = mainOf(await desk.read('/app/admin?tab=payments'));
    const lineOf = (name: string) =>
      wordsOf(page.split('<li id="payment-').find((line) => line.includes(name))!);
    assert.match(lineOf('Late Payer'), /Waits 20 hours, 30 minutes Waiting over 20 hours/);
    assert.match(lineOf('Fresh Payer'), /Waits 2 hours/);
    assert.doesNotMatch(lineOf('Fresh Payer'), /Waiting over/);
    for (let nth = 0; nth < 50; nth += 1) await makePayment(db, await makeUser(db), 1, ago(1));
    const last = await makePayment(db, await makeUser(db, { name: 'Last Payer' }), 1);
    const first = await desk.read('/app/admin?tab=payments');
    assert.doesNotMatch(first, /Last Payer/);
    const next = /href="([^"]+cursor=[^"]+)"[^>]*>Next payments/.exec(first)![1]!.replaceAll('&amp;', '&');
    const second = await desk.read(next);
    const dialog = new RegExp(`href="([^"]*confirm-verify=${last.id})"`).exec(second)![1]!;
    const asked = await desk.read(dialog.replaceAll('&amp;', '&'));
    assert.match(dialogOf(asked), /Last Payer pays/);
    assert.match(second, /Back to the oldest/);
    await db.deleteFrom('payments').where('status', '=', 'pending').execute();
    assert.match(await desk.read('/app/admin?tab=payments'), /No payments to verify/);
    assert.equal((await desk.get('/app/admin?tab=payments&cursor=broken')).status, 400);
  });

  test('says before verifying what it does by the clock of the payer, and that is what it does', async () => {
    const { db } = database;
    const payer = await makeUser(db, { timeZone: 'Pacific/Kiritimati' });
    await makePlan(db, payer, 2, ago(24 * 10));
    await makePlan(db, payer, 1, ago(24 * 9), { upgradeType: 'next_billing' });
    const { id, amountMinor } = await makePayment(db, payer, 3, ago(3), { upgradeType: 'immediate' });
    const desk = await deskOf(await makeAdmin());
    const path = `/app/admin?tab=payments&confirm-verify=${id}`;
    const said = dialogOf(await desk.read(path));
    assert.match(said, new RegExp(`pays \\$${(amountMinor / 100).toFixed(2)} USD by PayPal`));
    assert.match(said, /Starts At once Ends .* Credit \$\d+\.\d\d USD for unused time/);
    assert.match(said, /The plan of 2 posts a day ends on/);
    assert.match(said, /The month of 1 post a day runs from/);
    assert.match(said, /Meanwhile 3 hours of the credited time went by/);
    assert.match(said, /Times in Pacific\/Kiritimati, where the payer is/);
    assert.equal((await desk.post(`/app/admin/payments/${id}/verify`)).status, 302);
    const { endsAt } = await db
      .selectFrom('payments')
      .select('endsAt')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const ends = /Ends (\w{3} \d\d, \d{4})/.exec(said)![1];
    const day = { month: 'short', day: '2-digit', year: 'numeric', timeZone: 'Pacific/Kiritimati' } as const;
    assert.equal(ends, endsAt!.toLocaleDateString('en-US', day));
  });

  test('says of a large payment whose look it is, and has no button for who has looked', async () => {
    const { db } = database;
    const payer = await makeUser(db);
    const { id } = await makePayment(db, payer, 5, ago(1), { currencyCode: 'GBP' });
    const [one, two] = [await makeAdmin('First Admin'), await makeAdmin('Second Admin')];
    const [first, second] = [await deskOf(one), await deskOf(two)];
    const path = `/app/admin?tab=payments&confirm-verify=${id}`;
    const before = dialogOf(await first.read(path));
    assert.match(before, /Yours is the first look/);
    assert.match(before, /Verify as the first of two/);
    await first.post(`/app/admin/payments/${id}/verify`);
    assert.equal(await statusOf(id), 'pending');
    const again = dialogOf(await first.read(path));
    assert.match(again, /You have verified it already/);
    assert.doesNotMatch(again, /Verify payment/);
    assert.match(await first.read('/app/admin'), /Verified by you, needs another admin/);
    const buttonOf = async (desk: NewBrowser) =>
      mainOf(await desk.read('/app/admin?tab=payments')).includes(`confirm-verify=${id}`);
    assert.deepEqual([await buttonOf(first), await buttonOf(second)], [false, true]);
    const other = dialogOf(await second.read(path));
    assert.match(other, /First Admin has verified it already\. Yours is the second look/);
    await second.post(`/app/admin/payments/${id}/verify`);
    assert.equal(await statusOf(id), 'active');
    const log = wordsOf(mainOf(await second.read('/app/admin/audit')));
    assert.match(
      log,
      /Second Admin Verified a payment .* First Admin Verified a payment, as the first of two/,
    );
  });

  test('says when an upgrade begins, and has no button where all that paid for it was used', async () => {
    const { db } = database;
    const desk = await deskOf(await makeAdmin());
    const pay = async (upgradeType: 'immediate' | 'next_billing') => {
      const payer = await makeUser(db);
      await makePlan(db, payer, 1, ago(24 * 40));
      return makePayment(db, payer, 3, ago(24 * 30), { upgradeType });
    };
    const [now, next] = [await pay('immediate'), await pay('next_billing')];
    const page = mainOf(await desk.read('/app/admin?tab=payments'));
    const lineOf = (id: string) => wordsOf(page.split(`<li id="payment-${id}`)[1]!.split('<li id=')[0]!);
    assert.match(lineOf(now.id), /Upgrade, at once/);
    assert.match(lineOf(next.id), /Upgrade, at the next billing date/);
    const button = `action="/app/admin/payments/${now.id}/verify"`;
    const path = `/app/admin?tab=payments&confirm-verify=${now.id}`;
    assert.ok((await desk.read(path)).includes(button));
    await db.updateTable('payments').set({ amountMinor: 0 }).where('id', '=', now.id).execute();
    await db
      .updateTable('paymentRequests')
      .set({ amountMinor: 0, creditMinor: 3900 })
      .where('id', '=', now.requestId)
      .execute();
    const vain = await desk.read(path);
    assert.match(dialogOf(vain), /has been used meanwhile\. Verifying it is refused/);
    assert.ok(!vain.includes(button));
  });

  test('turns a payment down in words from the list, which the payer reads as they stand', async () => {
    const { db } = database;
    const payer = await makeUser(db);
    const { id } = await makePayment(db, payer, 1);
    const desk = await deskOf(await makeAdmin());
    const path = `/app/admin?tab=payments&reject=${id}`;
    const form = await desk.read(path);
    for (const sentence of Object.values(REJECT_REASONS)) assert.ok(form.includes(sentence), sentence);
    for (const wrong of [
      { usual: '', reason: ' ' },
      { usual: 'constructor', reason: 'x' },
    ])
      assert.equal((await desk.post(path, wrong)).status, 422);
    const long = await desk.post(path, { usual: 'amount', reason: 'a'.repeat(499) });
    assert.equal(long.status, 422);
    assert.match(await long.text(), /value="amount"[^>]*checked|checked[^>]*value="amount"/);
    assert.equal((await desk.post(path, { usual: 'amount', reason: 'It was <i>less</i>.' })).status, 302);
    const said = `${REJECT_REASONS.amount} It was <i>less</i>.`;
    const own = wordsOf(mainOf(await (await browserOf(db, payer, url)).read('/app/payments')));
    assert.ok(own.includes(said.replaceAll('<', '&lt;').replaceAll('>', '&gt;')), own);
  });

  test('who comes too late reads what was decided and by whom, and changes nothing', async () => {
    const { db } = database;
    const quick = await makeAdmin('Quick Admin');
    const desk = await deskOf(await makeAdmin());
    const { id, reference } = await makePayment(db, await makeUser(db, { name: 'Ada Marlow' }), 1);
    await verifyPayment(db, quick, id);
    for (const name of ['confirm-verify', 'reject']) {
      const said = dialogOf(await desk.read(`/app/admin?tab=payments&${name}=${id}`));
      assert.match(said, /This payment was verified already/);
      assert.match(said, new RegExp(`Quick Admin verified payment ${reference} of Ada Marlow on`));
    }
    const late = await desk.post(`/app/admin?tab=payments&reject=${id}`, { reason: 'No.' });
    assert.deepEqual([late.status, late.headers.get('Location')], [302, '/app/admin?tab=payments']);
    assert.match(await desk.read('/app/admin?tab=payments'), /already been verified or rejected/);
    const [one, two] = await Promise.all([
      desk.post(`/app/admin/payments/${id}/verify`),
      desk.post(`/app/admin/payments/${id}/verify`),
    ]);
    assert.deepEqual([one.status, two.status, await statusOf(id)], [302, 302, 'active']);
    for (const nobody of ['nothing', '00000000-0000-4000-8000-000000000000'])
      assert.equal(dialogOf(await desk.read(`/app/admin?confirm-verify=${nobody}`)), '');
  });
});

test('each figure of the overview leads to what stands behind it', async () => {
  const { db } = database;
  const page = await (await browserOf(db, await makeUser(db, { isAdmin: true }), url)).read('/app/admin');
  const cards = [...page.matchAll(/<a [^>]*class="card stat"[^>]*>/g)].map(
    ([tag]) => /href="([^"]*)"/.exec(tag)![1],
  );
  assert.deepEqual(cards.slice(0, 4), [
    '/app/admin?tab=users',
    '/app/admin/subscriptions?status=active',
    '/app/admin?tab=payments',
    '/app/admin/trends',
  ]);
  assert.doesNotMatch(page, /<div class="card stat"/);
});

describe('all subscriptions', () => {
  test('are narrowed by what the address says, and signs are text', async () => {
    const { db } = database;
    const desk = await deskOf(await makeAdmin());
    const payer = await makeUser(db, { name: '100%_sure <b>Ltd</b>' });
    const plan = await makePlan(db, payer, 2, ago(24 * 40), { currencyCode: 'EUR' });
    await makePlan(db, await makeUser(db, { name: '100 sure Ltd' }), 2);
    const found = async (query: string) =>
      wordsOf(mainOf(await desk.read(`/app/admin/subscriptions?${query}`)));
    for (const q of ['100%25_s', payer.email, plan.reference, plan.transactionId.toLowerCase()]) {
      const page = await found(`q=${q}`);
      assert.ok(page.includes(plan.reference) && page.includes('Expired'), `${q} ${page}`);
      assert.doesNotMatch(page, /100 sure Ltd/);
    }
    const at = `q=${plan.reference}`;
    for (const none of ['&status=active', '&currencyCode=USD', '&postsPerDay=1'])
      assert.match(await found(at + none), /No such subscriptions/);
    assert.match(await found(`${at}&status=expired&currencyCode=EUR&postsPerDay=2`), /€18 EUR|€9 EUR/);
    const page = await desk.read(`/app/admin/subscriptions?${at}`);
    assert.ok(page.includes(`href="/app/admin/ledgers/${payer.userId}"`));
    assert.ok(page.includes('100%_sure &lt;b&gt;Ltd&lt;/b&gt;'));
  });

  test('what an address cannot mean is left out of it, never an error', async () => {
    const desk = await deskOf(await makeAdmin());
    for (const query of [
      'status=gone',
      'postsPerDay=0',
      'postsPerDay=1e9',
      'currencyCode=%27',
      'q=%00',
      'q=%ff',
      'q=%5C',
      `q=${'a'.repeat(5_000)}`,
      'status=active&status=x',
      'q=%F0%9F%98%80',
      'currencyCode=ZZZ',
    ])
      assert.equal((await desk.get(`/app/admin/subscriptions?${query}`)).status, 200, query.slice(0, 40));
    assert.equal((await desk.get('/app/admin/subscriptions?cursor=x')).status, 400);
  });

  test('go on in pages that keep what was chosen', async () => {
    const { db } = database;
    const desk = await deskOf(await makeAdmin());
    const surname = 'Pagemaker';
    for (let nth = 0; nth < 51; nth += 1)
      await makePayment(db, await makeUser(db, { name: `${nth} ${surname}` }), 3);
    const first = await desk.read(`/app/admin/subscriptions?q=${surname}`);
    const older = /href="([^"]+)"[^>]*>Older subscriptions/.exec(first)![1]!.replaceAll('&amp;', '&');
    assert.match(older, /\/subscriptions\?q=Pagemaker&cursor=/);
    const second = wordsOf(mainOf(await desk.read(older)));
    assert.match(second, /\b0 Pagemaker/);
    assert.doesNotMatch(second, /\b1 Pagemaker/);
    assert.match(second, /Back to the newest/);
    const newest = /href="([^"]+)"[^>]*>Back to the newest/.exec(await desk.read(older))![1]!;
    assert.equal(newest, `/app/admin/subscriptions?q=${surname}`);
  });
});

test('revenue has every currency with its own symbol, and what was taken off apart', async () => {
  const { db } = database;
  const desk = await deskOf(await makeAdmin());
  const payer = await makeUser(db);
  await makePlan(db, payer, 1, new Date('2026-02-10T10:00:00Z'), { currencyCode: 'AED' });
  const page = wordsOf(mainOf(await desk.read('/app/admin/revenue')));
  assert.match(page, /AED 1 AED.22 −AED.11 – AED.11 By month/);
  assert.match(page, /February 2026 AED 1/);
  for (const code of ['USD', 'EUR', 'GBP', 'INR']) assert.ok(page.includes(code), code);
  assert.match(wordsOf(mainOf(await desk.read('/app/admin'))), /AED AED.11 1 payment/);
  const empty = await testDatabase();
  const { url: other } = await startWeb({ databaseUrl: empty.url });
  const admin = await makeUser(empty.db, { isAdmin: true });
  const none = wordsOf(mainOf(await (await browserOf(empty.db, admin, other)).read('/app/admin/revenue')));
  assert.match(none, /USD 0 \$0 – – \$0 EUR/);
  assert.match(none, /INR 0 ₹0/);
  assert.match(none, /Nothing was received yet/);
});

describe('the ledger of a payer', () => {
  test('tells each step, and comes as a file that no spreadsheet runs', async () => {
    const { db } = database;
    const payer = await makeUser(db, { name: '=HYPERLINK("x")', timeZone: 'Asia/Kolkata' });
    const { id } = await makePayment(db, payer, 2, ago(30));
    const desk = await deskOf(await makeAdmin('+Admin'));
    await desk.post(`/app/admin?reject=${id}`, { reason: '=1+1; @SUM(1) Ünfound' });
    await makePlan(db, payer, 2, ago(1));
    const path = `/app/admin/ledgers/${payer.userId}`;
    const page = wordsOf(mainOf(await desk.read(path)));
    for (const what of ['Payment asked for', 'Proof submitted', 'Rejected', 'Verified', 'Period'])
      assert.ok(page.includes(what), what);
    assert.match(page, /Times in Asia\/Kolkata/);
    assert.match(page, /Received in USD \$9\.50 1 verified payment/);
    const answer = await desk.get(`${path}/ledger.csv`);
    assert.equal(answer.headers.get('Content-Type'), 'text/csv; charset=utf-8');
    assert.match(
      answer.headers.get('Content-Disposition')!,
      /^attachment; filename="tidepost-ledger-[\da-f]{8}\.csv"$/,
    );
    assert.equal(answer.headers.get('Cache-Control'), 'no-store, no-transform');
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(bytes.subarray(0, 3).toString('hex'), 'efbbbf');
    const csv = bytes.toString('utf8');
    assert.match(csv, /Ünfound/);
    assert.match(csv, /\+05:30/);
    assert.doesNotMatch(csv.replace(/^\uFEFF/, ''), /(?:^|[,;"])[=+@]/m);
  });

  test('is there for whoever has an account, and for nobody else', async () => {
    const desk = await deskOf(await makeAdmin());
    const { userId } = await makeUser(database.db);
    assert.match(await desk.read(`/app/admin/ledgers/${userId}`), /No money moved yet/);
    for (const nobody of ['nothing', '%00', '00000000-0000-4000-8000-000000000000'])
      for (const path of [`/app/admin/ledgers/${nobody}`, `/app/admin/ledgers/${nobody}/ledger.csv`])
        assert.equal((await desk.get(path)).status, 404, path);
  });
});

test('GET /admin/stats answers what is stored, to admins', async () => {
  const { db } = database;
  const [user, admin] = [await makeUser(db), await makeAdmin()];
  assert.equal((await call(url, 'GET', '/admin/stats')).status, 401);
  const denied = await call(url, 'GET', '/admin/stats', undefined, await tokenOf(db, user));
  assert.deepEqual([denied.status, denied.body.code], [403, 'forbidden']);
  const { status, body } = await call(url, 'GET', '/admin/stats', undefined, await tokenOf(db, admin));
  assert.equal(status, 200);
  const { revenue, ...counts } = body.stats;
  const { total } = await db
    .selectFrom('users')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('total'))
    .executeTakeFirstOrThrow();
  assert.deepEqual([counts.totalUsers, counts.verifiedUsers], [total, total]);
  assert.deepEqual(Object.keys(counts).sort(), [
    'activeSubscriptions',
    'adminCount',
    'pendingPayments',
    'publishedPosts',
    'totalPosts',
    'totalUsers',
    'verifiedUsers',
  ]);
  assert.deepEqual(
    revenue.find(({ _id }: { _id: string }) => _id === 'AED'),
    { _id: 'AED', total: 11, count: 1 },
  );
});
