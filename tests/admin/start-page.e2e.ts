import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePublished, makeShownAuthor } from '#tests/fixtures/published-posts.ts';
import { showPosts } from '#tests/harness/e2e/carousel.ts';
import { expect, signInAs, test } from '#tests/harness/e2e/kit.ts';

const DESK = '/app/admin/start-page';

test('an admin takes a post off the start page with a reason, and puts it back', async ({
  page,
  context,
  db,
}) => {
  await showPosts(db);
  const topicName = `Sailing ${crypto.randomUUID().slice(0, 8)}`;
  await makePublished(db, await makeShownAuthor(db), { topicName });
  const isShown = page.locator('.shown-post').filter({ hasText: topicName });
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await page.goto('/');
  await expect(isShown).toHaveCount(1);

  await page.goto(DESK);
  await page.getByRole('link', { name: new RegExp(`^Take off the post about ${topicName}`) }).click();
  const dialog = page.getByRole('dialog', { name: 'Take this post off the start page?' });
  await dialog.getByLabel('Reason').fill('It names a customer');
  await dialog.getByRole('button', { name: 'Take off' }).click();
  await expect(page.getByText('The post is off the start page')).toBeVisible();
  const takenOff = page.getByRole('listitem').filter({ hasText: topicName });
  await expect(takenOff.getByText('It names a customer', { exact: true })).toBeVisible();
  await page.goto('/');
  await expect(isShown).toHaveCount(0);

  await page.goto(DESK);
  await page.getByRole('link', { name: new RegExp(`^Put back the post about ${topicName}`) }).click();
  const other = page.getByRole('dialog', { name: 'Let this post be shown again?' });
  await other.getByLabel('Reason').fill('The customer agreed');
  await other.getByRole('button', { name: 'Put back' }).click();
  await expect(page.getByText('The post may be shown again')).toBeVisible();
  await page.goto('/');
  await expect(isShown).toHaveCount(1);
});
