import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Db } from '#app/db/client.ts';
import { rejectPayment, verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { findSubscription } from '#app/domain/payments/subscription/subscription.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { type Browser, mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let db: Db;
let origin: string;
before(async () => {
  const database = await testDatabase();
  db = database.db;
  origin = (await startWeb({ databaseUrl: database.url })).url;
});

const SUBMIT = '/app/payments?dialog=subscribe&step=2&posts=3&currency=INR&start=immediate';
const form = (change: object = {}) => ({
  transactionId: transactionId(),
  postsPerDay: '3',
  currencyCode: 'INR',
  amount: '1649.50',
  upgradeType: '',
  ...change,
});

const userBrowser = async () => {
  const user = await makeUser(db);
  return { user, browser: await browserOf(db, user, origin) };
};

/** Follows a redirect and answers the page. */
async function follow(browser: Browser, response: Response) {
  assert.equal(response.status, 302);
  return browser.read(response.headers.get('Location')!);
}

describe('the subscription dialog', () => {
  test('shows prices of the chosen currency and what the first month costs', async () => {
    const { browser } = await userBrowser();
    const page = await browser.read('/app/payments?dialog=subscribe&posts=3&currency=GBP');
    assert.match(page, /Continue to Payment/);
    assert.match(page, /£31/);
    assert.match(page, /50(<!-- -->)?% off the first month: you pay (<!-- -->)?£15\.50 GBP/);
    for (const badge of ['Secure Payment', 'Cancel Anytime']) assert.ok(page.includes(badge), badge);
    assert.doesNotMatch(page, /When to activate/);
  });

  test('shows a QR code, the link and what to copy for UPI', async () => {
    const { browser } = await userBrowser();
    const page = await browser.read('/app/payments?dialog=subscribe&step=2&posts=3&currency=INR');
    assert.match(page, /src="data:image\/svg\+xml,%3Csvg/);
    assert.match(page, /alt="QR code that pays ₹1,649\.50 INR to tidepost@examplebank"/);
    assert.match(
      page,
      /href="upi:\/\/pay\?pa=tidepost@examplebank&amp;pn=Tidepost&amp;am=1649\.50&amp;cu=INR/,
    );
    for (const said of ['Paste the transaction ID', 'From your payment app', 'Verified within 24 hours']) {
      assert.ok(page.includes(said), said);
    }
  });

  test('shows the address and the note for PayPal', async () => {
    const { browser } = await userBrowser();
    const page = await browser.read('/app/payments?dialog=subscribe&step=2&posts=1&currency=USD');
    assert.match(page, /payments@tidepost\.example/);
    assert.match(page, /Tidepost TP-[2-9A-Z]{6}/);
  });

  test('shows what an immediate upgrade is made of, and asks when to start', async () => {
    const { user, browser } = await userBrowser();
    await makePlan(db, user, 2);
    const first = await browser.read('/app/payments?dialog=subscribe');
    assert.match(first, /When to activate/);
    assert.match(first, />Upgrade Plan</);
    const page = await browser.read('/app/payments?dialog=subscribe&step=2&posts=3&currency=USD');
    assert.match(page, /\$39 USD/);
    assert.match(page, /−(<!-- -->)?\$9\.49 USD/);
    assert.match(page, /\$29\.51 USD/);
    assert.match(page, /It begins when we have verified your payment/);
    // The moment between one look and the next is not worth a word.
    const again = await browser.read('/app/payments?dialog=subscribe&step=2&posts=3&currency=USD');
    assert.match(again, /It begins when we have verified your payment/);
    assert.doesNotMatch(again, /Meanwhile .* of the credited time went by/);
    const smaller = await browser.read('/app/payments?dialog=subscribe&step=2&posts=1&currency=USD');
    assert.match(smaller, /A smaller plan can only start at your next billing date/);
  });

  test('says before it is paid what of another paid plan goes on, and when the next one begins, by the clock of the reader', async () => {
    // Where it is another day than in UTC.
    const timeZone = new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
    const user = await makeUser(db, { timeZone });
    const browser = await browserOf(db, user, origin);
    const { endsAt } = await makePlan(db, user, 2, new Date(Date.now() - 86_400_000));
    const dayOf = (at: Date) =>
      at.toLocaleDateString('en-US', {
        ...({ month: 'short', day: '2-digit', year: 'numeric' } as const),
        timeZone,
      });
    const step = '/app/payments?dialog=subscribe&step=2&currency=USD';
    const dialog = async (query: string) => {
      const [html] = /<dialog[\s\S]*?<\/dialog>/.exec(await browser.read(step + query))!;
      return wordsOf(html);
    };
    const renewal = await dialog('&posts=2&start=next');
    assert.ok(renewal.includes(`2 posts a day, one month, starting ${dayOf(endsAt!)}`), renewal);
    assert.ok(renewal.includes(`your plan begins on ${dayOf(endsAt!)}`), renewal);
    const { expiresAt } = await db
      .selectFrom('paymentRequests')
      .select('expiresAt')
      .where('userId', '=', user.userId)
      .where('status', '=', 'open')
      .executeTakeFirstOrThrow();
    const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    const until = expiresAt.toLocaleTimeString('en-US', { ...time, timeZone });
    assert.match(renewal, new RegExp(`good until \\w{3}, \\w{3} \\d\\d, ${until}\\.`));
    await makePlan(db, user, 1, new Date(), { upgradeType: 'next_billing' });
    const goesOn = /The month of 1 post a day runs from \w{3} \d\d, \d{4} to \w{3} \d\d, \d{4}\./;
    assert.match(await dialog('&posts=3&start=immediate'), goesOn);
    // Before that, where it is chosen.
    assert.match(wordsOf(await browser.read('/app/payments?dialog=subscribe&posts=3&currency=USD')), goesOn);
  });

  test('says what a transaction ID usually looks like, of the way it is paid', async () => {
    const { browser } = await userBrowser();
    const hint = async (currency: string) =>
      /UPI: usually \d+ digits|PayPal: usually \d+ letters and digits/.exec(
        await browser.read(`/app/payments?dialog=subscribe&step=2&posts=1&currency=${currency}`),
      )?.[0];
    assert.deepEqual(
      [await hint('INR'), await hint('USD')],
      ['UPI: usually 12 digits', 'PayPal: usually 17 letters and digits'],
    );
  });

  test('asks nobody to pay nothing: what a credit pays whole begins with a press', async () => {
    const { user, browser } = await userBrowser();
    await makePlan(db, user, 4);
    const price = (amountMinor: number) =>
      db
        .updateTable('prices')
        .set({ amountMinor })
        .where('currencyCode', '=', 'INR')
        .where('postsPerDay', '=', 5)
        .execute();
    await price(10_000);
    try {
      const address = '/app/payments?dialog=subscribe&step=2&posts=5&currency=INR&start=immediate';
      const page = await browser.read(address);
      assert.match(page, /There is nothing to pay, so there is nothing to check/);
      assert.match(page, /What is left of 4 posts a day goes on from/);
      assert.doesNotMatch(page, /upi:\/\/pay|QR code that pays|name="screenshot"|good until/);
      const sent = { transactionId: 'TPABCDEF', postsPerDay: '5', amount: '0.00', upgradeType: 'immediate' };
      const history = await follow(browser, await browser.post(address, form(sent)));
      assert.match(history, /Your plan has begun\. There was nothing to pay\./);
      assert.equal((await findSubscription(db, user))?.postsPerDay, 5);
    } finally {
      await price(829_900);
    }
  });

  test('says what may have been paid before and is taken no longer, so that nobody pays twice', async () => {
    const { user, browser } = await userBrowser();
    const address = '/app/payments?dialog=subscribe&step=2&posts=5&currency=INR';
    const [, reference] = /Reference (?:<!-- -->)?<[^>]*>(TP-\w{6})/.exec(await browser.read(address))!;
    await makePlan(db, user, 1);
    const page = (await browser.read(address)).replaceAll('<!-- -->', '');
    assert.match(
      page,
      new RegExp(
        `Have you paid ₹4,149\\.50 INR with the reference <span[^>]*>${reference}</span> already\\? Then don’t pay again`,
      ),
    );
    assert.ok(page.includes(`?subject=Payment%20${reference}"`));
  });

  test('keeps what was typed and says what is wrong', async () => {
    const { user, browser } = await userBrowser();
    for (const [change, status, message] of [
      [{ transactionId: ' ' }, 422, 'Please enter transaction ID'],
      [{ transactionId: 'ab-12' }, 422, 'A transaction ID has 6 to 35 letters and digits and nothing else'],
      [{ transactionId: 'kept1234', amount: '1.00' }, 409, 'The amount to pay is ₹1,649.50 INR'],
    ] as const) {
      const response = await browser.post(SUBMIT, form(change));
      assert.equal(response.status, status);
      const page = await response.text();
      assert.ok(page.split(message).length > 2, `${message} stands beside the field and in the notice`);
      if (change.transactionId.trim()) assert.match(page, new RegExp(`value="${change.transactionId}"`));
    }
    assert.equal(await findSubscription(db, user), null);
  });

  test('only compares what its form says of money, whatever that is, and stores nothing of what differs', async () => {
    const { user, browser } = await userBrowser();
    const amounts = [
      '',
      '-1649.50',
      'NaN',
      'Infinity',
      '1e300',
      '0',
      '1649.505',
      '1649.49',
      '1,649.50',
      '0x671',
    ];
    const changes = [
      ...amounts.map((amount) => ({ amount })),
      ...['0', '6', '-3', '2.5', 'NaN', '', '4'].map((postsPerDay) => ({ postsPerDay })),
      ...['inr', 'USD', 'XYZ', '', "' or 1=1"].map((currencyCode) => ({ currencyCode })),
      ...['immediate', 'sideways'].map((upgradeType) => ({ upgradeType })),
    ];
    for (const change of changes) {
      const { status } = await browser.post(SUBMIT, form(change));
      assert.ok(status === 409 || status === 422, `${JSON.stringify(change)} ${status}`);
    }
    const rows = db.selectFrom('payments').select('id').where('userId', '=', user.userId);
    assert.deepEqual(await rows.execute(), []);
  });

  test('takes a proof that was typed over the 72 hours, and where the price is another one keeps the words and says what to do', async () => {
    const address = '/app/payments?dialog=subscribe&step=2&posts=3&currency=INR';
    const referenceIn = (page: string) => /Reference (?:<!-- -->)?<[^>]*>(TP-\w{6})/.exec(page)![1]!;
    const runOut = (userId: string, change: object = {}) =>
      db
        .updateTable('paymentRequests')
        .set({ expiresAt: new Date(Date.now() - 1), ...change })
        .where('userId', '=', userId)
        .execute();
    const same = await userBrowser();
    const asked = referenceIn(await same.browser.read(address));
    await runOut(same.user.userId);
    assert.match(await follow(same.browser, await same.browser.post(SUBMIT, form())), new RegExp(asked));

    const other = await userBrowser();
    const lost = referenceIn(await other.browser.read(address));
    await runOut(other.user.userId, { amountMinor: 150_000 });
    const response = await other.browser.post(SUBMIT, form({ transactionId: 'typed123', amount: '1500.00' }));
    assert.equal(response.status, 409);
    const page = await response.text();
    assert.match(page, /value="typed123"/);
    const sentence = `The amount to pay is ₹1,649.50 INR now. If you have paid it already, don’t pay again: write to`;
    assert.ok(page.includes(sentence) && page.includes(`name ${lost}. We put it right by hand`), page);
    assert.notEqual(referenceIn(page), lost);
    const rows = await db
      .selectFrom('payments')
      .select('id')
      .where('userId', '=', other.user.userId)
      .execute();
    assert.deepEqual(rows, []);
  });

  test('stores a proof and shows it in the history', async () => {
    const { browser } = await userBrowser();
    const page = await follow(browser, await browser.post(SUBMIT, form()));
    assert.match(page, /Payment proof submitted! Waiting for admin verification\./);
    assert.match(page, /Payment pending/);
    assert.match(page, /Premium plan/);
    assert.match(page, /₹1,649\.50 INR/);
    assert.match(page, />UPI</);
    assert.match(page, /Ongoing/);
  });
});

describe('the payment history', () => {
  test('is empty at first', async () => {
    const { browser } = await userBrowser();
    assert.match(await browser.read('/app/payments'), /No payments yet/);
  });

  test('counts the promised 24 hours down, and says when they are over', async () => {
    for (const [hours, said] of [
      [18.999, /Being checked 5 h 1 min left of 24 hours/],
      [23.999, /Being checked 1 min left of 24 hours/],
      [24.001, /Being checked Longer than the 24 hours we promise/],
    ] as const) {
      const { user, browser } = await userBrowser();
      await makePayment(db, user, 1, new Date(Date.now() - hours * 3_600_000));
      assert.match(wordsOf(mainOf(await browser.read('/app/payments'))), said);
    }
  });

  test('has all of a payment on its card in the days of its reader, and counts how many there are and stand how', async () => {
    const user = await makeUser(db, { timeZone: 'Asia/Kolkata' });
    const browser = await browserOf(db, user, origin);
    const bought = new Date('2026-01-31T20:00:00Z');
    const plan = await makePlan(db, user, 3, bought, { currencyCode: 'INR' });
    for (const ago of [2, 1, 0])
      await makePayment(db, user, 1, new Date(Date.now() - ago * 60_000)).catch(() => {});
    const page = mainOf(await browser.read('/app/payments'));
    const card = wordsOf(page.split('<li class="card').find((one) => one.includes(plan.reference))!);
    for (const said of [
      'Premium plan 3 posts a day',
      'Expired',
      '₹1,649.50 INR',
      'Payment method UPI',
      'Start Feb 01, 2026',
      'End Mar 01, 2026',
      `Transaction ID ${plan.transactionId}`,
      `Reference ${plan.reference}`,
      'Submitted Feb 01, 2026, 01:30',
      'Verified Feb 01, 2026, 01:30',
    ])
      assert.ok(card.includes(said), `${said} is not in ${card}`);
    assert.match(wordsOf(page), /Total payments 2 Active 0 Pending 1 /);
  });

  test('leads to a new plan when the last one has ended', async () => {
    const { user, browser } = await userBrowser();
    await makePlan(db, user, 1, new Date('2026-01-01T00:00:00Z'));
    const page = await browser.read('/app/payments');
    assert.match(page, /Your plan has ended/);
    assert.match(page, /href="\/dashboard"[^>]*>Renew Now/);
    assert.match(page, />QR Code</);
  });

  test('invites to submit a rejected payment again until that has been done, and never to pay it twice', async () => {
    const { user, browser } = await userBrowser();
    const admin = await makeUser(db, { isAdmin: true });
    const first = await makePayment(db, user, 2);
    await rejectPayment(db, admin, { paymentId: first.id, reason: 'No such transfer' });
    const rejected = mainOf(await browser.read('/app/payments'));
    assert.match(rejected, /Submit again/);
    assert.doesNotMatch(rejected, />End</, 'what was rejected has no end');
    const second = await makePayment(db, user, 2);
    for (const verify of [false, true]) {
      if (verify) await verifyPayment(db, admin, second.id);
      const page = mainOf(await browser.read('/app/payments'));
      assert.match(page, /No such transfer/);
      assert.doesNotMatch(page, /Submit again/);
    }
  });

  test('cancels a plan after asking', async () => {
    const { user, browser } = await userBrowser();
    await makePlan(db, user, 1);
    assert.match(mainOf(await browser.read('/app/payments')), /confirm-cancel=plan/);
    assert.match(await browser.read('/app/payments?confirm-cancel=plan'), /Cancel your plan\?/);
    const page = await follow(browser, await browser.post('/app/payments/cancel'));
    assert.match(page, /Plan cancelled\. It runs until/);
    assert.doesNotMatch(mainOf(await browser.read('/app/payments')), /confirm-cancel=/);
    assert.doesNotMatch(await browser.read('/app/payments?confirm-cancel=plan'), /Cancel your plan\?/);
    assert.ok((await findSubscription(db, user))?.cancelledAt);
  });
});

describe('the admin’s desk', () => {
  const adminBrowser = async () => browserOf(db, await makeUser(db, { isAdmin: true }), origin);

  test('is closed to users', async () => {
    const { user, browser } = await userBrowser();
    const { id } = await makePayment(db, user, 1);
    for (const path of ['/app/admin', '/app/admin/audit'])
      assert.equal((await browser.get(path)).status, 403);
    for (const path of [`/app/admin/payments/${id}/verify`, `/app/admin?reject=${id}`]) {
      assert.equal((await browser.post(path, { reason: 'Mine' })).status, 403);
    }
    assert.equal((await findSubscription(db, user))?.status, 'pending');
  });

  test('has beside the transaction all that it is compared with: payer, amount, method, reference and when', async () => {
    const admin = await makeUser(db, { isAdmin: true, timeZone: 'Asia/Kolkata' });
    const browser = await browserOf(db, admin, origin);
    const user = await makeUser(db, { name: 'Mira Compared' });
    const sent = new Date('2026-01-31T20:00:00Z');
    const { id, reference, transactionId } = await makePayment(db, user, 3, sent, { currencyCode: 'INR' });
    const page = mainOf(await browser.read('/app/admin?tab=payments'));
    const line = page.split('<li id="payment-').find((one) => one.startsWith(id))!;
    for (const said of [
      `Mira Compared ${user.email} ₹1,649.50 INR by UPI Premium, 3 posts a day`,
      `Transaction ID ${transactionId} Reference ${reference}`,
    ])
      assert.ok(wordsOf(line).includes(said), `${said} is not in ${wordsOf(line)}`);
    assert.ok(line.includes('title="Feb 01, 2026, 01:30"'), line);
    await db.deleteFrom('payments').where('id', '=', id).execute();
  });

  test('verifies after asking, and the log tells of it', async () => {
    const user = await makeUser(db);
    const { id, reference } = await makePayment(db, user, 1);
    const browser = await adminBrowser();
    const list = await browser.read('/app/admin');
    assert.ok(list.includes(reference) && list.includes(user.email));
    assert.match(await browser.read(`/app/admin?tab=payments&confirm-verify=${id}`), /Verify this payment\?/);
    const page = await follow(browser, await browser.post(`/app/admin/payments/${id}/verify`));
    assert.match(page, /Payment verified and subscription activated!/);
    assert.ok(!page.includes(reference));
    assert.equal((await findSubscription(db, user))?.status, 'active');
    const log = await browser.read('/app/admin/audit');
    assert.ok(log.includes('Verified a payment') && log.includes(reference));
    const twice = await follow(browser, await browser.post(`/app/admin/payments/${id}/verify`));
    assert.match(twice, /already been verified or rejected/);
  });

  test('rejects with a reason, which the user reads and can answer', async () => {
    const { user, browser: own } = await userBrowser();
    const { id } = await makePayment(db, user, 1);
    const browser = await adminBrowser();
    const path = `/app/admin?tab=payments&reject=${id}`;
    assert.match(await browser.read(path), /Reject this payment\?/);
    const blank = await browser.post(path, { reason: ' ' });
    assert.equal(blank.status, 422);
    assert.match(await blank.text(), /Please give a reason/);
    const page = await follow(browser, await browser.post(path, { reason: 'No <b>transfer</b>' }));
    assert.match(page, /Payment rejected/);
    const history = await own.read('/app/payments');
    assert.match(history, /No &lt;b&gt;transfer&lt;\/b&gt;/);
    assert.match(history, /Submit again/);
  });

  test('shows what only the operator can mend', async () => {
    await db.insertInto('operatorAlerts').values({ key: 'writer', message: 'The key is refused' }).execute();
    assert.match(await (await adminBrowser()).read('/app/admin'), /The key is refused/);
  });
});
