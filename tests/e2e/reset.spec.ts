import { makeUser } from '#tests/make/accounts.ts';
import { codeMailedTo, expect, notice, test } from './kit.ts';

const NEW = 'a new password entirely';

test('who forgot the password gets a code, chooses another one and signs in with it', async ({
  page,
  db,
}) => {
  const { email } = await makeUser(db);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Reset Code' }).click();
  await expect(notice(page, 'Password reset code sent! Check your email.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await page.getByLabel('6-digit code').fill(await codeMailedTo(email));
  await page.getByLabel('New password', { exact: true }).fill(NEW);
  await page.getByLabel('Confirm password').fill(NEW);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByRole('heading', { name: 'Password reset!' })).toBeVisible();
  await expect(page).toHaveURL(/\/login$/, { timeout: 10_000 });
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(NEW);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(notice(page, 'Welcome back!')).toBeVisible();
});
