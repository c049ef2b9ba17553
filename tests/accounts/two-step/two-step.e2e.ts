import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { appCode, makeApp } from '#tests/fixtures/two-step.ts';
import { enterCode, expect, notice, open, signInAs, test } from '#tests/harness/e2e/kit.ts';

test('an authenticator app is set up, asked for at the next sign-in, and replaced by a recovery code', async ({
  page,
  context,
  db,
  javaScriptEnabled,
}) => {
  const actor = await makeUser(db);
  await signInAs(context, db, actor);
  await page.goto('/app/account/security');
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible();
  const groups = /(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(await page.getByRole('main').innerText())![0];
  const setUpAt = new Date();
  await page.getByLabel('Code of your app').fill(appCode(groups, setUpAt));
  await page.getByLabel('Your password').fill('not my password');
  await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click();
  await expect(page.getByText('This is not your password').first()).toBeVisible();
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click();
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recoveryCode = await codes.first().innerText();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download as text' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('tidepost-recovery-codes.txt');
  await page.getByRole('link', { name: 'I have kept them' }).click();
  await expect(page.getByText('10 left.')).toBeVisible();

  await context.clearCookies();
  await page.goto('/login');
  await page.getByLabel('Email').fill(actor.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  if (javaScriptEnabled !== false) await expect(page.getByLabel('Digit 1')).toBeFocused();
  await page.getByRole('link', { name: 'Use a recovery code' }).click();
  await expect(page.getByRole('link', { name: 'Use your authenticator app' })).toBeVisible();
  await expect(page.getByText('No code left either?')).toBeVisible();
  if (javaScriptEnabled !== false) await expect(page.getByLabel('Recovery code')).toBeFocused();
  await page.getByLabel('Recovery code').fill('WRONG');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('This code is wrong, too old, or was used already').first()).toBeVisible();
  await page.getByLabel('Recovery code').fill(recoveryCode.toLowerCase());
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(notice(page, 'Welcome back!')).toBeVisible();
});

test('the six boxes take the code of the app', async ({ page, db }) => {
  const actor = await makeUser(db);
  const { codeAt } = await makeApp(db, actor);
  await page.goto('/login?to=/app/scheduled');
  await page.getByLabel('Email').fill(actor.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await enterCode(page, codeAt(new Date()), 'Sign In');
  await expect(page).toHaveURL(/\/app\/scheduled$/);
});

test('without a password Enter sends the form, and mails no other code', async ({ page, context, db }) => {
  const actor = await makeUser(db);
  await db.updateTable('users').set({ passwordHash: null }).where('id', '=', actor.userId).execute();
  await signInAs(context, db, actor);
  await page.goto('/app/account/security');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByLabel('Code from your mail').fill('000000');
  await page.getByLabel('Code of your app').fill('000000');
  await page.getByLabel('Code of your app').press('Enter');
  await expect(page.getByRole('main')).toContainText('Invalid or expired OTP');
  await expect(notice(page, 'A code is on its way to your address.')).toHaveCount(0);
});

test('a link that leads back to the page it stands on leaves nothing loading', async ({
  page,
  context,
  db,
}) => {
  const actor = await makeUser(db);
  await makeApp(db, actor);
  await signInAs(context, db, actor);
  await open(page, '/app/account/security');
  await db.deleteFrom('authenticatorApps').where('userId', '=', actor.userId).execute();
  await page.getByRole('link', { name: 'Remove the authenticator app' }).click();
  await expect(page.getByText('An app that shows a new code every 30 seconds.')).toBeVisible();
  await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy');
});
