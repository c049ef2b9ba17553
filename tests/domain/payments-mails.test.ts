import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { mailText } from '#app/domain/email/templates/templates.ts';
import { postsADay } from '#app/domain/payments/plan-labels.ts';
import { verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { endPlans, warnEndingPlans } from '#app/domain/payments/subscription/expiry.ts';
import { extendPlan } from '#app/domain/payments/subscription/extend.ts';
import { env } from '#app/env.ts';
import { testDatabase } from '#tests/database.ts';
import { mailsTo, makeUser } from '#tests/make/accounts.ts';
import { othersWait } from '#tests/make/at-once.ts';
import { makePayment, makePlan } from '#tests/make/payments.ts';

const { db } = await testDatabase();
const DAY = 86_400_000;

test('the end of a plan is announced three days before, once, and told when it comes, once', async () => {
  const actor = await makeUser(db);
  const plan = await makePlan(db, actor, 2);
  const end = plan.endsAt!.getTime();
  const count = async (kind: 'planEnding' | 'planEnded') => (await mailsTo(db, actor.email, kind)).length;
  await warnEndingPlans(db, new Date(end - 4 * DAY));
  assert.equal(await count('planEnding'), 0);
  await warnEndingPlans(db, new Date(end - 3 * DAY + 1));
  await warnEndingPlans(db, new Date(end - 2 * DAY));
  assert.equal(await count('planEnding'), 1);
  await endPlans(db, new Date(end - 1));
  assert.equal(await count('planEnded'), 0);
  await endPlans(db, new Date(end));
  await endPlans(db, new Date(end + DAY));
  assert.equal(await count('planEnded'), 1);
});

test('a plan that another one follows ends without a word', async () => {
  const actor = await makeUser(db);
  const first = await makePlan(db, actor, 1);
  await makePlan(db, actor, 2, new Date(), { upgradeType: 'next_billing' });
  await warnEndingPlans(db, new Date(first.endsAt!.getTime() - DAY));
  await endPlans(db, first.endsAt!);
  assert.equal((await mailsTo(db, actor.email, 'planEnding')).length, 0);
  assert.equal((await mailsTo(db, actor.email, 'planEnded')).length, 0);
});

test('the end of a plan that was extended after it was announced is announced again, once', async () => {
  const [actor, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  const { endsAt } = await makePlan(db, actor, 2, new Date('2026-06-01T10:00:00Z'));
  const before = (end: Date, days: number) => new Date(end.getTime() - days * DAY);
  await warnEndingPlans(db, before(endsAt!, 3));
  const gift = { userId: actor.userId, endsAt: endsAt!, days: 7, reason: 'LinkedIn was down' };
  const { to } = await extendPlan(db, admin, gift, before(endsAt!, 2));
  for (const days of [4, 3, 2, 1]) await warnEndingPlans(db, before(to, days));
  const told = (await mailsTo(db, actor.email, 'planEnding')).toReversed();
  assert.deepEqual(
    told.map(({ day }) => day),
    ['Jul 01, 2026', 'Jul 08, 2026'],
  );
});

test('a plan that is extended while its end is being announced is not announced for the day of before', async () => {
  const actor = await makeUser(db);
  const { id, endsAt } = await makePlan(db, actor, 2);
  let warned: Promise<void> | undefined;
  await transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    warned = warnEndingPlans(db, new Date(endsAt!.getTime() - DAY));
    await othersWait(db);
    await trx
      .updateTable('payments')
      .set({ endsAt: new Date(endsAt!.getTime() + 7 * DAY) })
      .where('id', '=', id)
      .execute();
  });
  await warned;
  assert.equal((await mailsTo(db, actor.email, 'planEnding')).length, 0);
});

