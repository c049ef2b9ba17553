import { expect, notice, test } from '#tests/harness/e2e/kit.ts';
import { aWeek, slot } from '#tests/harness/e2e/week.ts';

test('a post is moved from the week through the dialog, and back', async ({ page, context, db }) => {
  const { one, slotOf, page: week } = await aWeek(context, db);
  await page.goto(week);
  await page.getByRole('link', { name: 'Move to… “One.”' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move this post' });
  await dialog.getByRole('button', { name: 'Move post' }).click();
  await expect(notice(page, 'The post is planned for')).toBeVisible();
  expect(await slotOf(one)).not.toBe(slot(0, 1));
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(notice(page, 'Undone.')).toBeVisible();
  expect(await slotOf(one)).toBe(slot(0, 1));
  await expect(page.getByRole('link', { name: /One\./ }).first()).toBeVisible();
});

test('a month leads to the months beside it, and to the post', async ({ page, context, db }) => {
  const { page: week } = await aWeek(context, db);
  await page.goto(week);
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Month' }).click();
  await expect(page.getByRole('heading', { level: 2, name: /^\w+ \d{4}$/ })).toBeVisible();
  await page.getByRole('link', { name: /09:00 Other\./ }).click();
  await expect(
    page.getByRole('main').getByRole('listitem').filter({ hasText: 'Other.' }).first(),
  ).toContainText('Edit');
});
