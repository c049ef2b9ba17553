import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Db } from '#app/db/client.ts';
import { preparePayment } from '#app/domain/payments/checkout/payment-info.ts';
import { upiUrl } from '#app/domain/payments/methods.ts';
import { formatMoney, formatPrice, plainAmount, toMajor, toMinor } from '#app/domain/payments/money.ts';
import { listCurrencies, listPrices } from '#app/domain/payments/prices.ts';
import { ProofInput } from '#app/domain/payments/schema.ts';
import { addMonth, countDays } from '#app/domain/payments/subscription/periods.ts';
import { testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';
import { makePlan } from '#tests/make/payments.ts';

let db: Db;
before(async () => {
  ({ db } = await testDatabase());
});

const PRICES = {
  USD: [6, 19, 39, 69, 99],
  EUR: [6, 18, 36, 64, 92],
  GBP: [5, 15, 31, 55, 79],
  INR: [499, 1599, 3299, 5799, 8299],
  AED: [22, 69, 143, 253, 363],
};
const HALF_OF_ONE_POST = { USD: 3, EUR: 3, GBP: 2.5, INR: 249.5, AED: 11 };

describe('prices', () => {
  test('come in five currencies, the dollar first', async () => {
    const currencies = await listCurrencies(db);
    assert.deepEqual(
      currencies.map(({ code, symbol }) => [code, symbol]),
      [
        ['USD', '$'],
        ['EUR', '€'],
        ['GBP', '£'],
        ['INR', '₹'],
        ['AED', 'د.إ'],
      ],
    );
  });

  for (const [code, prices] of Object.entries(PRICES)) {
    test(`are ${prices.join(', ')} in ${code}, in full once a payment was verified`, async () => {
      const listed = await listPrices(db, code);
      assert.deepEqual(
        listed.map(({ amountMinor }) => toMajor(amountMinor)),
        prices,
      );
      const now = new Date('2026-03-01T10:00:00Z');
      const actor = await makeUser(db);
      await makePlan(db, actor, 1, now);
      for (const [index, price] of prices.entries()) {
        const choice = { postsPerDay: index + 1, currencyCode: code };
        const info = await preparePayment(db, actor, choice, new Date('2026-05-01T10:00:00Z'));
        assert.equal(toMajor(info.amountMinor), price);
        assert.equal(info.promoPercent, 0);
      }
    });
  }

  test('are halved for the first payment, and payment info says so', async () => {
    const actor = await makeUser(db);
    for (const [currencyCode, half] of Object.entries(HALF_OF_ONE_POST)) {
      const info = await preparePayment(db, actor, { postsPerDay: 1, currencyCode });
      assert.equal(toMajor(info.amountMinor), half);
      assert.equal(info.promoPercent, 50);
    }
  });

  test('of an odd price round down to the minor unit', async () => {
    await db
      .updateTable('prices')
      .set({ amountMinor: 3901 })
      .where('currencyCode', '=', 'USD')
      .where('postsPerDay', '=', 3)
      .execute();
    const info = await preparePayment(db, await makeUser(db), { postsPerDay: 3, currencyCode: 'USD' });
    assert.equal(info.amountMinor, 1950);
  });

  test('of an unknown currency are not found', async () => {
    await assert.rejects(listPrices(db, 'XYZ'), { status: 404 });
    const choice = { postsPerDay: 1, currencyCode: 'XYZ' };
    await assert.rejects(preparePayment(db, await makeUser(db), choice), { status: 422 });
  });
});

describe('money', () => {
  test('is written with symbol and code', () => {
    assert.equal(formatPrice(159900, { code: 'INR' }), '₹1,599');
    assert.equal(formatPrice(0, { code: 'EUR' }), '€0');
    assert.equal(formatMoney(950, { code: 'USD' }), '$9.50 USD');
    assert.equal(formatMoney(829950, { code: 'GBP' }), '£8,299.50 GBP');
    assert.equal(plainAmount(159900), '1599.00');
  });

  test('of the dirham begins with its code, as English writes it: its own sign runs the other way', () => {
    assert.equal(formatPrice(2200, { code: 'AED' }), 'AED\u00a022');
    assert.equal(formatMoney(12_650, { code: 'AED' }), 'AED\u00a0126.50');
  });

  test('that has a fraction of a minor unit, or is too big, is no amount', () => {
    assert.equal(toMinor(19.99), 1999);
    assert.equal(toMinor(8299), 829900);
    for (const wrong of [9.505, Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
      assert.equal(toMinor(wrong), undefined, String(wrong));
    }
  });
});

describe('a month', () => {
  for (const [timeZone, from, to] of [
    ['UTC', '2026-01-31T09:30', '2026-02-28T09:30'],
    ['UTC', '2028-01-31T09:30', '2028-02-29T09:30'],
    ['UTC', '2026-08-31T23:59:59.999', '2026-09-30T23:59:59.999'],
    ['UTC', '2026-12-15T00:00', '2027-01-15T00:00'],
    ['Asia/Kolkata', '2027-03-01T03:00', '2027-04-01T03:00'],
    ['America/Los_Angeles', '2027-11-30T17:00', '2027-12-30T17:00'],
    ['America/New_York', '2027-02-28T21:00', '2027-03-28T21:00'],
    ['UTC', '2028-02-29T12:00', '2028-03-29T12:00'],
    ['Asia/Kolkata', '2027-10-31T00:15', '2027-11-30T00:15'],
    // The hour in which the month would end is left out by the clock.
    ['Europe/Paris', '2027-02-28T02:30', '2027-03-28T03:30'],
    // The half hour of the clock that changes by half an hour.
    ['Australia/Lord_Howe', '2027-09-03T02:10', '2027-10-03T02:40'],
    // The hour comes twice: the first one counts.
    ['America/New_York', '2027-10-07T01:30', '2027-11-07T01:30'],
  ] as const) {
    test(`from ${from} in ${timeZone} ends ${to} there`, () => {
      const instant = (local: string) =>
        new Date(Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).epochMilliseconds);
      assert.deepEqual(addMonth(instant(from), timeZone), instant(to));
    });
  }

  test('that was cut short at its end stays on the earlier day: each month is counted from its own start', () => {
    const ends = (from: string, timeZone: string, count: number) => {
      let at = new Date(from);
      return Array.from({ length: count }, () => {
        at = addMonth(at, timeZone);
        return at.toISOString().slice(0, 10);
      });
    };
    assert.deepEqual(ends('2027-01-31T10:00:00Z', 'UTC', 3), ['2027-02-28', '2027-03-28', '2027-04-28']);
    assert.deepEqual(ends('2028-01-31T10:00:00Z', 'UTC', 3), ['2028-02-29', '2028-03-29', '2028-04-29']);
    assert.deepEqual(ends('2028-02-29T10:00:00Z', 'UTC', 2), ['2028-03-29', '2028-04-29']);
  });

  test('counts a day that has begun as whole', () => {
    const period = { startsAt: new Date('2026-03-01T12:00:00Z'), endsAt: new Date('2026-04-01T12:00:00Z') };
    const remaining = (now: string) => countDays(period, new Date(now)).remaining;
    assert.equal(countDays(period, period.startsAt).total, 31);
    assert.equal(remaining('2026-03-01T12:00:01Z'), 31);
    assert.equal(remaining('2026-03-02T12:00:00Z'), 30);
    assert.equal(remaining('2026-04-01T11:59:59Z'), 1);
    assert.equal(remaining('2026-04-01T12:00:00Z'), 0);
  });
});

test('the UPI link carries pa, pn, am, cu and tn only, spaces as %20', () => {
  assert.equal(
    upiUrl({ amountMinor: 24950, note: 'Tidepost TP-ABC234' }),
    'upi://pay?pa=tidepost@examplebank&pn=Tidepost&am=249.50&cu=INR&tn=Tidepost%20TP-ABC234',
  );
});

describe('a transaction ID', () => {
  const parse = (transactionId: unknown) =>
    ProofInput.safeParse({ transactionId, postsPerDay: 1, currencyCode: 'USD', amount: 3 });

  test('is upper-cased without spaces and keeps its leading zero', () => {
    assert.equal(parse(' 0123 4567 8901 ').data?.transactionId, '012345678901');
    assert.equal(parse('8ab12345cd678901e').data?.transactionId, '8AB12345CD678901E');
  });

  test('that is blank is asked for', () => {
    for (const blank of ['', '   ', undefined, null]) {
      assert.equal(parse(blank).error?.issues[0]?.message, 'Please enter transaction ID');
      assert.equal(parse(blank).error?.issues.length, 1);
    }
  });

  test('has 6 to 35 letters and digits', () => {
    assert.ok(parse('A'.repeat(6)).success);
    assert.ok(parse('A'.repeat(35)).success);
    for (const wrong of [
      '12345',
      'A'.repeat(36),
      'ABC-12345',
      'ſtrange1',
      '１２３４５６７',
      "1' or '1'='1",
    ]) {
      assert.match(parse(wrong).error?.issues[0]?.message ?? '', /6 to 35 letters and digits/, wrong);
    }
  });

  test('comes with a number of posts and an amount that can be', () => {
    const whole = { transactionId: 'ABC123', postsPerDay: 1, currencyCode: 'USD', amount: 3 };
    assert.equal(ProofInput.parse(whole).currencyCode, 'USD');
    for (const currencyCode of ['usd', 'Usd', ' USD', 'US', 'USDT', '', null]) {
      const refused = ProofInput.safeParse({ ...whole, currencyCode });
      assert.match(refused.error?.issues[0]?.message ?? '', /^Please choose a currency/, `${currencyCode}`);
    }
    for (const wrong of [{ amount: -3 }, { amount: Number.NaN }, { amount: Number.POSITIVE_INFINITY }]) {
      assert.equal(ProofInput.safeParse({ ...whole, ...wrong }).success, false);
    }
    for (const postsPerDay of [0, 6, 1.5, -1, Number.NaN, '3']) {
      assert.equal(ProofInput.safeParse({ ...whole, postsPerDay }).success, false);
    }
  });
});
