import { makeTopic } from '#tests/make/posts.ts';
import { expect, notice, test } from './kit.ts';
import { aWeek, monday, slot } from './week.ts';

test('a post is dragged to an open time, and onto another one, which gets its own', async ({
  page,
  context,
  db,
}) => {
  const { one, other, slotOf, page: week } = await aWeek(context, db);
  await page.goto(week);
  await page.mouse.move(400, 300);
  await expect(page.getByText('Drag a post to another time')).toBeVisible();
  const link = page.getByRole('link', { name: /09:00 One\./ });
  await link.dragTo(page.locator(`[data-slot="${slot(1, 2)}"]`));
  await expect(notice(page, 'The post is planned for')).toBeVisible();
  expect(await slotOf(one)).toBe(slot(1, 2));
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(notice(page, 'Undone.')).toBeVisible();
  expect(await slotOf(one)).toBe(slot(0, 1));
  await page
    .getByRole('link', { name: /09:00 One\./ })
    .dragTo(page.getByRole('link', { name: /09:00 Other\./ }));
  await expect(notice(page, 'Swapped.')).toBeVisible();
  expect([await slotOf(one), await slotOf(other)]).toEqual([slot(2, 1), slot(0, 1)]);
});

test('a post is moved with the keys alone, which say where it goes', async ({ page, context, db }) => {
  const { one, slotOf, page: week } = await aWeek(context, db);
  await page.goto(week);
  await page.mouse.move(400, 300);
  await expect(page.getByText('Drag a post to another time')).toBeVisible();
  const said = page.getByRole('status', { name: 'Moving a post' });
  await page.getByRole('link', { name: /09:00 One\./ }).focus();
  await page.keyboard.press('Space');
  await expect(said).toContainText('“One.” is taken from Mon');
  await page.keyboard.press('ArrowRight');
  await expect(said).toContainText(/^Tue, .* 09:00, open$/);
  await page.keyboard.press('Escape');
  await expect(said).toContainText('stays where it is');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(said).toContainText('swap with “Other.”');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(notice(page, 'The post is planned for')).toBeVisible();
  expect(await slotOf(one)).toBe(slot(2, 2));
  await expect(page.locator(`#post-${one} a`).first()).toBeFocused();
});

test('what has the focus keeps it while another time of its day is filled', async ({ page, context, db }) => {
  const { actor, page: week } = await aWeek(context, db);
  await makeTopic(db, actor);
  await page.goto(week);
  const fill = page.locator(`[data-slot="${slot(0, 2)}"]`).getByRole('button', { name: 'Fill it' });
  await fill.click();
  // A quick writer is through before anybody reads "Writing…".
  await expect(fill).toHaveCount(0);
  const link = page.getByRole('link', { name: /09:00 One\./ });
  await link.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await expect(page.locator(`#day-${monday()} .cal-entry[id]`)).toHaveCount(2);
  await expect(link).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('status', { name: 'Moving a post' })).toHaveText('“One.” stays where it is.');
});
