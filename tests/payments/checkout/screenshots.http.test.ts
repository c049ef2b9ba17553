import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { deletePaymentData } from '#app/domain/payments/delete-user-data.ts';
import { SCREENSHOT_BYTES_MAX } from '#app/domain/payments/limits.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { transactionId } from '#tests/fixtures/payments.ts';
import { pictureOf } from '#tests/fixtures/screenshots.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { Browser, call } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const { db, url: databaseUrl } = await testDatabase();
const { url } = await startWeb({ databaseUrl });
const admin = await makeUser(db, { isAdmin: true });
const desk = await browserOf(db, admin, url);

const SUBMIT = 'dialog=subscribe&step=2&posts=3&currency=INR';
const MEGABYTE = 1024 * 1024;

const fieldsOf = (id: string) => ({
  postsPerDay: '3',
  currencyCode: 'INR',
  amount: '1649.50',
  upgradeType: '',
  transactionId: id,
});

/** What the form of the dialog sends, the file last. */
function formOf(id: string, file?: Blob, name = file ? 'shot.png' : ''): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fieldsOf(id))) form.set(field, value);
  form.set('screenshot', file ?? new Blob([]), name);
  return form;
}

async function payer() {
  const user = await makeUser(db);
  return { user, browser: await browserOf(db, user, url) };
}

const storedOf = (userId: string) =>
  db
    .selectFrom('payments')
    .leftJoin('paymentScreenshots', 'paymentId', 'payments.id')
    .select(['payments.id', 'transactionId', 'bytes'])
    .where('userId', '=', userId)
    .execute();

const blob = (bytes: Buffer) => new Blob([Uint8Array.from(bytes)]);

/** Begins to send a form with a file that never comes. */
async function sendSlowly({ cookies }: Browser): Promise<net.Socket> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { hostname, port, host } = new URL(url);
  const head = [
    `POST /app/payments?${SUBMIT} HTTP/1.1`,
    `Host: ${host}`,
    `Origin: ${url}`,
    `Cookie: ${cookie}`,
    'Content-Length: 3000000',
    'Content-Type: multipart/form-data; boundary=slow',
    '',
    '--slow',
  ];
  const socket = net.connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(head.join('\r\n'));
  await once(socket, 'connect');
  return socket;
}

