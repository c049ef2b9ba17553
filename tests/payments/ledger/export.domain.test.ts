import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportLedger } from '#app/domain/payments/ledger/ledger.ts';
import { rejectPayment, verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { cancelPlan } from '#app/domain/payments/subscription/cancel.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { withEnv } from '#tests/harness/with-env.ts';

const { db } = await testDatabase();
/** Half past three in the afternoon where the payer is. */
const day = (date: string) => new Date(`${date}T10:00:00Z`);

test('the file of a ledger has every column of every step, by the clock of the payer, in UTF-8', async () => {
  const payer = await makeUser(db, { timeZone: 'Asia/Kolkata' });
  const [one, two] = [
    await makeUser(db, { isAdmin: true, name: 'Inés' }),
    await makeUser(db, { isAdmin: true, name: 'Zoë "Z", Ltd' }),
  ];
  const first = await makePayment(db, payer, 2, day('2026-04-01'));
  const reason = 'Nothing of ₹ or $;=1+1';
  await rejectPayment(db, one, { paymentId: first.id, reason }, day('2026-04-02'));
  const second = await makePayment(db, payer, 2, day('2026-04-03'));
  await withEnv({ PAYMENT_FOUR_EYES: new Map([['USD', 100]]) }, async () => {
    await verifyPayment(db, one, second.id, day('2026-04-04'));
    await verifyPayment(db, two, second.id, day('2026-04-05'));
  });
  const upgrade = await makePayment(db, payer, 3, day('2026-04-20'), { upgradeType: 'immediate' });
  await verifyPayment(db, two, upgrade.id, day('2026-04-21'));
  await cancelPlan(db, payer, day('2026-04-22'));
  // Of somebody else nothing is in it.
  await makePlan(db, await makeUser(db), 1, day('2026-04-01'));

  const at = (date: string) => `${date}T15:30:00+05:30`;
  const [r1, r2] = [first.reference, upgrade.reference];
  const [t1, t2, t3] = [first.transactionId, second.transactionId, upgrade.transactionId];
  const plan = (line: string) => line.replace('|', `${r1},2 posts a day`).replace('#', `${r2},3 posts a day`);
  const [byTwo, worth] = ['"Zoë ""Z"", Ltd"', 475];
  // A day of the credited time was used: a fifteenth of $4.75 of $39, of the month to May 21.
  const taken = Math.ceil((30 * 86_400_000 * worth) / 15 / 3900);
  const ends = new Date(day('2026-05-21').getTime() - taken + 5.5 * 3_600_000).toISOString().slice(0, 19);
  assert.deepEqual((await exportLedger(db, payer.userId)).split('\r\n'), [
    '\uFEFFWhen,What,Reference,Plan,Amount,Currency,From,To,By,Transaction ID,Note',
    ...[
      `${at('2026-04-01')},Payment asked for,|,9.50,USD,${at('2026-04-01')},${at('2026-04-05')},,,"50% off $19, paid"`,
      `${at('2026-04-01')},Proof submitted,|,9.50,USD,,,,${t1},`,
      `${at('2026-04-02')},Rejected,|,,USD,,,Inés,,"Nothing of ₹ or $;'=1+1"`,
      `${at('2026-04-03')},Proof submitted,|,9.50,USD,,,,${t2},`,
      `${at('2026-04-04')},Verified by the first of two admins,|,,USD,,,Inés,,`,
      `${at('2026-04-05')},Verified,|,9.50,USD,,,${byTwo},${t2},`,
      `${at('2026-04-05')},Period,|,,USD,${at('2026-04-05')},${at('2026-04-21')},,,`,
      `${at('2026-04-20')},Payment asked for,#,34.25,USD,${at('2026-04-20')},${at('2026-04-23')},,,"Upgrade at once, paid"`,
      `${at('2026-04-20')},Unused time credited,#,4.75,USD,${at('2026-04-20')},,,,15 days of ${r1}`,
      `${at('2026-04-20')},Proof submitted,#,34.25,USD,,,,${t3},`,
      `${at('2026-04-21')},Verified,#,34.25,USD,,,${byTwo},${t3},`,
      `${at('2026-04-21')},Period,#,,USD,${at('2026-04-21')},${ends}+05:30,,,`,
      `${at('2026-04-22')},Cancelled,#,,USD,,,,,`,
    ].map(plan),
    '',
  ]);
});
