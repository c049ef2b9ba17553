import { makeUser } from '#tests/fixtures/accounts.ts';
import { expect, open, signInAs, test } from '#tests/harness/e2e/kit.ts';

test('closing the dialog forgets what was typed, Escape closes it, and the focus returns', async ({
  page,
  context,
  db,
}) => {
  const actor = await makeUser(db);
  await signInAs(context, db, actor);
  await open(page, '/app/topics');
  const help = page.getByRole('link', { name: 'Help', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Help and Support' });
  await help.click();
  await dialog.getByLabel('Subject').fill('Never sent');
  await dialog.getByLabel('Name').fill('Somebody else');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/app\/topics$/);
  await expect(help).toBeFocused();
  await help.click();
  await expect(dialog.getByLabel('Subject')).toHaveValue('');
  await expect(dialog.getByLabel('Name')).toHaveValue(actor.name);
  await dialog.getByLabel('Email').fill('two@people.example, three@people.example');
  await dialog.getByLabel('Email').evaluate((field: HTMLInputElement) => field.setAttribute('type', 'text'));
  await dialog.getByLabel('Subject').fill('Kept');
  await dialog.getByLabel('Message').fill('Kept, too');
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await expect(dialog.getByText('Please enter one valid email address')).toBeVisible();
  await expect(dialog.getByLabel('Subject')).toHaveValue('Kept');
  await expect(page).toHaveURL(/help=support/);
});
