import { setConnection } from '#tests/fixtures/linkedin.ts';
import { makeScheduledPost } from '#tests/fixtures/posts.ts';
import { cardWith, expect, newName, notice, signInAsPublisher, test } from '#tests/harness/e2e/kit.ts';

test('what went wrong stands in the page when its notice is gone, until somebody goes on', async ({
  page,
  context,
  db,
}, info) => {
  const hasScripts = info.project.name === 'scripts on';
  const actor = await signInAsPublisher(context, db);
  const word = newName();
  const dueAt = new Date(Date.now() + 86_400_000);
  await makeScheduledPost(db, actor, { content: `The ${word} post.`, dueAt });
  const denied = page.getByRole('main').getByText('LinkedIn access was denied');
  await page.goto('/app/linkedin');
  await page.getByRole('button', { name: 'Connect again' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(notice(page, 'LinkedIn access was denied')).toBeVisible();
  await expect(denied).toBeVisible();
  if (hasScripts) await expect(notice(page, 'LinkedIn access was denied')).toHaveCount(0);
  await expect(denied).toBeVisible();

  await page.goto('/app/scheduled');
  await expect(denied).toHaveCount(0);
  await cardWith(page, word).getByRole('link', { name: 'Publish now' }).click();
  const publish = page.getByRole('button', { name: 'Publish now' });
  await expect(publish).toBeVisible();
  await setConnection(db, actor, { status: 'expired' });
  await publish.click();
  const refused = cardWith(page, word).getByText('Please connect LinkedIn first');
  await expect(refused).toBeInViewport();
  if (hasScripts) await expect(notice(page, 'Please connect LinkedIn first')).toHaveCount(0);
  await expect(refused).toBeVisible();
  await page.getByRole('link', { name: 'Post History' }).click();
  await expect(page.getByRole('heading', { name: 'Post History' })).toBeVisible();
  await expect(page.getByText('Please connect LinkedIn first')).toHaveCount(0);
});
