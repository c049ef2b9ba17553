import type { Page } from '@playwright/test';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { expect, notice, open, test } from '#tests/harness/e2e/kit.ts';

/** Passkeys belong to a name: an address of numbers has none. */
const named = (path: string) => {
  const url = new URL(path, process.env.E2E_APP_URL);
  url.hostname = 'localhost';
  return url.href;
};

/** An authenticator in the browser itself, which finds its user there and checks who they are. */
async function addAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const verify = (isUserVerified: boolean) =>
    client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  return { verify };
}

async function signIn(page: Page, email: string) {
  await open(page, named('/login'));
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

async function addPasskey(page: Page, name: string) {
  await open(page, named('/app/account/passkeys/new'));
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Make the passkey' }).click();
}

test('a passkey is added, signs in by itself and as second step, is renamed and removed', async ({
  page,
  db,
}) => {
  const actor = await makeUser(db);
  await addAuthenticator(page);
  await signIn(page, actor.email);
  await expect(page).toHaveURL(/\/app\/dashboard$/);
  await addPasskey(page, 'My laptop');
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
  await page.getByRole('link', { name: 'I have kept them' }).click();
  await expect(page.getByRole('link', { name: 'Remove My laptop' })).toBeVisible();

  await page.context().clearCookies();
  await open(page, named('/login'));
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(notice(page, 'Welcome back!')).toBeVisible();
  await expect(page).toHaveURL(/\/app\/dashboard$/);

  await page.context().clearCookies();
  await signIn(page, actor.email);
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeFocused();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(notice(page, 'Welcome back!')).toBeVisible();

  await open(page, named('/app/account/security'));
  await page.getByText('Rename My laptop').click();
  await page.getByLabel('New name of My laptop').fill('Old laptop');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(notice(page, 'The passkey is called "Old laptop" now')).toBeVisible();
  await page.getByRole('link', { name: 'Remove Old laptop' }).click();
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(notice(page, 'The passkey was removed')).toBeVisible();
  await expect(page.getByText('Off', { exact: true })).toBeVisible();
});

test('without the right password nothing is asked of the device, and who is not verified is not signed in', async ({
  page,
  db,
}) => {
  const actor = await makeUser(db);
  const { verify } = await addAuthenticator(page);
  await signIn(page, actor.email);
  await expect(page).toHaveURL(/\/app\/dashboard$/);
  await open(page, named('/app/account/passkeys/new'));
  await page.getByLabel('Name', { exact: true }).fill('Key');
  await page.getByLabel('Your password').fill('not my password');
  await page.getByRole('button', { name: 'Make the passkey' }).click();
  await expect(page.getByText('This is not your password')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Key');
  await addPasskey(page, 'Key');
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();

  await page.context().clearCookies();
  await verify(false);
  await open(page, named('/login'));
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('No passkey was used. Please try again.')).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
});
