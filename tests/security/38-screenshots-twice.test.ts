import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import sharp from 'sharp';
import { transact } from '#app/db/client.ts';
import { deletePaymentData } from '#app/domain/payments/delete-user-data.ts';
import { listPendingPayments } from '#app/domain/payments/review/list-pending.ts';
import { rejectPayment } from '#app/domain/payments/review/verify-reject.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { transactionId } from '#tests/fixtures/payments.ts';
import { noise } from '#tests/fixtures/screenshots.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { type Browser, call, mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const SUBMIT = '/app/payments?dialog=subscribe&step=2&posts=3&currency=INR';
const FIELDS = { postsPerDay: '3', currencyCode: 'INR', amount: '1649.50', upgradeType: '' };
let database: TestDatabase;
let url: string;
let admin: Actor;
let desk: Browser;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
  admin = await makeUser(database.db, { isAdmin: true });
  desk = await browserOf(database.db, admin, url);
});

/** Somebody who sends this picture with a payment, by the form of the page. */
async function send(name: string, picture: Buffer, of?: Actor) {
  const { db } = database;
  const actor = of ?? (await makeUser(db, { name }));
  const form = new FormData();
  for (const [field, value] of Object.entries({ ...FIELDS, transactionId: transactionId() }))
    form.set(field, value);
  form.set('screenshot', new Blob([Uint8Array.from(picture)]), 'shot.png');
  assert.equal((await (await browserOf(db, actor, url)).postFiles(SUBMIT, form)).status, 302);
  const { id, reference } = await db
    .selectFrom('payments')
    .select(['id', 'reference'])
    .where('userId', '=', actor.userId)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return { actor, id, reference };
}

/** What is said of a payment that waits: to admins on both pages, and to their programs. */
async function saidOf(id: string) {
  const list = await desk.read('/app/admin?tab=payments');
  const line = list.split('<li ').find((each) => each.includes(`id="payment-${id}"`))!;
  const asked = await desk.read(`/app/admin?tab=payments&confirm-verify=${id}`);
  const dialog = /<dialog[\s\S]*?<\/dialog>/.exec(asked)![0];
  const token = await tokenOf(database.db, admin);
  const { body } = await call(url, 'GET', '/admin/pending-payments?limit=100', undefined, token);
  const { sameScreenshotAs } = body.payments.find(({ _id }: { _id: string }) => _id === id);
  return { line, words: wordsOf(`<li ${line}`), dialog, api: sameScreenshotAs as string | null };
}

test('38 a screenshot that came with another payment is said of both, with a way to the other one', async () => {
  const picture = await noise(60, 90, 80);
  const [ada, other] = [await send('Ada Early', picture), await send('Bo Else', await noise(60, 90, 80))];
  assert.equal((await saidOf(ada.id)).api, null);
  const eve = await send('Eve Late', picture);
  for (const [one, of, name] of [
    [eve, ada, 'Ada Early'],
    [ada, eve, 'Eve Late'],
  ] as const) {
    const { line, words, dialog, api } = await saidOf(one.id);
    const sentence = `The same screenshot came with payment ${of.reference} of ${name}.`;
    assert.ok(words.includes(sentence), words);
    assert.ok(wordsOf(dialog).includes(sentence), wordsOf(dialog));
    assert.equal(api, of.reference);
    const [, to] = /href="(\/app\/admin\/subscriptions[^"]*)"/.exec(line)!;
    assert.match(wordsOf(await desk.read(to!.replaceAll('&amp;', '&'))), new RegExp(name));
  }
  const { words, api } = await saidOf(other.id);
  assert.ok(!words.includes('The same screenshot') && api === null);
});