describe('a screenshot', () => {
  test('comes with the transaction from either page, and is kept as it was drawn anew', async () => {
    const picture = await pictureOf('jpeg', { width: 300, height: 600 }, (made) =>
      made.withExif({ IFD0: { Copyright: 'Made at home' } }),
    );
    for (const page of ['/app/payments', '/app/dashboard']) {
      const { user, browser } = await payer();
      const id = transactionId();
      const answer = await browser.postFiles(`${page}?${SUBMIT}`, formOf(id, blob(picture)));
      assert.equal(answer.status, 302);
      const [stored] = await storedOf(user.userId);
      assert.equal(stored?.transactionId, id);
      assert.equal((await sharp(stored.bytes!).metadata()).format, 'webp');
      assert.ok(!stored.bytes!.includes('Made at home'));
    }
  });

  test('need not come: without one, and without a form that could carry one, all is as before', async () => {
    for (const send of [
      (browser: Browser, id: string) => browser.postFiles(`/app/payments?${SUBMIT}`, formOf(id)),
      (browser: Browser, id: string) => browser.post(`/app/payments?${SUBMIT}`, fieldsOf(id)),
    ]) {
      const { user, browser } = await payer();
      assert.equal((await send(browser, transactionId())).status, 302);
      const [stored, ...more] = await storedOf(user.userId);
      assert.deepEqual([stored?.bytes, more], [null, []]);
    }
  });

  test('a payment that is sent again is taken for the first, but not with a picture that this came without', async () => {
    const { user, browser } = await payer();
    const id = transactionId();
    const send = async (form: FormData) => (await browser.postFiles(`/app/payments?${SUBMIT}`, form)).status;
    const picture = blob(await pictureOf('png'));
    assert.deepEqual([await send(formOf(id)), await send(formOf(id))], [302, 302]);
    assert.equal(await send(formOf(id, picture)), 409);
    const [stored, ...others] = await storedOf(user.userId);
    assert.deepEqual([stored!.bytes, others], [null, []]);
    const other = await payer();
    const [again, form] = [transactionId(), () => formOf(again, picture)];
    const statuses = [];
    for (let nth = 0; nth < 2; nth += 1)
      statuses.push((await other.browser.postFiles(`/app/payments?${SUBMIT}`, form())).status);
    assert.deepEqual(statuses, [302, 302]);
  });

  test('is shown to admins alone, as a picture in which nothing runs', async () => {
    const { user, browser } = await payer();
    await browser.postFiles(`/app/payments?${SUBMIT}`, formOf(transactionId(), blob(await pictureOf('png'))));
    const [stored] = await storedOf(user.userId);
    const address = `/payment-screenshots/${stored!.id}`;
    const answer = await desk.get(address);
    assert.equal(answer.status, 200);
    const header = (name: string) => answer.headers.get(name);
    assert.equal(header('Content-Type'), 'image/webp');
    assert.match(header('Content-Security-Policy')!, /^default-src 'none'; .*sandbox$/);
    assert.equal(header('X-Content-Type-Options'), 'nosniff');
    assert.equal(header('Cache-Control'), 'no-store');
    assert.match(header('Content-Disposition')!, /^inline; filename="TP-[2-9A-Z]{6}\.webp"$/);
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), stored!.bytes);
    for (const other of [browser, (await payer()).browser, new Browser(url)]) {
      assert.equal((await other.get(address)).status, 404);
    }
    assert.ok((await desk.read('/app/admin?tab=payments')).includes(`href="${address}"`));
    assert.equal((await desk.get(address.replace(stored!.id, admin.userId))).status, 404);
  });

  test('has an address for the programs of admins, and none for others', async () => {
    const { user, browser } = await payer();
    await browser.postFiles(`/app/payments?${SUBMIT}`, formOf(transactionId(), blob(await pictureOf('png'))));
    const token = await tokenOf(db, admin);
    const { body } = await call(url, 'GET', '/admin/pending-payments?limit=100', undefined, token);
    const [stored] = await storedOf(user.userId);
    const found = body.payments.find(({ _id }: { _id: string }) => _id === stored!.id);
    const { pathname } = new URL(found.transactionScreenshot);
    const ask = (bearer: string) => fetch(url + pathname, { headers: { Authorization: `Bearer ${bearer}` } });
    const answer = await ask(token);
    assert.equal(answer.headers.get('Content-Type'), 'image/webp');
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), stored!.bytes);
    assert.equal((await ask(await tokenOf(db, user))).status, 403);
    const own = await call(url, 'GET', '/payment/history', undefined, await tokenOf(db, user));
    assert.equal('transactionScreenshot' in own.body.payments[0], false);
  });

  test('goes with the person who sent it', async () => {
    const { user, browser } = await payer();
    await browser.postFiles(`/app/payments?${SUBMIT}`, formOf(transactionId(), blob(await pictureOf('png'))));
    await db.transaction().execute((trx) => deletePaymentData(trx, user.userId, new Date()));
    const left = await db.selectFrom('paymentScreenshots').select('paymentId').execute();
    const [stored] = await storedOf(user.userId);
    assert.equal(stored, undefined);
    const kept = await db.selectFrom('payments').select('id').where('userId', 'is', null).execute();
    assert.ok(kept.every(({ id }) => !left.some(({ paymentId }) => paymentId === id)));
  });
});

/** The refused form comes back with its transaction, and nothing is stored. */
async function refused(answer: Response, userId: string, id: string, sentence: RegExp) {
  const page = await answer.text();
  assert.match(page, sentence);
  assert.match(page, new RegExp(`value="${id}"`));
  assert.match(page, /Complete your payment/);
  assert.deepEqual(await storedOf(userId), []);
}

