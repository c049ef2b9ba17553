import type { Page } from '@playwright/test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { cardWith, expect, newName, notice, signInAs, test } from '#tests/harness/e2e/kit.ts';

const send = async (page: Page, transaction: string) => {
  await page.getByLabel('Transaction ID').fill(transaction);
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
};

test('a UPI payment: what to pay, a known ID refused, rejected with a reason, submitted again', async ({
  page,
  browser,
  context,
  db,
  javaScriptEnabled,
}) => {
  const payer = await makeUser(db, { name: `Ravi ${newName()}` });
  await signInAs(context, db, payer);
  await page.goto('/app/dashboard?dialog=subscribe');
  const choice = page.getByRole('dialog', { name: 'Choose your plan' });
  await choice.getByLabel('Currency').selectOption('INR');
  // One press shows the price, with scripts and without, in the currency that was chosen before.
  await choice.getByRole('button', { name: '3', exact: true }).click();
  await expect(choice.getByRole('button', { name: '3', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(choice.getByText('₹3,299 per month').last()).toBeVisible();
  await expect(choice.getByLabel('Currency')).toHaveValue('INR');
  await choice.getByRole('button', { name: 'Continue to Payment' }).click();

  const dialog = page.getByRole('dialog', { name: 'Complete your payment' });
  await expect(dialog.getByText('₹1,649.50 INR', { exact: true })).toBeVisible();
  const picture = dialog.getByRole('img', {
    name: 'QR code that pays ₹1,649.50 INR to tidepost@examplebank',
  });
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThanOrEqual(140);
  await expect(dialog.getByText('tidepost@examplebank', { exact: true })).toBeVisible();
  await expect(dialog.getByText('1649.50', { exact: true })).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Open UPI App' })).toBeHidden();
  const link = await dialog
    .getByRole('link', { name: 'Open UPI App', includeHidden: true })
    .getAttribute('href');
  const asked = new URLSearchParams(link!.slice('upi://pay?'.length));
  expect([...asked.keys()]).toEqual(['pa', 'pn', 'am', 'cu', 'tn']);
  expect(asked.get('am')).toBe('1649.50');
  expect(link).not.toContain('+');

  const known = await makePayment(db, await makeUser(db), 1, new Date(), { currencyCode: 'INR' });
  await send(page, known.transactionId.toLowerCase());
  const field = page.getByLabel('Transaction ID');
  await expect(field).toHaveAccessibleDescription(/This transaction ID has already been submitted/);
  await expect(field).toHaveValue(known.transactionId.toLowerCase());
  await expect(dialog).toContainText('₹1,649.50 INR');
  await expect(page.getByRole('heading', { name: 'Welcome,' })).toBeAttached();
  await dialog.getByRole('link', { name: 'Close' }).click();
  if (javaScriptEnabled) await page.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(/\/app\/dashboard$/);
  await page.goto('/app/dashboard?dialog=subscribe&step=2&posts=3&currency=INR');

  const first = transactionId();
  await send(page, first);
  await expect(notice(page, 'Payment proof submitted! Waiting for admin verification.')).toBeVisible();
  await expect(cardWith(page, first)).toContainText('Pending');
  await expect(page.getByText('Being checked since')).toHaveCount(1);
  await page.goto('/app/dashboard');
  await expect(page.getByText('No active plan')).toHaveCount(0);
  await page.goto('/app/dashboard?dialog=subscribe');
  const waiting = page.getByRole('dialog', { name: 'We are checking your payment' });
  await expect(waiting).toContainText(first);
  await expect(waiting.getByRole('button', { name: 'Continue to Payment' })).toHaveCount(0);
  await waiting.getByRole('link', { name: 'View Payment Status' }).click();
  await expect(page).toHaveURL(/\/app\/payments$/);
  await expect(page.getByText('Being checked since')).toHaveCount(1);

  const office = await browser.newContext({ baseURL: process.env.E2E_APP_URL, javaScriptEnabled });
  await signInAs(office, db, await makeUser(db, { isAdmin: true }));
  const desk = await office.newPage();
  await desk.goto('/app/admin');
  await cardWith(desk, payer.email).getByRole('link', { name: 'Reject' }).click();
  const rejecting = desk.getByRole('dialog', { name: 'Reject this payment?' });
  await rejecting.getByLabel('Reason').fill('   ');
  await rejecting.getByRole('button', { name: 'Reject payment' }).click();
  await expect(rejecting.getByLabel('Reason')).toHaveAccessibleDescription(/Please give a reason/);
  await rejecting.getByLabel('Reason').fill('No such payment has reached our account.');
  await rejecting.getByRole('button', { name: 'Reject payment' }).click();
  await expect(notice(desk, 'Payment rejected')).toBeVisible();
  await desk.goto('/app/admin/audit');
  await expect(desk.getByRole('row').filter({ hasText: first })).toContainText('Rejected a payment');
  await office.close();

  await page.goto('/app/topics');
  const line = page.getByRole('link', { name: /No such payment has reached our account\..*Submit again/ });
  await line.click();
  await expect(page.getByRole('dialog', { name: 'Complete your payment' })).toContainText('₹1,649.50 INR');

  await page.goto('/app/payments');
  const rejected = cardWith(page, first);
  await expect(rejected).toContainText('Rejected');
  await expect(rejected).toContainText('No such payment has reached our account.');
  await rejected.getByRole('link', { name: 'Submit again' }).click();
  await expect(page.getByRole('dialog', { name: 'Complete your payment' })).toContainText('₹1,649.50 INR');
  const second = transactionId();
  await send(page, second);
  await expect(cardWith(page, second)).toContainText('Pending');
});

test('the payment is sent without scrolling on a small laptop, and a copied text moves nothing', async ({
  page,
  context,
  db,
  javaScriptEnabled,
}) => {
  await page.setViewportSize({ width: 1366, height: 800 });
  await signInAs(context, db, await makeUser(db));
  await page.goto('/app/dashboard?dialog=subscribe&step=2&posts=3&currency=INR');
  const dialog = page.getByRole('dialog', { name: 'Complete your payment' });
  await expect(dialog.getByRole('button', { name: 'Submit' })).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByRole('heading', { name: 'We check within 24 hours' })).toBeInViewport({
    ratio: 1,
  });
  if (!javaScriptEnabled) return;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copy = dialog.getByRole('button', { name: 'Copy UPI ID' });
  const { width } = (await copy.boundingBox())!;
  await copy.click();
  const copied = dialog.getByRole('button', { name: 'Copied!' });
  await expect(copied).toBeVisible();
  expect((await copied.boundingBox())!.width).toBe(width);
});

test('the payment of an upgrade is shown whole on a small laptop', async ({ page, context, db }) => {
  await page.setViewportSize({ width: 1366, height: 800 });
  const payer = await makeUser(db);
  await makePlan(db, payer, 2, new Date(Date.now() - 12 * 86_400_000), { currencyCode: 'INR' });
  await signInAs(context, db, payer);
  await page.goto('/app/dashboard?dialog=subscribe&step=2&posts=4&currency=INR');
  const dialog = page.getByRole('dialog', { name: 'Complete your payment' });
  await expect(dialog).toContainText('New plan, full price');
  await expect.poll(() => dialog.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
  expect((await dialog.boundingBox())!.height).toBeLessThanOrEqual(800);
});

test('the code is larger from 640 pixels on, and paying and proving stand side by side from 768', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  await page.goto('/app/payments?dialog=subscribe&step=2&posts=3&currency=INR');
  const dialog = page.getByRole('dialog', { name: 'Complete your payment' });
  const [pay, paste] = ['Pay', 'Paste the transaction ID'].map((name) =>
    dialog.getByRole('heading', { name, exact: true }),
  );
  for (const [width, side, isBeside] of [
    [639, 140, false],
    [640, 160, false],
    [767, 160, false],
    [768, 160, true],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const code = (await dialog.getByRole('img', { name: /^QR code/ }).boundingBox())!;
    const tops = [(await pay!.boundingBox())!.y, (await paste!.boundingBox())!.y];
    expect([width, code.width, code.height, tops[0] === tops[1]]).toEqual([width, side, side, isBeside]);
  }
});

test('what is copied is what stands there, and the button says so for two seconds', async ({
  page,
  context,
  db,
  javaScriptEnabled,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInAs(context, db, await makeUser(db));
  if (javaScriptEnabled) await page.clock.install();
  const dialog = page.getByRole('dialog', { name: 'Complete your payment' });
  const copy = (label: string | RegExp) => dialog.getByRole('button', { name: label, exact: true });
  for (const [currency, texts] of [
    ['INR', { 'UPI ID': /^tidepost@examplebank$/, Amount: /^1649\.50$/, Note: /^Tidepost TP-\w{6}$/ }],
    ['USD', { 'PayPal address': /^payments@tidepost\.example$/, 'Note to include': /^Tidepost TP-\w{6}$/ }],
  ] as const) {
    await page.goto(`/app/dashboard?dialog=subscribe&step=2&posts=3&currency=${currency}`);
    await expect(dialog).toBeVisible();
    // Without scripts there is no button.
    if (!javaScriptEnabled) await expect(copy(/^Copy/)).toHaveCount(0);
    for (const [label, text] of javaScriptEnabled ? Object.entries(texts) : []) {
      await copy(`Copy ${label}`).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(text);
    }
  }
  if (!javaScriptEnabled) return;
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const copied = copy('Copied!');
  await expect(copied).toHaveCount(0);
  await copy('Copy Note to include').click();
  await expect(copied).toBeVisible();
  await page.clock.runFor(1900);
  await expect(copied).toBeVisible();
  await page.clock.runFor(200);
  await expect(copied).toHaveCount(0);
});

test('what a browser does not let us copy is said', async ({ page, context, db, javaScriptEnabled }) => {
  await signInAs(context, db, await makeUser(db));
  await page.goto('/app/dashboard?dialog=subscribe&step=2&posts=3&currency=INR');
  // What is copied by hand stands there as text, also where there is no button.
  await expect(page.getByRole('dialog').getByText('tidepost@examplebank', { exact: true })).toBeVisible();
  if (!javaScriptEnabled) return;
  await page.getByRole('button', { name: 'Copy UPI ID' }).click();
  await expect(notice(page, 'Failed to copy. Select the text and copy it by hand.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copied!' })).toHaveCount(0);
});

test('on a phone the payment opens the UPI app', async ({ browser, db, javaScriptEnabled }) => {
  const phone = await browser.newContext({
    baseURL: process.env.E2E_APP_URL,
    javaScriptEnabled,
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 800 },
  });
  await signInAs(phone, db, await makeUser(db));
  const page = await phone.newPage();
  await page.goto('/app/payments?dialog=subscribe&step=2&posts=3&currency=INR');
  await expect(page.getByRole('link', { name: 'Open UPI App' })).toBeVisible();
  await phone.close();
});
