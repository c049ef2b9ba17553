import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endPlans, warnEndingPlans } from '#app/domain/payments/expiry.ts';
import { testDatabase } from '#tests/database.ts';
import { mailsTo, makeUser } from '#tests/make/accounts.ts';
import { makePlan } from '#tests/make/payments.ts';

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
