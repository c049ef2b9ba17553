import { makeUser } from '#tests/fixtures/accounts.ts';
import { expect, signInAs, test } from '#tests/harness/e2e/kit.ts';

test('what is far too long is not taken, and stays where it was typed', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  await page.goto('/app/topics?dialog=topic');
  const dialog = page.getByRole('dialog', { name: 'Add a topic' });
  const typed = 'x'.repeat(70_000);
  await dialog.getByLabel('Name').fill('Long');
  await dialog.getByLabel('Description').fill(typed);
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  await expect(page.getByText('That is more than we can take in one form')).toBeVisible();
  await expect(dialog.getByLabel('Description')).toHaveValue(typed);

  await dialog.getByLabel('Description').fill('Shorter');
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  await expect(page.getByRole('heading', { name: 'Long' })).toBeVisible();
});
