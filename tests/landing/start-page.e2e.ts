import type { BrowserContext } from '@playwright/test';
import type { Db } from '#app/db/client.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeConnection } from '#tests/fixtures/linkedin.ts';
import { makePublished } from '#tests/fixtures/published-posts.ts';
import { list, openPosts, showPosts } from '#tests/harness/e2e/carousel.ts';
import { expect, hasScripts, signInAs, test } from '#tests/harness/e2e/kit.ts';

const WIDTHS = { 1024: 3, 640: 2, 390: 1 };

test('the posts stand three, two or one beside each other, with what their authors agreed to', async ({
  page,
  db,
}) => {
  await openPosts(page, db);
  for (const [width, count] of Object.entries(WIDTHS)) {
    await page.setViewportSize({ width: Number(width), height: 844 });
    const { wide, one } = await list(page).evaluate((element) => ({
      wide: element.clientWidth,
      one: (element.children[1] as HTMLElement).offsetLeft - (element.children[0] as HTMLElement).offsetLeft,
    }));
    expect(Math.round(wide / one), width).toBe(count);
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
    expect(scrollWidth, 'nothing widens the page').toBe(clientWidth);
    const shown = page.locator('.carousel-dots a:visible');
    expect(await shown.count(), 'a dot for each place').toBe(9 - count + 1);
  }
  const card = list(page).getByRole('listitem').filter({ hasText: 'Note ' }).first();
  expect((await card.locator('.shown-text').innerText()).length).toBeLessThanOrEqual(150);
  await expect(card.locator('.shown-tags span')).toHaveText(['#One', '#Two', '#Three']);
  await expect(card.getByRole('link', { name: /^View the post about/ })).toHaveAttribute(
    'href',
    /\/feed\/update\/urn:li:share:/,
  );
});

test('a dot is a link to its post, and what only scripts could move is not there without them', async ({
  page,
  db,
}) => {
  await openPosts(page, db);
  const fifth = list(page).getByRole('listitem').nth(4);
  await expect(fifth).not.toBeInViewport();
  await page.getByRole('link', { name: 'Post 5 of 9' }).click();
  await expect(fifth).toBeInViewport({ ratio: 0.9 });
  for (const name of ['Next posts', 'Previous posts', 'Pause'])
    await expect(page.getByRole('button', { name })).toBeVisible({ visible: hasScripts() });
});

const author = async (context: BrowserContext, db: Db) => {
  const actor = await makeUser(db);
  await makeConnection(db, actor);
  await signInAs(context, db, actor);
  const topicName = `Mending ${crypto.randomUUID().slice(0, 8)}`;
  await makePublished(db, actor, { topicName });
  return topicName;
};

test('who lets a post be shown finds it on the start page, and takes it from there again', async ({
  page,
  context,
  db,
}) => {
  await showPosts(db);
  const topicName = await author(context, db);
  const isShown = page.locator('.shown-post').filter({ hasText: topicName });
  await page.goto('/');
  await expect(isShown).toHaveCount(0);
  for (const isOn of [true, false]) {
    await page.goto('/app/account');
    const toggle = page.getByRole('switch', { name: 'Show my newest post on the start page' });
    await expect(toggle).toHaveAttribute('aria-checked', `${!isOn}`);
    await toggle.click();
    await expect(page.getByText(isOn ? /^On since/ : /^Off\./)).toBeVisible();
    await page.goto('/');
    await expect(isShown).toHaveCount(isOn ? 1 : 0);
  }
});
