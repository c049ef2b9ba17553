import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Db } from '#app/db/client.ts';
import { preparePayment } from '#app/domain/payments/checkout/payment-info.ts';
import { listCurrencies } from '#app/domain/payments/prices.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

// The configuration is read once, at the first call: an operator without UPI and without a promotion.
const OPERATOR = {
  NODE_ENV: 'production',
  APP_URL: 'https://tidepost.example',
  DATABASE_URL: 'postgres://unused/x',
  SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  OPENAI_API_KEY: 'sk-x',
  LINKEDIN_CLIENT_ID: 'x',
  LINKEDIN_CLIENT_SECRET: 'x',
  SMTP_URL: 'smtp://127.0.0.1:25',
  MAIL_FROM: 'a@example.com',
  SUPPORT_EMAIL: 'a@example.com',
  PAYPAL_EMAIL: 'pay@example.com',
  PROMO_PERCENT: '0',
};

let db: Db;
before(async () => {
  Object.assign(process.env, OPERATOR);
  ({ db } = await testDatabase());
});

test('a method that is not configured is not offered', async () => {
  const codes = (await listCurrencies(db)).map(({ code }) => code);
  assert.deepEqual(codes, ['USD', 'EUR', 'GBP', 'AED']);
  const choice = { postsPerDay: 1, currencyCode: 'INR' };
  await assert.rejects(preparePayment(db, await makeUser(db), choice), {
    status: 503,
    code: 'payment_method_unavailable',
    message: 'Payments by UPI are not set up yet. Please choose another currency',
  });
});

test('PROMO_PERCENT=0 takes the discount away', async () => {
  const info = await preparePayment(db, await makeUser(db), { postsPerDay: 1, currencyCode: 'USD' });
  assert.equal(info.amountMinor, 600);
  assert.equal(info.promoPercent, 0);
});