test('of plans that are closed together the one that ended last is told of', async () => {
  const [actor, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  const day = (date: string) => new Date(`${date}T10:00:00Z`);
  const { endsAt } = await makePlan(db, actor, 2, day('2026-03-01'));
  const larger = await makePayment(db, actor, 5, day('2026-03-10'), { upgradeType: 'immediate' });
  // What was given is not credited, so it goes on behind the larger plan.
  const gift = { userId: actor.userId, endsAt: endsAt!, days: 4, reason: 'LinkedIn was down' };
  await extendPlan(db, admin, gift, day('2026-03-11'));
  await verifyPayment(db, admin, larger.id, day('2026-03-12'));
  assert.equal(await endPlans(db, day('2026-05-01')), 2);
  const told = await mailsTo(db, actor.email, 'planEnded');
  assert.deepEqual(
    told.map(({ plan }) => plan),
    [postsADay(2)],
  );
});

const addressOf = (path: string) => new URL(path, env().APP_URL).href;

test('the mail before the end leads to the renewal of that very plan, and names the day by the clock of its reader', async () => {
  const actor = await makeUser(db, { timeZone: 'Asia/Kolkata' });
  const begun = new Date('2026-04-01T20:00:00Z');
  const { endsAt } = await makePlan(db, actor, 2, begun, { currencyCode: 'EUR' });
  await warnEndingPlans(db, new Date(endsAt!.getTime() - 2 * DAY));
  const [mail] = await mailsTo(db, actor.email, 'planEnding');
  // 1:30 on May 2 where the reader is.
  assert.equal(mail!.day, 'May 02, 2026');
  assert.equal(
    mail!.url,
    addressOf('/app/dashboard?dialog=subscribe&step=2&posts=2&currency=EUR&start=next'),
  );
  const { lines, button } = mailText('planEnding', mail!);
  assert.match(String(lines.at(-1)), /^Renew it, .* without a gap\.$/);
  assert.equal(button!.label, 'Renew the plan');
});

test('while a payment is being checked no mail about the end leads to a second one', async () => {
  const actor = await makeUser(db);
  const { endsAt } = await makePlan(db, actor, 2, new Date('2026-06-01T10:00:00Z'));
  const before = (days: number) => new Date(endsAt!.getTime() - days * DAY);
  await makePayment(db, actor, 2, before(5), { upgradeType: 'next_billing' });
  await warnEndingPlans(db, before(3));
  await endPlans(db, endsAt!);
  for (const kind of ['planEnding', 'planEnded'] as const) {
    const [mail] = await mailsTo(db, actor.email, kind);
    const { lines, button } = mailText(kind, mail! as never);
    assert.deepEqual(
      [kind, button!.label, button!.url],
      [kind, 'View Payment Status', addressOf('/app/payments')],
    );
    assert.match(String(lines.at(-1)), /is being checked, .* there is nothing to pay\./);
    assert.doesNotMatch(lines.join(), /Renew|Choose a plan/);
  }
});

test('a verified payment is told in days of the clock of its payer, with what goes on', async () => {
  const actor = await makeUser(db, { timeZone: 'Asia/Kolkata' });
  const at = (day: string) => new Date(`${day}T21:30:00Z`);
  await makePlan(db, actor, 1, at('2027-02-28'));
  await makePlan(db, actor, 2, at('2027-03-01'), { upgradeType: 'next_billing' });
  await makePlan(db, actor, 3, at('2027-03-02'), { upgradeType: 'immediate' });
  const mails = await mailsTo(db, actor.email, 'paymentVerified');
  assert.deepEqual(
    mails.toReversed().map(({ plan, until, also }) => [plan, until, also]),
    [
      ['1 post a day', 'Apr 01, 2027', []],
      ['2 posts a day, from Apr 01, 2027,', 'May 01, 2027', []],
      [
        '3 posts a day',
        'Apr 03, 2027',
        [
          'The plan of 1 post a day ends on Mar 03, 2027.',
          'The month of 2 posts a day runs from Apr 03, 2027 to May 03, 2027.',
        ],
      ],
    ],
  );
});
