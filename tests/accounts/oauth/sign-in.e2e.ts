import type { Page } from '@playwright/test';
import { connectUrl } from '#app/domain/linkedin/connect/tickets.ts';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { expect, newEmail, newName, notice, test } from '#tests/harness/e2e/kit.ts';

/** Chooses at Google or LinkedIn, as the sandbox shows them, to be somebody who is not in the list. */
async function chooseSomebody(
  page: Page,
  button: 'Continue' | 'Allow',
  who: { name: string; email: string },
) {
  await expect(page.getByRole('button', { name: button, exact: true })).toBeVisible();
  await page.getByText('Somebody else').click();
  await page.getByLabel('Name', { exact: true }).fill(who.name);
  await page.getByLabel('E-mail', { exact: true }).fill(who.email);
  await page.getByRole('button', { name: button, exact: true }).click();
}

const somebody = () => ({ name: `Ada ${newName()}`, email: newEmail() });

test('somebody new signs up with Google, and comes back to the same account', async ({ page }) => {
  const who = somebody();
  await page.goto('/signup');
  await page.getByRole('button', { name: 'Sign up with Google' }).click();
  await chooseSomebody(page, 'Continue', who);
  await expect(page.getByRole('heading', { name: 'Welcome!' })).toBeVisible();
  await expect(page).toHaveURL(/\/app\/dashboard$/);
  await page.goto('/app/account/security');
  await expect(page.getByRole('main')).toContainText(`${who.email}, since`);
  await page.getByRole('button', { name: 'Log out' }).first().click();
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await chooseSomebody(page, 'Continue', who);
  await expect(page).toHaveURL(/\/app\/dashboard$/);
});

test('one consent at LinkedIn signs in and publishes', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in with LinkedIn' }).click();
  const who = somebody();
  await chooseSomebody(page, 'Allow', who);
  await expect(page.getByRole('heading', { name: 'Also publish for you?' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(who.name);
  await page.getByRole('button', { name: 'Yes, publish for me' }).click();
  await expect(notice(page, 'LinkedIn account connected successfully!')).toBeVisible();
  await page.goto('/app/linkedin');
  await expect(page.getByRole('main')).toContainText(who.email);
});

test('who has an account already signs in to it first, links Google, and unlinks it again', async ({
  page,
  db,
}) => {
  const { email } = await makeUser(db);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await chooseSomebody(page, 'Continue', { name: 'Ada', email });
  await expect(page.getByRole('heading', { name: 'You have an account already' })).toBeVisible();
  await page.getByRole('link', { name: 'Sign in to link Google' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('button', { name: 'Link Google' }).click();
  await expect(notice(page, 'Google is linked to your account.')).toBeVisible();
  await page.goto('/app/account/security');
  await page.getByRole('link', { name: 'Unlink Google' }).click();
  await page.getByRole('button', { name: 'Unlink Google' }).click();
  await expect(notice(page, 'Google is linked no longer.')).toBeVisible();
  await page.getByRole('button', { name: 'Link Google' }).click();
  await chooseSomebody(page, 'Continue', { name: 'Ada', email });
  await expect(notice(page, 'Google is linked to your account.')).toBeVisible();
});

test('who does not allow it reads so, and where one signs in, why', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { name: 'Authentication failed: access_denied' })).toBeVisible();
  await expect(page).toHaveURL(/\/login\?failed=access_denied$/);
  await expect(page.getByRole('main')).toContainText('You did not allow it there.');
});

test('who comes from a program and is not signed in sees account and profile, and connects on the one button', async ({
  page,
  db,
}) => {
  const { userId } = await makeUser(db);
  const who = somebody();
  await page.goto(new URL(connectUrl(userId)).pathname);
  await expect(page.getByRole('main')).toContainText('…@example.com');
  await page.getByRole('button', { name: 'Go on to LinkedIn' }).click();
  await chooseSomebody(page, 'Allow', who);
  await expect(page.getByRole('heading', { name: 'Connect this profile?' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(who.email);
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByRole('main')).toContainText('LinkedIn is connected. You can close this window.');
});
