import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import {
  codeMailedTo,
  expect,
  linkIn,
  mailTo,
  newEmail,
  newName,
  notice,
  test,
} from '#tests/harness/e2e/kit.ts';

const NEW = 'a new password entirely';

test('who forgot the password gets a code, chooses another one and signs in with it', async ({
  page,
  db,
}) => {
  const { email } = await makeUser(db);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Reset Code' }).click();
  await expect(notice(page, 'Password reset code sent! Check your email.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await expect(page.getByLabel('6-digit code')).toBeFocused();
  await page.getByLabel('6-digit code').fill(await codeMailedTo(email));
  await page.getByLabel('New password', { exact: true }).fill(NEW);
  await page.getByLabel('Confirm password').fill(NEW);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByRole('heading', { name: 'Password reset!' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(NEW);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(notice(page, 'Welcome back!')).toBeVisible();
});

test('the link in the mail of a sign-up verifies the address', async ({ page, javaScriptEnabled }) => {
  const email = newEmail();
  await page.goto('/signup');
  await page.getByLabel('Full name').fill(`Ada ${newName()}`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await page.goto(linkIn(await mailTo(email, /is your Tidepost code$/)));
  // Scripts press it themselves.
  if (javaScriptEnabled === false) await page.getByRole('button', { name: 'Verify Email' }).click();
  await expect(page.getByRole('heading', { name: 'Email Verified!' })).toBeVisible();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/login$/);
});
