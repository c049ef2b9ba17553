import { makeUser } from '#tests/make/accounts.ts';
import { cardWith, expect, newName, notice, signInAs, test } from './kit.ts';

test('a topic is created, edited, switched off and deleted', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  const name = `Hiring at ${newName()}`;
  await page.goto('/app/topics');
  await expect(page.getByRole('heading', { name: 'No topics yet' })).toBeVisible();

  await page.getByRole('link', { name: 'Add topic' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a topic' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Keywords').fill('hiring, , interviews,');
  await dialog.getByLabel('Tone').selectOption('Humorous');
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  await expect(notice(page, 'Topic created successfully')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  const card = cardWith(page, name);
  await expect(card).toContainText('2 keywords');
  await expect(card).toContainText('Humorous');

  await card.getByRole('link', { name: 'Edit' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit topic' });
  await expect(editing.getByLabel('Name')).toHaveValue(name);
  await editing.getByLabel('Keywords').fill('hiring');
  await editing.getByLabel('Description').fill('For people who hire their first colleague.');
  await editing.getByRole('button', { name: 'Save topic' }).click();
  await expect(notice(page, 'Topic updated successfully')).toBeVisible();
  await expect(card).toContainText('1 keyword');
  await expect(card).toContainText('For people who hire their first colleague.');

  const isActive = card.getByRole('switch', { name: `${name} is active` });
  await expect(isActive).toHaveAttribute('aria-checked', 'true');
  await isActive.click();
  const asked = page.getByRole('dialog', { name: `Deactivate “${name}”?` });
  await asked.getByRole('link', { name: 'Cancel' }).click();
  await expect(asked).toHaveCount(0);
  await expect(isActive).toHaveAttribute('aria-checked', 'true');
  await isActive.click();
  await asked.getByRole('button', { name: 'Deactivate topic' }).click();
  await expect(notice(page, 'Topic deactivated successfully')).toBeVisible();
  await expect(card).toContainText('Inactive');
  await page.reload();
  await expect(isActive).toHaveAttribute('aria-checked', 'false');
  await isActive.click();
  await expect(notice(page, 'Topic activated successfully')).toBeVisible();

  await card.getByRole('link', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: `Delete “${name}”?` });
  await question.getByRole('link', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await expect(card).toBeVisible();
  await card.getByRole('link', { name: 'Delete' }).click();
  await question.getByRole('button', { name: 'Delete topic' }).click();
  await expect(notice(page, 'Topic deleted successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No topics yet' })).toBeVisible();
});

test('a wrong topic says what is wrong beside the field and keeps what was typed', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  await page.goto('/app/topics?dialog=topic');
  const dialog = page.getByRole('dialog', { name: 'Add a topic' });
  const name = dialog.getByLabel('Name');
  await name.fill('   ');
  await dialog.getByLabel('Description').fill('Kept as it is.');
  await dialog.getByLabel('Keywords').fill('one, two');
  await dialog.getByLabel('Tone').selectOption('Educational');
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  await expect(name).toHaveAccessibleDescription(/Error: Topic name is required/);
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await expect(notice(page, 'Topic name is required')).toBeVisible();
  await expect(dialog.getByLabel('Description')).toHaveValue('Kept as it is.');
  await expect(dialog.getByLabel('Keywords')).toHaveValue('one, two');
  await expect(dialog.getByLabel('Tone')).toHaveValue('educational');

  await name.fill('Second try');
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  await expect(page.getByRole('heading', { name: 'Second try' })).toBeVisible();
  await expect(cardWith(page, 'Second try')).toHaveCount(1);
});

test('a notice leaves the way out of a dialog free on a tablet', async ({ page, context, db }) => {
  await page.setViewportSize({ width: 820, height: 700 });
  await signInAs(context, db, await makeUser(db));
  await page.goto('/app/topics?dialog=topic');
  const dialog = page.getByRole('dialog', { name: 'Add a topic' });
  await dialog.getByLabel('Name').fill('   ');
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  await expect(notice(page, 'Topic name is required')).toBeVisible();
  const toast = (await page.locator('.toast').boundingBox())!;
  const close = dialog.getByRole('link', { name: 'Close' });
  await expect
    .poll(async () => (await close.boundingBox())!.y)
    .toBeGreaterThanOrEqual(toast.y + toast.height);
});
