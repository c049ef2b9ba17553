import type { BrowserContext } from '@playwright/test';
import type { Db } from '#app/db/client.ts';
import { keyOfPost } from '#app/domain/queue/chosen-slot.ts';
import { saveSettings } from '#app/domain/queue/refit.ts';
import { weekOf } from '#app/routes/posts/calendar-span.ts';
import { makePublisher, makeScheduledPost, readPost } from '#tests/make/posts.ts';
import { expect, notice, sandboxUrl, signInAs, test } from './kit.ts';

/** A Monday far enough for a whole week to come. */
const monday = () => {
  const today = Temporal.Now.plainDateISO('UTC');
  return today.add({ days: 15 - today.dayOfWeek });
};

/** Somebody with posts on the Monday and the Wednesday of a week to come, at 09:00, and its page. */
async function aWeek(context: BrowserContext, db: Db) {
  const actor = { ...(await makePublisher(db, sandboxUrl(), 2)), timeZone: 'UTC' };
  await saveSettings(db, actor, { timeZone: 'UTC', publishTimes: ['09:00', '14:00'] });
  await signInAs(context, db, actor);
  const make = (days: number, content: string) =>
    makeScheduledPost(db, actor, { content, dueAt: new Date(`${monday().add({ days })}T09:00:00Z`) });
  const [one, other] = [await make(0, 'One.'), await make(2, 'Other.')];
  const slotOf = async (id: string) => keyOfPost(await readPost(db, id));
  return { one, other, slotOf, page: `/app/scheduled?view=week&week=${weekOf(monday())}` };
}
const slot = (days: number, number: number) => `${monday().add({ days })} ${number}`;

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

test('a post is dragged to an open time, and onto another one, which gets its own', async ({
  page,
  context,
  db,
}, info) => {
  test.skip(info.project.name === 'scripts off', 'Dragging needs scripts.');
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

test('a post is moved with the keys alone, which say where it goes', async ({ page, context, db }, info) => {
  test.skip(info.project.name === 'scripts off', 'The keys need scripts.');
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
