import type { Page } from '@playwright/test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, standAs, takeOut } from '#tests/fixtures/posts.ts';
import {
  cardWith,
  expect,
  newName,
  open,
  signInAs,
  signInAsPublisher,
  test,
} from '#tests/harness/e2e/kit.ts';

/** No page is answered until `release`. */
async function holdPages(page: Page) {
  let release = () => {};
  const held = new Promise<void>((go) => {
    release = go;
  });
  await page.route(/\.data(?:\?|$)/, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  return release;
}

test('a dialog opens and closes with what its page has, whether or not anybody answers', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const word = newName();
  const id = await makeScheduledPost(db, actor, { content: `The ${word} post.`, dueAt: new Date() });
  await standAs(db, id, { status: 'published', postedAt: new Date() });
  await takeOut(db, id);
  for (const [address, opener, title] of [
    ['/app/payments', 'Cancel plan', 'Cancel your plan?'],
    ['/app/linkedin', 'Disconnect', 'Disconnect LinkedIn?'],
    ['/app/posts', `Delete “The ${word} post.”`, 'Delete this post?'],
  ] as const) {
    await open(page, address);
    await holdPages(page);
    const link = page.getByRole('link', { name: opener });
    await link.click();
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog).toBeVisible();
    await dialog.getByRole('link', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
    await expect(link).toBeFocused();
    await expect(page).toHaveURL(address);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
  await expect(cardWith(page, word)).toBeVisible();
});

test('so do the dialogs of admins', async ({ page, context, db }) => {
  const payer = await makeUser(db, { name: `Ravi ${newName()}` });
  await makePayment(db, payer, 3);
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await open(page, '/app/admin');
  await holdPages(page);
  for (const [opener, title] of [
    ['Verify', 'Verify this payment?'],
    ['Reject', 'Reject this payment?'],
  ] as const) {
    await page.getByRole('link', { name: `${opener} the payment of ${payer.name}` }).click();
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog).toBeVisible();
    await dialog.getByRole('link', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
  }
});

test('where a dialog needs an answer its frame is there at once, and can be left', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  await makeScheduledPost(db, actor, {
    content: `The ${newName()} post.`,
    dueAt: new Date(Date.now() + 86_400_000),
  });
  await open(page, '/app/dashboard');
  const coming = page.getByRole('dialog', { name: 'One moment' });
  for (const [opener, title] of [
    ['Upgrade Plan', 'Upgrade your plan'],
    ['Publish now', 'Publish this post now?'],
  ] as const) {
    const release = await holdPages(page);
    const link = page.getByRole('link', { name: opener });
    await link.click();
    await expect(coming).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(coming).toBeHidden();
    await expect(link).toBeFocused();
    await expect(page).toHaveURL('/app/dashboard');
    await link.click();
    await coming.getByRole('link', { name: 'Cancel' }).click();
    await expect(coming).toBeHidden();
    await link.click();
    await expect(coming).toBeVisible();
    release();
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog).toBeVisible();
    await expect(coming).toHaveCount(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await holdPages(page);
    await dialog.getByRole('link', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
    await expect(link).toBeFocused();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await expect(page).toHaveURL('/app/dashboard');
  }
});
