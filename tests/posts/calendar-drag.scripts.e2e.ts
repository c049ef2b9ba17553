import type { Page } from '@playwright/test';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { expect, notice, test } from '#tests/harness/e2e/kit.ts';
import { aWeek, monday, slot } from '#tests/harness/e2e/week.ts';

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
  // The script that takes posts comes with the first thing done on the page.
  await expect(page.getByText('Drag a post to another time')).toBeVisible();
  await link.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await expect(page.locator(`#day-${monday()} .cal-entry[id]`)).toHaveCount(2);
  await expect(link).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('status', { name: 'Moving a post' })).toHaveText('“One.” stays where it is.');
});

/** Marks the elements of all days and entries. An element that replaces one of them later has no mark. */
const markElements = (page: Page) =>
  page.locator('#calendar :is(.cal-day, .cal-entry)').evaluateAll((elements) => {
    for (const element of elements) Object.assign(element, { wasMarked: true });
  });

const isMarked = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => 'wasMarked' in element);

test('hydration keeps the calendar days that the server rendered', async ({ page, context, db }) => {
  const { actor, page: week } = await aWeek(context, db);
  await saveSettings(db, actor, { daysOff: [monday().add({ days: 4 }).toString()] });
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  let arrival = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await arrival.promise;
    await route.continue();
  });
  for (const address of [week, `/app/scheduled?view=month&month=${monday().toString().slice(0, 7)}`]) {
    arrival = Promise.withResolvers<void>();
    await page.goto(address, { waitUntil: 'commit' });
    const calendar = page.locator('#calendar');
    await expect(calendar.locator('.cal-entry[id]').first()).toBeAttached();
    await page.waitForFunction(() => document.readyState !== 'loading');
    const sent = await calendar.evaluate((element) => element.outerHTML);
    await markElements(page);
    arrival.resolve();
    await page.waitForFunction(() =>
      Object.keys(document.querySelector('#calendar .cal-day')!).some((key) => key.startsWith('__react')),
    );
    expect(await calendar.evaluate((element) => element.outerHTML)).toBe(sent);
    expect(await isMarked(page, `#day-${monday()}`)).toBe(true);
  }
  expect(complaints).toEqual([]);
});

test('a moved post appears on its new day without a page load, and other days keep their elements', async ({
  page,
  context,
  db,
}) => {
  const { one, other, page: week } = await aWeek(context, db);
  await page.goto(week);
  await page.mouse.move(400, 300);
  await expect(page.getByText('Drag a post to another time')).toBeVisible();
  await markElements(page);
  await page.getByRole('link', { name: /09:00 One\./ }).dragTo(page.locator(`[data-slot="${slot(1, 2)}"]`));
  await expect(page.locator(`#day-${monday().add({ days: 1 })} #post-${one}`)).toContainText('14:00 One.');
  await expect(page.locator(`#day-${monday()}`)).not.toContainText('One.');
  await expect(page.locator(`#day-${monday()} [data-slot="${slot(0, 1)}"]`)).toContainText('Open');
  expect(await isMarked(page, `#post-${one}`)).toBe(false);
  expect(await isMarked(page, `#post-${other}`)).toBe(true);
});

test('a post that is moved by its dialog gets the focus on its new day', async ({ page, context, db }) => {
  const { one, page: week } = await aWeek(context, db);
  await page.goto(week);
  await page.mouse.move(400, 300);
  await expect(page.getByText('Drag a post to another time')).toBeVisible();
  await page.getByRole('link', { name: 'Move to… “One.”' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('link', { name: 'Swap with a post' }).click();
  await dialog.getByRole('button', { name: 'Swap with “Other.”' }).click();
  await expect(notice(page, 'Swapped.')).toBeVisible();
  await expect(page.locator(`#day-${monday().add({ days: 2 })} #post-${one} .cal-link`)).toBeFocused();
});
