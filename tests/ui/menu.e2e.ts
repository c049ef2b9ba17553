import { makeUser } from '#tests/fixtures/accounts.ts';
import { expect, signInAs, test } from '#tests/harness/e2e/kit.ts';

test.use({ viewport: { width: 390, height: 844 } });

test('on a phone the whole menu opens over the page, closes again, and leads elsewhere', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  await page.goto('/app/dashboard');
  const menu = page.getByRole('navigation', { name: 'Main' });
  const more = page.getByRole('button', { name: 'More' });
  await expect(menu).toBeHidden();
  for (const close of [
    () => page.getByRole('button', { name: 'Close menu' }).click(),
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(380, 400),
  ]) {
    await more.click();
    await expect(menu.getByRole('link')).toHaveCount(6);
    await expect(page.getByRole('button', { name: 'Log out' })).toBeInViewport();
    await close();
    await expect(menu).toBeHidden();
  }
  await more.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.locator('#menu :focus')).toHaveCount(1);
  await menu.getByRole('link', { name: 'Payment History' }).click();
  await expect(page.getByRole('heading', { name: 'Payment History', level: 1 })).toBeVisible();
  await expect(menu).toBeHidden();
});

test('where there is room the menu stands beside the page, without a way to close it', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  for (const width of [820, 1366]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/app/dashboard');
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveCount(6);
    await expect(page.getByRole('button', { name: /menu|More/ })).toHaveCount(0);
    const [menu, main] = [
      await page.locator('#menu').boundingBox(),
      await page.locator('main').boundingBox(),
    ];
    expect([menu!.x, menu!.y, menu!.height]).toEqual([0, 0, 800]);
    expect(main!.x).toBe(menu!.width);
  }
});
