import type { Page } from '@playwright/test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { expect, open, signInAs, test } from '#tests/harness/e2e/kit.ts';

type Left = Window & { left: [address: string, afterMs: number][] };

/** Where the page wants to go, and when by its own clock, which stands still until it is moved on. */
async function openWithClock(page: Page, address: string) {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.addInitScript(() => {
    const left: Left['left'] = [];
    Object.assign(window, { left });
    const { navigation } = window as unknown as { navigation: EventTarget };
    navigation.addEventListener('navigate', (event) => {
      const { destination } = event as unknown as { destination: { url: string } };
      left.push([new URL(destination.url).pathname, Date.now() - 1000]);
      // It stays: what it does without scripts goes by the clock of the wall.
      event.preventDefault();
    });
  });
  await open(page, address);
}

const left = (page: Page) => page.evaluate(() => (window as unknown as Left).left);

for (const [isAdmin, home] of [
  [false, '/app/dashboard'],
  [true, '/app/admin'],
] as const) {
  test(`who is signed in by a provider is taken to ${home} after a second and a half`, async ({
    page,
    context,
    db,
  }) => {
    await signInAs(context, db, await makeUser(db, { isAdmin }));
    await openWithClock(page, '/auth/oauth-callback?provider=google');
    await expect(page.getByRole('heading', { name: 'Welcome!' })).toBeVisible();
    await page.clock.runFor(1499);
    expect((await left(page)).filter(([, after]) => after > 0)).toEqual([]);
    await page.clock.runFor(1);
    expect(await left(page)).toContainEqual([home, 1500]);
  });
}
