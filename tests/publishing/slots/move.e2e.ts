import type { Page } from '@playwright/test';
import type { Db } from '#app/db/client.ts';
import { slotKeyOfPost } from '#app/domain/automation/slots.ts';
import { makeScheduledPost, readPost } from '#tests/fixtures/posts.ts';
import {
  cardWith,
  expect,
  newName,
  notice,
  openLine,
  signInAsPublisher,
  test,
} from '#tests/harness/e2e/kit.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const slotOf = async (db: Db, id: string) => slotKeyOfPost(await readPost(db, id));
const undo = (page: Page) =>
  page.getByRole('status', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).click();

test('a post is moved to a free time, swapped with another one, and both are taken back', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const [word, other] = [newName(), newName()];
  const id = await makeScheduledPost(db, actor, { content: `The ${word} post.`, dueAt: inDays(2) });
  const otherId = await makeScheduledPost(db, actor, { content: `The ${other} post.`, dueAt: inDays(3) });
  const [slot, otherSlot] = [await slotOf(db, id), await slotOf(db, otherId)];
  await page.goto('/app/scheduled');

  await cardWith(page, word).getByRole('link', { name: 'Move to…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move this post' });
  await expect(dialog).toContainText(`“The ${word} post.”`);
  await expect(dialog).toContainText('Times in');
  const time = dialog.getByRole('radio').last();
  const chosen = await time.getAttribute('value');
  await time.check();
  await dialog.getByRole('button', { name: 'Move post' }).click();
  await expect(notice(page, 'The post is planned for')).toBeVisible();
  expect(await slotOf(db, id)).toBe(chosen);
  await undo(page);
  await expect(notice(page, 'Undone.')).toBeVisible();
  expect(await slotOf(db, id)).toBe(slot);

  await openLine(cardWith(page, word));
  await cardWith(page, word).getByRole('link', { name: 'Swap' }).click();
  const swapping = page.getByRole('dialog', { name: 'Swap this post' });
  await swapping.getByRole('button', { name: `Swap with “The ${other} post.”` }).click();
  await expect(notice(page, 'Swapped.')).toBeVisible();
  expect([await slotOf(db, id), await slotOf(db, otherId)]).toEqual([otherSlot, slot]);
  await undo(page);
  await expect.poll(() => slotOf(db, id)).toBe(slot);
  expect(await slotOf(db, otherId)).toBe(otherSlot);
});

test('the ways to move a post lead to each other, and the dialog closes to its list', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(2) });
  await page.goto(`/app/scheduled?move=${id}`);
  await page.getByRole('link', { name: 'Later times' }).click();
  await expect(page).toHaveURL(/&from=/);
  await page.getByRole('link', { name: 'Back to the soonest' }).click();
  await expect(page).not.toHaveURL(/&from=/);
  await page.getByRole('link', { name: 'Swap with a post' }).click();
  await expect(page.getByRole('dialog')).toContainText('No other post waits for a time to come.');
  await page.getByRole('link', { name: 'Free times' }).click();
  await page.getByRole('link', { name: 'Keep its time' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(/\/app\/scheduled$/);
});
