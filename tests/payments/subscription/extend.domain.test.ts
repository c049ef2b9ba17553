import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { prepare } from '#app/domain/payments/checkout/payment-info.ts';
import { listRequests } from '#app/domain/payments/checkout/requests.ts';
import { recordLatePayment } from '#app/domain/payments/review/record-late-payment.ts';
import { verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { ExtendInput } from '#app/domain/payments/schema.ts';
import { extendPlan } from '#app/domain/payments/subscription/extend.ts';
import { listPlanSpans } from '#app/domain/payments/subscription/spans.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const admin = await makeUser(db, { isAdmin: true });
const day = (date: string) => new Date(`${date}T10:00:00Z`);

const periodsOf = async ({ userId }: { userId: string }) =>
  (await listPlanSpans(db, [userId])).map(({ postsPerDay, startsAt, endsAt }) => [
    postsPerDay,
    startsAt.toISOString().slice(0, 10),
    endsAt.toISOString().slice(0, 10),
  ]);

const endOf = async (userId: string, now: Date) =>
  (await listPlanSpans(db, [userId])).find(({ startsAt, endsAt }) => startsAt <= now && endsAt > now)?.endsAt;

/** By a form that has the end as it is now, unless it was opened before. */
async function extend({ userId }: { userId: string }, days: number, now: Date, shown?: Date) {
  const endsAt = shown ?? (await endOf(userId, now)) ?? now;
  return extendPlan(db, admin, { userId, endsAt, days, reason: 'LinkedIn was down' }, now);
}

test('the plan that runs ends later, and a month that waits behind it stays a whole one', async () => {
  const actor = await makeUser(db);
  await makePlan(db, actor, 2, day('2026-03-01'));
  await makePlan(db, actor, 3, day('2026-03-20'), { upgradeType: 'next_billing' });
  const jobs = sql`delete from graphile_worker._private_jobs where payload->>'userId' = ${actor.userId}`;
  await jobs.execute(db);
  const { to } = await extend(actor, 7, day('2026-03-25'));
  assert.equal(to.toISOString(), '2026-04-08T10:00:00.000Z');
  assert.deepEqual(await periodsOf(actor), [
    [2, '2026-03-01', '2026-04-08'],
    [3, '2026-04-08', '2026-05-08'],
  ]);
  assert.equal((await jobs.execute(db)).numAffectedRows, 1n, 'the queue is fitted to it');
});

test('the rest of a plan that goes on behind another one is as long as before', async () => {
  const actor = await makeUser(db);
  await makePlan(db, actor, 2, day('2026-03-01'));
  await makePlan(db, actor, 3, day('2026-03-05'), { upgradeType: 'next_billing' });
  await makePlan(db, actor, 5, day('2026-03-10'), { upgradeType: 'immediate' });
  const total = async () =>
    (await listPlanSpans(db, [actor.userId])).reduce(
      (sum, { startsAt, endsAt }) => sum + +endsAt - +startsAt,
      0,
    );
  const before = await total();
  await extend(actor, 10, day('2026-03-12'));
  const pieces = await listPlanSpans(db, [actor.userId]);
  for (const [nth, piece] of pieces.slice(1).entries()) assert.ok(piece.startsAt >= pieces[nth]!.endsAt);
  assert.ok((await total()) - before >= 10 * 86_400_000 - 3 * 86_400_000, 'no paid time is lost');
});

test('a form counts once: of two at once, and of one sent again, the second changes nothing and says so', async () => {
  const actor = await makeUser(db);
  await makePlan(db, actor, 1, day('2026-05-01'));
  const shown = day('2026-06-01');
  const both = [1, 2].map(() => extend(actor, 3, day('2026-05-10'), shown));
  const done = await Promise.allSettled(both);
  assert.deepEqual(done.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  await assert.rejects(extend(actor, 3, day('2026-05-11'), shown), {
    status: 409,
    code: 'plan_changed',
    message: /This plan ends on Jun 04, 2026, \d\d:00 by now.* Nothing was changed now/,
  });
  assert.deepEqual(await periodsOf(actor), [[1, '2026-05-01', '2026-06-04']]);
});

test('given days stay with a plan that is replaced in the very instant in which it began', async () => {
  const actor = await makeUser(db);
  const now = day('2026-03-01');
  await makePlan(db, actor, 2, day('2026-02-20'));
  const upgrade = { currencyCode: 'USD', upgradeType: 'immediate' as const };
  const { reference } = await prepare(db, actor, { ...upgrade, postsPerDay: 5 }, now);
  await makePlan(db, actor, 3, now, upgrade);
  await extend(actor, 7, now);
  // Paid for what was asked before it.
  const request = (await listRequests(db, actor, 'closed')).find((one) => one.reference === reference)!;
  const meant = { requestId: request.id, payerId: actor.userId, transactionId: transactionId() };
  const { id } = await recordLatePayment(db, admin, meant, now);
  await verifyPayment(db, admin, id, now);
  const [, share, rest] = await listPlanSpans(db, [actor.userId]);
  assert.deepEqual([share!.postsPerDay, share!.startsAt, rest!.startsAt], [5, now, share!.endsAt]);
  assert.equal(rest!.endsAt.getTime() - rest!.startsAt.getTime(), (31 + 7) * 86_400_000);
});

test('two add up, without a plan nothing is extended, and each has its reason in the audit log', async () => {
  const actor = await makeUser(db);
  const { id } = await makePlan(db, actor, 1, day('2026-05-01'));
  for (const days of [3, 4]) await extend(actor, days, day('2026-05-10'));
  assert.deepEqual(await periodsOf(actor), [[1, '2026-05-01', '2026-06-08']]);
  await assert.rejects(extend(actor, 1, day('2026-07-01')), { status: 409, code: 'no_active_subscription' });
  const nobody = { userId: crypto.randomUUID() };
  await assert.rejects(extend(nobody, 1, day('2026-05-10')), { status: 409, code: 'no_active_subscription' });
  await assert.rejects(extend({ userId: 'x' }, 1, day('2026-05-10'), day('2026-06-01')), { status: 404 });
  const entries = (await listAuditLog(db)).entries.filter(({ subjectId }) => subjectId === id);
  const extended = entries.filter(({ action }) => action === 'plan.extended');
  assert.deepEqual(
    extended.map(({ detail }) => detail.reason),
    ['LinkedIn was down', 'LinkedIn was down'],
  );
  assert.ok(
    extended.every(({ detail }) => (detail.before as { endsAt: string }).endsAt < (detail.endsAt as string)),
  );
});

test('days are 1 to 90, a reason is given, and the end that was shown is an instant', () => {
  const endsAt = '2026-05-01T10:00:00.000Z';
  for (const days of ['0', '91', '-1', '1.5', '1e1', '٣', '', ' '])
    assert.equal(ExtendInput.safeParse({ endsAt, days, reason: 'x' }).success, false, days);
  assert.equal(ExtendInput.safeParse({ endsAt, days: '90', reason: ' ' }).success, false);
  for (const wrong of [undefined, '', 'soon', '2026-05-01'])
    assert.equal(
      ExtendInput.safeParse({ endsAt: wrong, days: '90', reason: 'x' }).success,
      false,
      `${wrong}`,
    );
  const read = { endsAt: new Date(endsAt), days: 90, reason: 'x' };
  assert.deepEqual(ExtendInput.parse({ endsAt, days: '090', reason: ' x ' }), read);
});

test('whose plan is extended is mailed by how much and why, on their clock, once for each time', async () => {
  const actor = await makeUser(db);
  await db.updateTable('users').set({ timeZone: 'Asia/Kolkata' }).where('id', '=', actor.userId).execute();
  await makePlan(db, actor, 2, new Date('2026-03-01T20:00:00Z'));
  await extend(actor, 7, day('2026-03-10'));
  await assert.rejects(extend(actor, 1, day('2026-07-01')));
  const [told, ...more] = await mailsTo(db, actor.email, 'planExtended');
  assert.deepEqual(more, []);
  const { name, url, ...said } = told!;
  assert.deepEqual(said, {
    plan: '2 posts a day',
    days: 7,
    reason: 'LinkedIn was down',
    isFollowed: false,
    from: 'Apr 02, 2026',
    to: 'Apr 09, 2026',
  });
  await makePlan(db, actor, 3, day('2026-03-20'), { upgradeType: 'next_billing' });
  await extend(actor, 1, day('2026-03-25'));
  assert.equal((await mailsTo(db, actor.email, 'planExtended')).filter((mail) => mail.isFollowed).length, 1);
});
