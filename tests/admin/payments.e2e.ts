import { readFile } from 'node:fs/promises';
import { prepare } from '#app/domain/payments/checkout/payment-info.ts';
import { REJECT_REASONS } from '#app/domain/payments/limits.ts';
import { verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { cardWith, expect, newName, notice, signInAs, test } from '#tests/harness/e2e/kit.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

test('what verifying does is said before it is pressed, and found in the ledger and its file', async ({
  page,
  context,
  db,
}) => {
  const payer = await makeUser(db, { name: `Ravi ${newName()}`, timeZone: 'Asia/Kolkata' });
  await makePlan(db, payer, 2, daysAgo(10));
  const { id, reference } = await makePayment(db, payer, 3, daysAgo(0.1), { upgradeType: 'immediate' });
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await page.goto('/app/admin?tab=payments');
  await cardWith(page, payer.email).getByRole('link', { name: 'Verify' }).click();
  const dialog = page.getByRole('dialog', { name: 'Verify this payment?' });
  await expect(dialog).toContainText('At once');
  await expect(dialog).toContainText('The plan of 2 posts a day ends on');
  const ends = await dialog.locator('dd').nth(2).innerText();
  await dialog.getByRole('button', { name: 'Verify payment' }).click();
  await expect(notice(page, 'Payment verified and subscription activated!')).toBeVisible();

  await page.goto('/app/admin');
  await page.getByRole('link', { name: 'Plans', exact: true }).click();
  await page.getByLabel('Search').fill(reference);
  await page.getByRole('button', { name: 'Show' }).click();
  const row = page.getByRole('row').filter({ hasText: reference });
  await expect(row).toContainText('Active');
  await row.getByRole('link', { name: payer.name }).click();
  await expect(page.getByRole('heading', { name: `Ledger of ${payer.name}` })).toBeVisible();
  const period = page.getByRole('row').filter({ hasText: 'Period' }).filter({ hasText: reference });
  // To the day: until it is pressed, minutes go by.
  await expect(period).toContainText(`to ${ends.slice(0, 12)}`);

  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as CSV' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe(`tidepost-ledger-${payer.userId.slice(0, 8)}.csv`);
  const text = await readFile(await file.path(), 'utf8');
  expect(text.startsWith('\uFEFFWhen,What,Reference')).toBe(true);
  expect(text).toContain(reference);
  const { status } = await db
    .selectFrom('payments')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(status).toBe('active');
});

test('a payment is turned down by a press on what is wrong, and its payer reads those words', async ({
  page,
  context,
  db,
}) => {
  const payer = await makeUser(db, { name: `Jo ${newName()}` });
  await makePayment(db, payer, 1);
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await page.goto('/app/admin?tab=payments');
  await cardWith(page, payer.email).getByRole('link', { name: 'Reject' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject this payment?' });
  await dialog.getByText(REJECT_REASONS.unknown).click();
  await dialog.getByLabel('Reason').fill('Look at the 12 digits again.');
  await dialog.getByRole('button', { name: 'Reject payment' }).click();
  await expect(notice(page, 'Payment rejected')).toBeVisible();
  await context.clearCookies();
  await signInAs(context, db, payer);
  await page.goto('/app/payments');
  const said = `${REJECT_REASONS.unknown} Look at the 12 digits again.`;
  await expect(page.getByRole('main').getByText(said)).toBeVisible();
});

test('who is second reads that the payment was decided', async ({ page, context, db }) => {
  const payer = await makeUser(db, { name: `Ada ${newName()}` });
  const { id } = await makePayment(db, payer, 1);
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await page.goto(`/app/admin?tab=payments&confirm-verify=${id}`);
  await db
    .updateTable('payments')
    .set({ status: 'rejected', rejectedAt: new Date(), rejectReason: 'Somebody was quicker.' })
    .where('id', '=', id)
    .execute();
  await page.getByRole('button', { name: 'Verify payment' }).click();
  await expect(notice(page, 'This payment has already been verified or rejected')).toBeVisible();
  await expect(cardWith(page, payer.email)).toHaveCount(0);
  await page.goto(`/app/admin?tab=payments&confirm-verify=${id}`);
  await expect(page.getByRole('dialog', { name: 'This payment was rejected already' })).toContainText(
    'Somebody was quicker.',
  );
});

test('what was paid for a request that ran out is found by its reference and taken in', async ({
  page,
  context,
  db,
}) => {
  const payer = await makeUser(db, { name: `Mia ${newName()}` });
  const choice = { postsPerDay: 2, currencyCode: 'USD', upgradeType: null };
  const { reference } = await prepare(db, payer, choice, daysAgo(4));
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await page.goto('/app/admin/subscriptions');
  await page.getByLabel('Search').fill(reference);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('link', { name: 'Open the ledger' }).click();
  await page.getByRole('link', { name: 'Take a payment in' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take this payment in?' });
  await expect(dialog).toContainText(reference);
  await dialog.getByLabel('Transaction ID').fill(transactionId());
  await dialog.getByRole('button', { name: 'Take the payment in' }).click();
  await expect(notice(page, 'Payment taken in. Nothing begins before it is verified.')).toBeVisible();
  await cardWith(page, payer.email).getByRole('link', { name: 'Verify' }).click();
  await page.getByRole('button', { name: 'Verify payment' }).click();
  await expect(notice(page, 'Payment verified and subscription activated!')).toBeVisible();
});

test('transaction IDs and addresses of usual length are read in one line', async ({ page, context, db }) => {
  const payer = await makeUser(db, { name: `Mia ${newName()}`, email: `${newName()}@example.com` });
  const { id } = await makePlan(db, payer, 2);
  const usual = `4TR83920WX${transactionId().slice(0, 7)}`;
  await db.updateTable('payments').set({ transactionId: usual }).where('id', '=', id).execute();
  await makePlan(
    db,
    await makeUser(db, { name: 'W'.repeat(60), email: `${newName()}${'w'.repeat(40)}@example.com` }),
    1,
  );
  const run = { userId: payer.userId, requested: 1, done: 1, status: 'complete' } as const;
  const error =
    'A post was not good enough: it says what nobody gave; its first line does not stand by itself';
  await db
    .insertInto('generationRuns')
    .values([run, { ...run, done: 0, failed: 1, error }])
    .execute();
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  const pages = {
    '/app/admin/subscriptions': [usual, payer.email],
    [`/app/admin/ledgers/${payer.userId}`]: [usual],
    '/app/admin/writing': [payer.email],
  };
  for (const width of [820, 1366]) {
    await page.setViewportSize({ width, height: 900 });
    for (const [address, texts] of Object.entries(pages)) {
      await page.goto(address);
      for (const text of texts) {
        const { height } = (await page.locator('td').getByText(text, { exact: true }).last().boundingBox())!;
        expect.soft(height, `${text} at ${width} on ${address}`).toBeLessThan(30);
      }
    }
  }
});

test('long names leave the audit log and the periods of plans readable', async ({ page, context, db }) => {
  const payer = await makeUser(db, { name: `Venkatanarasimha ${newName()}` });
  const admin = await makeUser(db, { isAdmin: true, name: `Maximiliana Featherstonehaugh-${newName()}` });
  const { id, reference } = await makePayment(db, payer, 2, daysAgo(3), { currencyCode: 'INR' });
  await verifyPayment(db, admin, id, daysAgo(2));
  await db.updateTable('payments').set({ amountMinor: 2_000_000_000 }).where('id', '=', id).execute();
  await signInAs(context, db, admin);
  const rowOn = async (place: string) => {
    await page.goto(place);
    return page.getByRole('row').filter({ hasText: reference });
  };
  for (const width of [640, 768, 820]) {
    await page.setViewportSize({ width, height: 900 });
    const entry = await rowOn('/app/admin/audit');
    for (const [text, lines] of [
      [admin.name, 3],
      ['Verified a payment', 1],
      [/The plan runs from/, 3],
    ] as const) {
      const { height } = (await entry.getByText(text).last().boundingBox())!;
      expect.soft(height, `${text} at ${width}`).toBeLessThanOrEqual(lines * 20);
    }
    const period = (await rowOn(`/app/admin/subscriptions?q=${reference}`)).getByText(
      / to \w{3} \d\d, \d{4}$/,
    );
    // Balanced: neither of its two days is torn.
    const { width: wide } = (await period.boundingBox())!;
    const lines = await period.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return [...range.getClientRects()].map((line) => line.width);
    });
    expect.soft(lines, `the period at ${width}`).toHaveLength(2);
    expect.soft(Math.min(...lines), `the period at ${width}`).toBeGreaterThan(wide / 2);
  }
});

test('the longest names and the largest sums fit a phone', async ({ page, context, db }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const label = `${newName()}${'o'.repeat(50)}`;
  const email = `${'a'.repeat(64)}@${label}.${label}.example`.toLowerCase();
  const payer = await makeUser(db, { name: `Von${'w'.repeat(97)}`, email });
  await makePlan(db, payer, 2, daysAgo(10));
  await db
    .updateTable('payments')
    .set({ amountMinor: 2_000_000_000 })
    .where('userId', '=', payer.userId)
    .execute();
  const { id } = await db
    .insertInto('supportTickets')
    .values({ name: payer.name, email, category: 'billing', subject: 's'.repeat(150), message: 'When?' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  for (const [place, heading] of [
    ['/app/admin', 'Revenue'],
    [`/app/admin/users/${payer.userId}`, payer.name],
    [`/app/admin/ledgers/${payer.userId}`, `Ledger of ${payer.name}`],
    [`/app/admin/support-feedback?open=${id}`, 'ssss'],
  ] as const) {
    await page.goto(place);
    const box = await page.getByRole('heading', { name: heading }).first().boundingBox();
    expect(box!.x + box!.width, `the heading of ${place}`).toBeLessThanOrEqual(390);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), place).toBe(390);
  }
  const close = (await page.getByRole('link', { name: 'Close' }).boundingBox())!;
  expect(close.x + close.width).toBeLessThanOrEqual(390);
});