test('38 it is known again when the file is another one and the picture is not, and when what was drawn is sent', async () => {
  const { db } = database;
  const picture = await sharp(await noise(60, 90, 80))
    .png()
    .toBuffer();
  const first = await send('Ada First', picture);
  const marked = await sharp(picture)
    .withExif({ IFD0: { Copyright: 'Another file' } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  assert.notDeepEqual(marked, picture);
  assert.equal((await saidOf((await send('Bo Marked', marked)).id)).api, first.reference);
  const drawn = await db
    .selectFrom('paymentScreenshots')
    .select('bytes')
    .where('paymentId', '=', first.id)
    .executeTakeFirstOrThrow();
  assert.equal((await saidOf((await send('Cy Drawn', drawn.bytes)).id)).api, first.reference);
});

test('38 a rejected payment is found behind the sentence, and the same request sent again is no other payment', async () => {
  const { db } = database;
  const picture = await noise(60, 90, 80);
  const rejected = await send('Ada Again', picture);
  await rejectPayment(db, admin, { paymentId: rejected.id, reason: 'No payment with this ID has arrived.' });
  const again = await send('Ada Again', picture, rejected.actor);
  assert.equal((await saidOf(again.id)).api, null);
  await rejectPayment(db, admin, { paymentId: again.id, reason: 'Nor has it now.' });
  const { line, api } = await saidOf((await send('Eve Else', picture)).id);
  assert.equal(api, rejected.reference);
  const [, to] = /href="(\/app\/admin\/subscriptions[^"]*)"/.exec(line)!;
  assert.match(wordsOf(mainOf(await desk.read(to!.replaceAll('&amp;', '&')))), /Ada Again/);
});

test('38 of several payments with one screenshot the first that was not rejected is said, where there is one', async () => {
  const { db } = database;
  const picture = await noise(60, 90, 80);
  const rejected = await send('Ada Again', picture);
  await rejectPayment(db, admin, { paymentId: rejected.id, reason: 'This picture can’t be read.' });
  // With the reference of the rejected one: a search among those would show that alone.
  const again = await send('Ada Again', picture, rejected.actor);
  assert.equal(again.reference, rejected.reference);
  const { line, api } = await saidOf((await send('Eve Else', picture)).id);
  assert.equal(api, again.reference);
  const [, to] = /href="(\/app\/admin\/subscriptions[^"]*)"/.exec(line)!;
  const found = wordsOf(mainOf(await desk.read(to!.replaceAll('&amp;', '&'))));
  assert.match(found, /Ada Again/);
  assert.doesNotMatch(to!, /status=rejected/);
});

test('38 of a screenshot that came with more than two payments it is said how many more there are', async () => {
  const picture = await noise(60, 90, 80);
  const first = await send('Ada First', picture);
  for (const name of ['Bo Second', 'Cy Third']) await send(name, picture);
  const { words } = await saidOf((await send('Eve Fourth', picture)).id);
  const sentence = `The same screenshot came with payment ${first.reference} of Ada First, and with 2 more payments.`;
  assert.ok(words.includes(sentence), words);
});

test('38 it is known when who sent it first is gone, without a word of them', async () => {
  const { db } = database;
  const picture = await noise(60, 90, 80);
  const gone = await send('Ada Gone', picture);
  await transact(db, (trx) => deletePaymentData(trx, gone.actor.userId, new Date()));
  const { words } = await saidOf((await send('Eve After', picture)).id);
  assert.ok(words.includes(`The same screenshot came with payment ${gone.reference} of a deleted account.`));
  assert.doesNotMatch(words, /Ada Gone/);
});

test('38 payments from before, which have no hashes, are like no other', async () => {
  const { db } = database;
  const picture = await noise(60, 90, 80);
  const [old, next] = [await send('Ada Old', picture), await send('Bo Next', picture)];
  await db.updateTable('payments').set({ screenshotHashes: null }).where('id', '=', old.id).execute();
  const { rows } = await listPendingPayments(db, { limit: 100 });
  for (const { id } of [old, next]) assert.equal(rows.find((row) => row.id === id)!.sameScreenshot, null);
});
