import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { codeMailedTo, enterCode, expect, newEmail, notice, signInAs, test } from '#tests/harness/e2e/kit.ts';

const PRIVATE = [
  '/app',
  '/app/dashboard',
  '/app/topics',
  '/app/scheduled',
  '/app/posts',
  '/app/payments',
  '/app/linkedin',
  '/app/admin',
  '/app/admin/audit',
  '/app/admin/writing',
  '/app/admin/trends',
];

test('a visitor is led to the sign-in page, an unknown address to the landing page', async ({ page }) => {
  for (const path of PRIVATE) {
    await page.goto(path);
    await expect(page, path).toHaveURL(/\/login$/);
  }
  for (const path of ['/no-such-page', '/app/no-such-page', '/app/topics/1/2/3']) {
    await page.goto(path);
    await expect(page, path).toHaveURL(/^[^/]*\/\/[^/]+\/$/);
  }
});

test('a user has the menu of users and is refused by the admin pages', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  for (const path of ['/app/admin', '/app/admin/audit', '/app/admin?tab=payments']) {
    const answer = await page.goto(path);
    expect(answer!.status(), path).toBe(403);
    await expect(page.getByRole('heading', { name: 'Not allowed' })).toBeVisible();
  }
  await page.goto('/app/dashboard');
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu.getByRole('link')).toHaveText([
    'Dashboard',
    'Topics',
    'Scheduled Posts',
    'Post History',
    'Payment History',
    'LinkedIn',
  ]);
  for (const path of ['/login', '/signup']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/app\/dashboard$/);
  }
});

test('an admin has the menu of admins', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await page.goto('/app/dashboard');
  await expect(page).toHaveURL(/\/app\/admin$/);
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu.getByRole('link')).toHaveText(['Admin Dashboard', 'Support & Feedback']);
  await expect(page.getByRole('link', { name: 'Connect LinkedIn' })).toHaveCount(0);
  await expect(page.getByText('No active plan.')).toHaveCount(0);
});

test('the sign-in page says what is wrong, and Back shows nothing after signing out', async ({
  page,
  db,
}) => {
  const { email, name } = await makeUser(db, { name: 'Wilhelmina Osei' });
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);

  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(notice(page, 'Welcome back!')).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Topics' }).click();
  await expect(page.getByRole('heading', { name: 'Topics', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Log out' }).first().click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText(name)).toHaveCount(0);
});

test('an unverified sign-in leads to the code; a wrong code is refused and the boxes are empty', async ({
  page,
}) => {
  const email = newEmail();
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Ada Marlow');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill('something else');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByLabel('Confirm password')).toHaveAccessibleDescription(/Passwords do not match/);
  await expect(page.getByLabel('Full name')).toHaveValue('Ada Marlow');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await page.getByRole('button', { name: 'Back to Login' }).click();

  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(notice(page, 'Please verify your email first')).toBeVisible();
  const code = await codeMailedTo(email);
  await enterCode(page, code === '000000' ? '000001' : '000000');
  await expect(page.getByRole('group', { name: 'Verification code' })).toHaveAccessibleDescription(
    /Invalid or expired OTP/,
  );
  await expect(page.getByLabel('Digit 6')).toHaveValue('');
  await enterCode(page, code);
  await expect(page.getByRole('heading', { name: 'Email Verified!' })).toBeVisible();
});