describe('a file that is refused leaves the transaction in the form', () => {
  for (const [what, bytes, name] of [
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'shot.png'],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'shot.webp'],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1'), 'shot.jpg'],
    ['one without any content', Buffer.alloc(0), 'shot.png'],
  ] as const) {
    test(what, async () => {
      const { user, browser } = await payer();
      const id = transactionId();
      const answer = await browser.postFiles(`/app/payments?${SUBMIT}`, formOf(id, blob(bytes), name));
      assert.equal(answer.status, 422);
      await refused(answer, user.userId, id, /has to be a PNG, JPEG or WebP picture/);
    });
  }

  test('one of 4 MB and more, whether its length is said before or not', async () => {
    const { user, browser } = await payer();
    const id = transactionId();
    for (const size of [SCREENSHOT_BYTES_MAX + 1, 5 * MEGABYTE, 7 * MEGABYTE]) {
      const answer = await browser.postFiles(`/app/payments?${SUBMIT}`, formOf(id, blob(Buffer.alloc(size))));
      assert.equal(answer.status, 422);
      await refused(answer, user.userId, id, /is over 4 MB/);
    }
    const sent = new Request(url, { method: 'POST', body: formOf(id, blob(Buffer.alloc(5 * MEGABYTE))) });
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { Origin: url, Cookie: cookie, 'Content-Type': sent.headers.get('Content-Type')! };
    const chunked = { method: 'POST', headers, body: sent.body, duplex: 'half' } as RequestInit;
    const answer = await fetch(`${url}/app/payments?${SUBMIT}`, chunked);
    await refused(answer, user.userId, id, /is over 4 MB/);
  });

  test('one that comes while another one of the same account is still on its way', async () => {
    const { user, browser } = await payer();
    const slow: net.Socket[] = [];
    const id = transactionId();
    const large = blob(Buffer.alloc(MEGABYTE));
    let page = '';
    // One that comes while another one is read waits in vain, so another slow one follows.
    for (let tries = 0; tries < 20 && !page.includes('at just now'); tries += 1) {
      slow.push(await sendSlowly(browser));
      page = await (await browser.postFiles(`/app/payments?${SUBMIT}`, formOf(id, large))).text();
    }
    for (const socket of slow) socket.destroy();
    assert.match(page, /Many screenshots are looked at just now/);
    assert.match(page, new RegExp(`value="${id}"`));
    assert.deepEqual(await storedOf(user.userId), []);
  });
});

test('files that never come keep their places from others for ten seconds at most', async () => {
  const slow = await Promise.all(Array.from({ length: 8 }, async () => sendSlowly((await payer()).browser)));
  await wait(11_000);
  const { user, browser } = await payer();
  const id = transactionId();
  // Longer than a form that would be taken without a place.
  const large = blob(Buffer.concat([await pictureOf('png'), Buffer.alloc(100_000)]));
  const answer = await browser.postFiles(`/app/payments?${SUBMIT}`, formOf(id, large));
  for (const socket of slow) socket.destroy();
  assert.equal(answer.status, 302);
  assert.deepEqual(
    (await storedOf(user.userId)).map(({ transactionId }) => transactionId),
    [id],
  );
});

test('nobody else may send so much, and no other form', async () => {
  const { browser } = await payer();
  const large = formOf('ABCDEF123', blob(Buffer.alloc(MEGABYTE)));
  for (const path of [
    '/app/payments',
    '/app/topics?dialog=subscribe',
    '/app/payments/cancel?dialog=subscribe',
  ]) {
    assert.equal((await browser.postFiles(path, large)).status, 413, path);
  }
  assert.equal((await new Browser(url).postFiles(`/app/payments?${SUBMIT}`, large)).status, 413);
  const twice = formOf('ABCDEF123', blob(await pictureOf('png')));
  twice.append('screenshot', blob(await pictureOf('png')), 'second.png');
  assert.equal((await browser.postFiles(`/app/payments?${SUBMIT}`, twice)).status, 400);
  const elsewhere = formOf('ABCDEF123');
  elsewhere.set('transactionId', blob(await pictureOf('png')), 'id.png');
  assert.equal((await browser.postFiles(`/app/payments?${SUBMIT}`, elsewhere)).status, 400);
});
