import axe from 'axe-core';
import { first, isAt, list, openPosts, showPosts } from '#tests/harness/e2e/carousel.ts';
import { expect, test } from '#tests/harness/e2e/kit.ts';

const EVERY_MS = 5_000;
const HOUR_MS = 3_600_000;

test('arrows turn one post at a time, round and round, and dots lead to one', async ({ page, db }) => {
  await openPosts(page, db);
  await page.getByRole('link', { name: 'Post 3 of 9' }).click();
  await isAt(page, 2);
  const next = page.getByRole('button', { name: 'Next posts' });
  await next.click();
  await isAt(page, 3);
  await expect(page.getByRole('link', { name: 'Post 4 of 9' })).toHaveAttribute('aria-current', 'true');
  const back = page.getByRole('button', { name: 'Previous posts' });
  for (const place of [2, 1, 0, 6]) {
    await back.click();
    await isAt(page, place);
  }
  await next.click();
  await isAt(page, 0);
});

test.describe('by itself', () => {
  test.beforeEach(async ({ page, db }) => {
    const start = Date.now();
    await page.clock.install({ time: start });
    await openPosts(page, db);
    // From here on time goes as far as it is told to, and five seconds begin anew.
    await page.clock.pauseAt(start + HOUR_MS);
    await page.getByRole('link', { name: 'Post 1 of 9' }).click();
    await isAt(page, 0);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.mouse.move(1, 1);
  });

  test('it goes on every five seconds, and rests under a pointer, with the focus in it, and when it is told to', async ({
    page,
  }) => {
    await page.clock.runFor(EVERY_MS - 200);
    expect(await first(page)).toBe(0);
    await page.clock.runFor(400);
    await isAt(page, 1);
    await list(page).hover();
    await page.clock.runFor(3 * EVERY_MS);
    expect(await first(page), 'under a pointer').toBe(1);
    await page.mouse.move(1, 1);
    await list(page).focus();
    await page.clock.runFor(3 * EVERY_MS);
    expect(await first(page), 'with the focus').toBe(1);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.mouse.move(1, 1);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.clock.runFor(3 * EVERY_MS);
    expect(await first(page), 'paused').toBe(1);
    await page.getByRole('button', { name: 'Play' }).click();
    await page.mouse.move(1, 1);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.clock.runFor(EVERY_MS + 200);
    await isAt(page, 2);
  });

  test('it moves for nobody who wants less motion, and has nothing to pause', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.clock.runFor(3 * EVERY_MS);
    expect(await first(page)).toBe(0);
    await expect(page.getByRole('button', { name: 'Pause' })).toBeHidden();
    await page.getByRole('button', { name: 'Next posts' }).click();
    await isAt(page, 1);
  });

  test('a swipe over 50 pixels turns one post, a shorter one none', async ({ page }) => {
    // What moves at once can be looked at at once.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const box = (await list(page).boundingBox())!;
    const swipe = async (by: number) => {
      const [x, y] = [box.x + box.width / 2, box.y + 20];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + by, y, { steps: 4 });
      await page.mouse.up();
    };
    await swipe(-51);
    await isAt(page, 1);
    await swipe(-50);
    expect(await first(page)).toBe(1);
    await swipe(51);
    await isAt(page, 0);
  });
});

test('axe finds nothing about the posts, in light and dark', async ({ page, db }) => {
  await page.addInitScript(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await openPosts(page, db);
    const found = await page.evaluate(async () => {
      const { violations } = await window.axe.run();
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
    expect(found).toEqual([]);
  }
});

test('nothing on the page shifts while it loads, on a phone or on a desktop', async ({ page, db }) => {
  await showPosts(db);
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const width of [390, 1366]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/', { waitUntil: 'networkidle' });
    await page.locator('.site-footer').scrollIntoViewIfNeeded();
    await list(page).scrollIntoViewIfNeeded();
    await expect(page.locator('.carousel.is-live')).toBeVisible();
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
    expect(
      shifts.reduce((sum, shift) => sum + shift, 0),
      `${width}: ${shifts}`,
    ).toBeLessThan(0.02);
  }
});
