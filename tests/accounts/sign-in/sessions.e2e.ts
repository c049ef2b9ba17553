import type { Db } from '#app/db/client.ts';
import { createSession } from '#app/domain/accounts/sign-in/sessions.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { expect, newName, notice, open, signInAs, test } from '#tests/harness/e2e/kit.ts';

const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

/** It is a while ago that the browser was asked for the password. */
const aWhileLater = (db: Db, { userId }: Actor) =>
  db
    .updateTable('sessions')
    .set({ reauthenticatedAt: new Date(Date.now() - 16 * 60_000) })
    .where('userId', '=', userId)
    .execute();

test('somebody sees where they are signed in, and signs another browser out', async ({
  page,
  context,
  db,
}) => {
  const user = await makeUser(db);
  await createSession(db, user.userId, 'web', WINDOWS, new Date(), { ipPrefix: '203.0.113.0/24' });
  await signInAs(context, db, user);
  await page.goto('/app/account/security');
  const rows = page.locator('#sessions').getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: 'This browser' })).toHaveCount(1);
  const other = rows.filter({ hasText: 'Chrome on Windows' });
  await expect(other).toContainText('from the network 203.0.113.0/24');
  await other.getByRole('button', { name: 'Sign out Chrome on Windows' }).click();
  await expect(notice(page, 'Signed out there')).toBeVisible();
  await expect(rows).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toHaveCount(0);
});

test('who is asked for the password types it at once, and reads that it was wrong', async ({
  page,
  context,
  db,
}) => {
  const user = await makeUser(db);
  await signInAs(context, db, user);
  await aWhileLater(db, user);
  await open(page, '/app/account/tokens');
  await page.getByLabel('Name').fill('CI');
  await page.getByLabel('Name').press('Enter');
  await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible();
  const password = page.getByLabel('Your password');
  await expect(password).toBeFocused();
  await page.keyboard.type('not my password');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main').getByText('This is not your password')).toBeVisible();
  await expect(password).toBeFocused();
  await password.fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your token “CI”' })).toBeVisible();
});

test('somebody makes a token, sees it once, and revokes it', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  const name = `Zapier ${newName()}`;
  await page.goto('/app/account/tokens');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('It may').selectOption({ label: 'Read and write' });
  await page.getByRole('button', { name: 'Make token' }).click();
  await expect(page.getByRole('heading', { name: `Your token “${name}”` })).toBeVisible();
  const secret = await page.getByText(/^tp_/).innerText();
  const headers = { Authorization: `Bearer ${secret}` };
  expect((await page.request.get('/api/v1/auth/me', { headers })).status()).toBe(200);
  await page.goto('/app/account/tokens');
  await expect(page.getByText(secret)).toHaveCount(0);
  await page.getByRole('link', { name: `Revoke ${name}` }).click();
  await expect(page.getByRole('dialog')).toContainText(`${name}, last used`);
  expect((await page.request.get('/api/v1/auth/me', { headers })).status()).toBe(200);
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await expect(notice(page, 'Token revoked')).toBeVisible();
  expect((await page.request.get('/api/v1/auth/me', { headers })).status()).toBe(401);
});

test('an admin is asked for the password again, and what was typed goes on', async ({
  page,
  context,
  db,
}) => {
  const admin = await makeUser(db, { isAdmin: true });
  const payment = await makePayment(db, await makeUser(db), 1);
  await signInAs(context, db, admin);
  await aWhileLater(db, admin);
  await page.goto(`/app/admin?tab=payments&reject=${payment.id}`);
  await page.getByLabel('Reason').fill('Not on the statement of "May"');
  await page.getByRole('button', { name: 'Reject payment' }).click();
  await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible();
  const password = page.getByLabel('Your password');
  await password.fill('a guess');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('This is not your password')).toBeVisible();
  await password.fill(PASSWORD);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(notice(page, 'Payment rejected')).toBeVisible();
  const { rejectReason } = await db
    .selectFrom('payments')
    .select('rejectReason')
    .where('id', '=', payment.id)
    .executeTakeFirstOrThrow();
  expect(rejectReason).toBe('Not on the statement of "May"');
});
