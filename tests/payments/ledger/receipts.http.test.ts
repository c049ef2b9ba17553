import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan } from '#tests/fixtures/payments.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const { db, url: databaseUrl } = await testDatabase();
const SELLER = {
  SELLER_NAME: 'Tidepost Labs & Co',
  SELLER_ADDRESS: '14 Harbour Road; Kochi 682001;; India ',
  SELLER_TAX_ID: 'GSTIN 32ABCDE1234F1Z5',
};
const { url } = await startWeb({ databaseUrl, env: SELLER });

/** On the last day of January, late enough to be in February in Kolkata. */
const BOUGHT = new Date('2026-01-31T20:00:00Z');

test('a receipt has who sold it, its number, what was paid for in the days of its reader, and how', async () => {
  const payer = await makeUser(db, { name: 'Ravi Subramanian', timeZone: 'Asia/Kolkata' });
  const { id, reference, transactionId } = await makePlan(db, payer, 3, BOUGHT, { currencyCode: 'INR' });
  const browser = await browserOf(db, payer, url);
  const page = await browser.read(`/app/payments/${id}/receipt`);
  assert.match(page, new RegExp(`<title>Receipt R-2026-${reference.slice(3)} – Tidepost</title>`));
  const words = wordsOf(/<article[\s\S]*<\/article>/.exec(page)![0]);
  for (const said of [
    'Tidepost Labs &amp; Co 14 Harbour Road Kochi 682001 India GSTIN 32ABCDE1234F1Z5',
    'Ravi Subramanian',
    'Premium plan, 3 posts a day Feb 01, 2026 to Mar 01, 2026 ₹3,299 INR',
    'First month promotion −₹1,649.50 INR',
    'Paid ₹1,649.50 INR',
    'Payment method UPI',
    `Transaction ID ${transactionId}`,
    `Reference ${reference}`,
    'Verified Feb 01, 2026, 01:30',
  ]) {
    assert.ok(words.includes(said), `${said} is not in ${words}`);
  }
});

test('there is none before a payment is verified, and none of somebody else', async () => {
  const [payer, other] = [await makeUser(db), await makeUser(db)];
  const { id } = await makePayment(db, payer, 1);
  const theirs = await makePlan(db, other, 1);
  const browser = await browserOf(db, payer, url);
  for (const each of [id, theirs.id, payer.userId, 'no-id']) {
    assert.equal((await browser.get(`/app/payments/${each}/receipt`)).status, 404);
  }
});
