import type { Locator, Page } from '@playwright/test';
import type { Db } from '#app/db/client.ts';
import { verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { endPlanAt, makePayment, makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { pictureOf } from '#tests/fixtures/screenshots.ts';
import { cardWith, expect, newName, notice, sandboxUrl, signInAs, test } from '#tests/harness/e2e/kit.ts';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

async function verifyWaiting(db: Db, userId: string): Promise<void> {
  const { id } = await db
    .selectFrom('payments')
    .select('id')
    .where('userId', '=', userId)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  await verifyPayment(db, await makeUser(db, { isAdmin: true }), id);
}

const count = (dialog: Locator, posts: number) =>
  dialog.getByRole('button', { name: String(posts), exact: true });

async function pay(page: Page): Promise<string> {
  const transaction = transactionId();
  await page.getByLabel('Transaction ID').fill(transaction);
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await expect(cardWith(page, transaction)).toContainText('Pending');
  return transaction;
}

test('an upgrade at once says what it costs, and begins when it is verified', async ({
  page,
  context,
  db,
}) => {
  const payer = await makeUser(db, { name: `Ravi ${newName()}` });
  await makePlan(db, payer, 2, daysAgo(10));
  await signInAs(context, db, payer);
  await page.goto('/app/dashboard?dialog=subscribe');
  const dialog = page.getByRole('dialog', { name: 'Upgrade your plan' });
  await count(dialog, 4).click();
  await expect(count(dialog, 4)).toHaveAttribute('aria-pressed', 'true');
  const now = dialog.getByRole('radio', { name: /^Immediately You pay \$.* now: \$69 less \$/ });
  await expect(now).toBeChecked();
  await expect(
    dialog.getByRole('radio', { name: /^Next Billing You pay \$69 now\. .* no gap/ }),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Upgrade Plan' }).click();
  const due = page.getByRole('dialog', { name: 'Complete your payment' });
  await expect(due).toContainText('New plan, full price');
  await expect(due).toContainText(/Reference TP-[2-9A-Z]{6}, good until/);
  await expect(due).toContainText('It begins when we have verified your payment.');
  await pay(page);
  await expect(notice(page, 'Upgrade payment submitted! Waiting for admin verification.')).toBeVisible();
  await verifyWaiting(db, payer.userId);
  await page.reload();
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Active' })).toContainText(
    '4 posts a day',
  );
});

test('a smaller plan, and one for later, begin when the current one ends', async ({
  page,
  context,
  db,
  javaScriptEnabled,
}) => {
  const payer = await makeUser(db);
  await makePlan(db, payer, 3, daysAgo(10));
  await signInAs(context, db, payer);
  await page.goto('/app/payments?dialog=subscribe');
  const dialog = page.getByRole('dialog', { name: 'Upgrade your plan' });
  await dialog.getByRole('radio', { name: /^Next Billing/ }).check();
  await count(dialog, 5).click();
  await expect(count(dialog, 5)).toHaveAttribute('aria-pressed', 'true');
  await expect(dialog.getByRole('radio', { name: /^Next Billing/ })).toBeChecked();
  await count(dialog, 1).click();
  await expect(count(dialog, 1)).toHaveAttribute('aria-pressed', 'true');
  const now = dialog.getByRole('radio', { name: /^Immediately A smaller plan can only start/ });
  await expect(now).toBeDisabled();
  // Only the later start was possible; where both are, the other one can be chosen again.
  await count(dialog, 4).click();
  await expect(count(dialog, 4)).toHaveAttribute('aria-pressed', 'true');
  await dialog.getByRole('radio', { name: /^Immediately You pay/ }).check();
  if (javaScriptEnabled) await expect(page).toHaveURL(/start=immediate/);
  await count(dialog, 1).click();
  await expect(now).toBeDisabled();
  await dialog.getByRole('button', { name: 'Upgrade Plan' }).click();
  await expect(page.getByRole('dialog', { name: 'Complete your payment' })).toContainText(
    /1 post a day, one month, starting/,
  );
  const transaction = await pay(page);
  await verifyWaiting(db, payer.userId);
  await page.reload();
  await expect(cardWith(page, transaction)).toContainText('1 post a day');
  await page.goto('/app/payments?dialog=subscribe');
  await expect(dialog).toContainText('already follows your current plan');
});

test('a plan that ends is renewed from the line above every page, and no line is left', async ({
  page,
  context,
  db,
}) => {
  const payer = await makeUser(db);
  const plan = await makePlan(db, payer, 2, daysAgo(26));
  await signInAs(context, db, payer);
  await page.goto('/app/payments');
  await expect(page.getByText(/^Your plan ends on /)).toBeVisible();
  await page.goto('/app/topics');
  await page.getByRole('link', { name: /^Your plan ends on .* Renew$/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Complete your payment' });
  await expect(dialog).toContainText(/2 posts a day, one month, starting/);
  const transaction = await pay(page);
  await verifyWaiting(db, payer.userId);
  const renewed = await db
    .selectFrom('payments')
    .select('startsAt')
    .where('transactionId', '=', transaction)
    .executeTakeFirstOrThrow();
  expect(renewed.startsAt).toEqual(plan.endsAt);
  await page.goto('/app/topics');
  await expect(page.getByText(/^Your plan ends/)).toHaveCount(0);
});

test('what is held while a plan has ended goes on with the next one', async ({ page, context, db }) => {
  const payer = await makePublisher(db, sandboxUrl());
  const held = await makeScheduledPost(db, payer, { dueAt: daysAgo(1) });
  await endPlanAt(db, payer, new Date(Date.now() - 1000));
  await signInAs(context, db, payer);
  await page.goto('/app/topics');
  const line = page.getByRole('link', { name: /Your posts are held and keep their places.* Renew$/ });
  await expect(line).toBeVisible();
  await page.goto('/app/payments');
  await expect(page.getByText('One post is held and keeps its place.')).toBeVisible();
  await page.getByRole('link', { name: 'Renew Now' }).click();
  await expect(page).toHaveURL(/\/app\/dashboard$/);
  await page.getByRole('link', { name: /Renew$/ }).click();
  await page.getByRole('button', { name: 'Continue to Payment' }).click();
  await pay(page);
  await verifyWaiting(db, payer.userId);
  const timeOf = () =>
    db.selectFrom('postSchedules').select('dueAt').where('postId', '=', held).executeTakeFirstOrThrow();
  await expect.poll(async () => (await timeOf()).dueAt!.getTime()).toBeGreaterThan(Date.now());
});

test('what was left of a plan pays a smaller price whole: the plan begins with a press', async ({
  page,
  context,
  db,
}) => {
  const payer = await makeUser(db);
  await makePlan(db, payer, 2, daysAgo(1));
  // Paid before its price fell.
  const paid = { amountMinor: 9000, worthMinor: 9000 };
  await db.updateTable('payments').set(paid).where('userId', '=', payer.userId).execute();
  await signInAs(context, db, payer);
  await page.goto('/app/payments?dialog=subscribe');
  const choice = page.getByRole('dialog', { name: 'Upgrade your plan' });
  await expect(choice.getByRole('radio', { name: /^Immediately You pay \$0 now: .* at once/ })).toBeChecked();
  await choice.getByRole('button', { name: 'Upgrade Plan' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start your plan' });
  await expect(dialog).toContainText('$0 USD');
  await expect(dialog).toContainText(/What is left of 2 posts a day goes on from/);
  await expect(dialog.getByLabel('Transaction ID')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Start Plan' }).click();
  await expect(notice(page, 'Your plan has begun. There was nothing to pay.')).toBeVisible();
  await expect(
    page.getByRole('main').getByRole('listitem').filter({ hasText: '3 posts a day' }),
  ).toContainText('Active');
});

test('a screenshot goes with the transaction, and one that is no picture leaves the form as it was', async ({
  page,
  context,
  db,
}) => {
  const payer = await makeUser(db);
  await signInAs(context, db, payer);
  await page.goto('/app/payments?dialog=subscribe&step=2&posts=3&currency=INR');
  const file = page.getByLabel('Screenshot');
  const transaction = transactionId();
  await page.getByLabel('Transaction ID').fill(transaction);
  await file.setInputFiles({ name: 'shot.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await expect(file).toHaveAccessibleDescription(/has to be a PNG, JPEG or WebP picture/);
  await expect(page.getByLabel('Transaction ID')).toHaveValue(transaction);
  const buffer = await pictureOf('png', { width: 400, height: 800 });
  await file.setInputFiles({ name: 'shot.png', mimeType: 'image/png', buffer });
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await expect(cardWith(page, transaction)).toContainText('Pending');
  const kept = await db
    .selectFrom('paymentScreenshots')
    .innerJoin('payments', 'payments.id', 'paymentId')
    .select('contentType')
    .where('transactionId', '=', transaction)
    .execute();
  expect(kept).toEqual([{ contentType: 'image/webp' }]);
});

test('one that is too large is not sent', async ({ page, context, db, javaScriptEnabled }) => {
  await signInAs(context, db, await makeUser(db));
  await page.goto('/app/payments?dialog=subscribe&step=2&posts=3&currency=INR');
  await page.getByLabel('Transaction ID').fill('KEPT12345678');
  const file = page.getByLabel('Screenshot');
  await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024) });
  if (!javaScriptEnabled) await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await expect(file).toHaveAccessibleDescription(/The screenshot is over 4 MB/);
  await expect(page.getByLabel('Transaction ID')).toHaveValue('KEPT12345678');
});

test('a receipt says who, what and how much, and on paper nothing else', async ({ page, context, db }) => {
  const payer = await makeUser(db, { name: 'Ravi Subramanian', timeZone: 'Asia/Kolkata' });
  await makePlan(db, payer, 2, daysAgo(10));
  const { transactionId: transaction, reference } = await makePayment(db, payer, 3, daysAgo(2), {
    upgradeType: 'immediate',
  });
  await signInAs(context, db, payer);
  await page.goto('/app/payments');
  const waiting = cardWith(page, transaction);
  await expect(waiting).toContainText('Being checked');
  await expect(waiting).toContainText('Longer than the 24 hours we promise');
  await expect(waiting.getByRole('link', { name: 'Receipt' })).toHaveCount(0);
  await verifyWaiting(db, payer.userId);
  await page.reload();
  await expect(waiting).toContainText('Verified');
  await waiting.getByRole('link', { name: `Receipt for ${reference}` }).click();
  const receipt = page.getByRole('article', { name: 'Receipt' });
  for (const said of [
    'Tidepost',
    'Ravi Subramanian',
    payer.email,
    'Premium plan, 3 posts a day',
    '$39 USD',
    'Credit for what was left of the plan before',
    transaction,
    reference,
    `R-${new Date().getUTCFullYear()}-${reference.slice(3)}`,
  ]) {
    await expect(receipt).toContainText(said);
  }
  await page.emulateMedia({ media: 'print' });
  for (const name of ['Main', 'Shortcuts']) {
    await expect(page.getByRole('navigation', { name })).toBeHidden();
  }
  await expect(page.getByRole('link', { name: 'Back to Payment History' })).toBeHidden();
  await expect(receipt).toBeVisible();
});

test('what is left of the 24 hours of a payment runs while its page is open', async ({
  page,
  context,
  db,
  javaScriptEnabled,
}) => {
  const payer = await makeUser(db);
  const { transactionId: transaction } = await makePayment(db, payer, 2, daysAgo(3.25 / 24));
  await signInAs(context, db, payer);
  if (javaScriptEnabled) await page.clock.install();
  await page.goto('/app/payments');
  const waiting = cardWith(page, transaction);
  await expect(waiting).toContainText(/Being checked\s*20 h 4\d min left of 24 hours/);
  if (!javaScriptEnabled) return;
  const words = await waiting.innerText();
  await expect(async () => {
    await page.clock.fastForward('00:01:00');
    expect(await waiting.innerText(), 'the script of the page counts').not.toBe(words);
  }).toPass();
  await page.clock.fastForward('02:00:00');
  await expect(waiting).toContainText(/18 h 4\d min left of 24 hours/);
  await page.clock.fastForward('19:00:00');
  await expect(waiting).toContainText('Longer than the 24 hours we promise');
});

test('nobody reads a receipt of somebody else', async ({ page, context, db }) => {
  const { id } = await makePlan(db, await makeUser(db), 1);
  await signInAs(context, db, await makeUser(db));
  const answer = await page.goto(`/app/payments/${id}/receipt`);
  expect(answer?.status()).toBe(404);
});
