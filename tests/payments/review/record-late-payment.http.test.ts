import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { prepare } from '#app/domain/payments/checkout/payment-info.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;
before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

const HOUR = 3_600_000;
const MONTHS = { least: 28 * 24 * HOUR, most: 31 * 24 * HOUR };
const ago = (hours: number) => new Date(Date.now() - hours * HOUR);
const dialogOf = (html: string) => wordsOf(/<dialog[\s\S]*?<\/dialog>/.exec(html)?.[0] ?? '');
const deskOf = async () =>
  browserOf(database.db, await makeUser(database.db, { isAdmin: true, name: 'Ines' }), url);

async function ask(
  payer: Actor,
  postsPerDay: number,
  at: Date,
  upgradeType: 'immediate' | 'next_billing' | null = null,
) {
  const { reference } = await prepare(
    database.db,
    payer,
    { postsPerDay, currencyCode: 'USD', upgradeType },
    at,
  );
  const request = await database.db
    .selectFrom('paymentRequests')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow();
  const ledger = `/app/admin/ledgers/${payer.userId}`;
  return { ...request, ledger, take: `${ledger}?take=${request.id}` };
}

const paymentOf = (requestId: string) =>
  database.db
    .selectFrom('payments')
    .selectAll()
    .where('requestId', '=', requestId)
    .orderBy('createdAt', 'desc')
    .executeTakeFirst();

test('a payment for a request that ran out is found by its reference and taken in as it was asked for', async () => {
  const { db } = database;
  const payer = await makeUser(db, { name: 'Late Payer' });
  const asked = await ask(payer, 2, ago(80));
  const desk = await deskOf();
  const search = await desk.read(`/app/admin/subscriptions?q=${asked.reference.toLowerCase()}`);
  assert.match(wordsOf(mainOf(search)), new RegExp(`${asked.reference} has no payment .*Late Payer`));
  assert.ok(search.includes(`href="${asked.ledger}"`));
  assert.match(dialogOf(await desk.read(asked.take)), /Late Payer paid \$9\.50 USD .* asked for then/);
  assert.equal((await desk.post(asked.take, { transactionId: 'no!' })).status, 422);
  const id = transactionId();
  const taken = await desk.post(asked.take, { transactionId: id });
  assert.deepEqual([taken.status, taken.headers.get('Location')], [302, '/app/admin?tab=payments']);
  const payment = (await paymentOf(asked.id))!;
  assert.deepEqual(
    [payment.status, payment.amountMinor, payment.transactionId, payment.reference, payment.isProrated],
    ['pending', 950, id, asked.reference, false],
  );
  const mails = await db
    .selectFrom('mails')
    .select(['kind', 'userId'])
    .where('userId', '=', payer.userId)
    .execute();
  assert.deepEqual(
    mails.map(({ kind }) => kind),
    ['proofReceived'],
  );
  const log = wordsOf(mainOf(await desk.read('/app/admin/audit')));
  assert.match(log, /Ines Took in a payment for a request that was over/);
  await desk.post(`/app/admin/payments/${payment.id}/verify`);
  const plan = (await paymentOf(asked.id))!;
  assert.equal(plan.status, 'active');
  assert.ok(plan.endsAt!.getTime() - plan.startsAt!.getTime() >= MONTHS.least - HOUR);
  assert.doesNotMatch(await desk.read(asked.ledger), /Take a payment in/);
  assert.match(
    await (await desk.post(asked.take, { transactionId: transactionId() })).text(),
    /has a payment/,
  );
});

test('after another payment was verified, neither a credit nor a half price counts twice: what was paid becomes time', async () => {
  const { db } = database;
  const payer = await makeUser(db);
  await makePlan(db, payer, 1, ago(24 * 10));
  const asked = await ask(payer, 3, ago(24 * 5), 'immediate');
  assert.ok(asked.creditMinor > 0);
  await makePlan(db, payer, 2, ago(24 * 4), { upgradeType: 'immediate' });
  const desk = await deskOf();
  assert.match(dialogOf(await desk.read(asked.take)), /as much of a month as was paid/);
  await desk.post(asked.take, { transactionId: transactionId() });
  const { id, isProrated } = (await paymentOf(asked.id))!;
  assert.equal(isProrated, true);
  const said = dialogOf(await desk.read(`/app/admin?tab=payments&confirm-verify=${id}`));
  assert.match(said, /Starts At once .* at the full price of a month/);
  assert.doesNotMatch(said, /for unused time/);
  // Turned down, it is not open again for its payer, with its credit; an admin may take it in once more.
  await desk.post(`/app/admin?tab=payments&reject=${id}`, { usual: 'unknown', reason: '' });
  const { status } = await db
    .selectFrom('paymentRequests')
    .select('status')
    .where('id', '=', asked.id)
    .executeTakeFirstOrThrow();
  assert.equal(status, 'closed');
  await desk.post(asked.take, { transactionId: transactionId() });
  const again = (await paymentOf(asked.id))!;
  assert.notEqual(again.id, id);
  await desk.post(`/app/admin/payments/${again.id}/verify`);
  const { startsAt, endsAt, worthMinor, amountMinor, fullPriceMinor } = (await paymentOf(asked.id))!;
  assert.equal(worthMinor, amountMinor);
  const ran = endsAt!.getTime() - startsAt!.getTime();
  const share = amountMinor / fullPriceMinor;
  assert.ok(ran >= share * MONTHS.least - HOUR && ran <= share * MONTHS.most + HOUR, `${ran}`);
});

test('is refused of another payer, of a request that is good, while a payment waits, of a known transaction, and twice at once', async () => {
  const { db } = database;
  const [payer, other] = [await makeUser(db), await makeUser(db)];
  const asked = await ask(payer, 1, ago(80));
  const desk = await deskOf();
  const said = async (path: string, id = transactionId()) => {
    const answer = await desk.post(path, { transactionId: id });
    assert.ok(answer.status >= 400, `${answer.status}`);
    return answer.text();
  };
  for (const requestId of [asked.id, 'nothing', '00000000-0000-4000-8000-000000000000', '%00'])
    assert.match(
      await said(`/app/admin/ledgers/${other.userId}?take=${requestId}`),
      /not found|doesn’t exist|gone/i,
    );
  const good = await ask(other, 1, ago(1));
  assert.match(await said(good.take), /can still submit/);
  const known = await makePayment(db, other, 1);
  assert.match(await said(asked.take, known.transactionId), /already been submitted/);
  const both = await ask(await makeUser(db), 1, ago(80));
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => desk.post(both.take, { transactionId: transactionId() })),
  );
  assert.equal(answers.filter(({ status }) => status === 302).length, 1);
  const own = await browserOf(db, payer, url);
  assert.equal((await own.post(asked.take, { transactionId: transactionId() })).status, 403);
  assert.equal(await paymentOf(asked.id), undefined);
  const waits = await makeUser(db);
  const [lost] = [await ask(waits, 1, ago(80))];
  await makePayment(db, waits, 2);
  assert.match(await said(lost.take), /verify or reject that one first/);
});
