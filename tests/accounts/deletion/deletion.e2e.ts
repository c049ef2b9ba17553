import { readFile } from 'node:fs/promises';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { expect, linkIn, mailTo, notice, signInAs, test } from '#tests/harness/e2e/kit.ts';

const DELETION_MAIL = /^Your Tidepost account will be deleted in/;

test('everything is downloaded; an account is deleted after a week, and kept with a button or by the mail', async ({
  page,
  context,
  db,
}) => {
  const actor = await makeUser(db);
  await signInAs(context, db, actor);
  await page.goto('/app/account/data');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download everything' }).click();
  const file = JSON.parse(await readFile(await (await downloading).path(), 'utf8'));
  expect(file.account.email).toBe(actor.email);

  await page.getByRole('link', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByLabel('Your password').fill('wrong horse');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog.getByLabel('Your password')).toHaveAccessibleDescription(/This is not your password/);
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(notice(page, 'Your account will be deleted on')).toBeVisible();
  await expect(page.getByRole('heading', { name: /Your account will be deleted on/ })).toBeVisible();
  const first = await mailTo(actor.email, DELETION_MAIL);
  await page.goto('/app/topics');
  await page.getByRole('link', { name: /Your account will be deleted on .* Undo/ }).click();
  await page.getByRole('button', { name: 'Keep my account' }).click();
  await expect(notice(page, 'Your account stays. Writing and publishing go on')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Delete account' })).toBeVisible();

  await page.goto('/app/account/data?dialog=delete');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page.getByRole('heading', { name: /Your account will be deleted on/ })).toBeVisible();
  await context.clearCookies();
  await page.goto(linkIn(await mailTo(actor.email, DELETION_MAIL, [first])));
  await expect(page.getByRole('heading', { name: 'Keep your account?' })).toBeVisible();
  await page.getByRole('button', { name: 'Keep my account' }).click();
  await expect(page.getByRole('heading', { name: 'Your account stays' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
});
