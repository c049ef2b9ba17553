import type { BrowserContext, Page } from '@playwright/test';
import { expect, signInAsPublisher, test } from '#tests/harness/e2e/kit.ts';

/** What steers a browser is not counted, so it says that it does not. `says` is what else the browser says of itself. */
async function asPerson(context: BrowserContext, says: Record<string, unknown> = {}): Promise<void> {
  await context.addInitScript(
    (values) => {
      for (const [name, value] of Object.entries(values))
        Object.defineProperty(navigator, name, { get: () => value });
    },
    { webdriver: false, ...says },
  );
}

/** The answers to what a page tells of visits. */
function answersOf(page: Page): number[] {
  const answers: number[] = [];
  page.on('response', (answer) => {
    if (new URL(answer.url()).pathname === '/api/v1/visits/track') answers.push(answer.status());
  });
  return answers;
}

const sessionOf = (page: Page) => page.evaluate(() => sessionStorage.getItem('visit_session'));

test('a visit is told of on the first load, on every change of pages, and when one goes back', async ({
  page,
  context,
  db,
}) => {
  await signInAsPublisher(context, db);
  await asPerson(context);
  const answers = answersOf(page);
  const stored = (sessionId: string | null) =>
    db.selectFrom('visits').selectAll().where('sessionId', '=', sessionId!).orderBy('id').execute();
  await page.goto('/');
  await expect.poll(() => answers).toEqual([201]);
  const first = await sessionOf(page);
  await page.goto('/app/dashboard', { waitUntil: 'networkidle' });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Topics' }).click();
  await expect(page.getByRole('heading', { name: 'Topics', level: 1 })).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Topics', level: 1 })).toHaveCount(0);
  await expect.poll(() => answers).toEqual([201, 201, 201, 201]);
  const told = ['/', '/app/dashboard', '/app/topics', '/app/dashboard'];
  await expect.poll(async () => (await stored(first)).map((row) => row.page)).toEqual(told);
  for (const row of await stored(first)) {
    expect([row.isReturning, row.screenWidth, row.language]).toEqual([false, 1280, 'en-US']);
  }

  const later = await context.newPage();
  await later.goto('/terms');
  const second = await sessionOf(later);
  expect(second).not.toBe(first);
  await expect.poll(async () => (await stored(second)).length).toBe(1);
  expect((await stored(second))[0]!.isReturning).toBe(true);
});

test('who asks not to be followed, and what is steered by itself, is told of to nobody', async ({
  browser,
  baseURL,
}) => {
  for (const says of [{ doNotTrack: '1' }, { globalPrivacyControl: true }, { webdriver: true }]) {
    const context = await browser.newContext({ baseURL });
    await asPerson(context, says);
    const page = await context.newPage();
    const answers = answersOf(page);
    await page.goto('/', { waitUntil: 'networkidle' });
    await page.goto('/login', { waitUntil: 'networkidle' });
    expect(answers, JSON.stringify(says)).toEqual([]);
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
    await context.close();
  }
});

test('a page whose storage is switched off works and tells nothing', async ({ context, page }) => {
  await asPerson(context);
  await context.addInitScript(() =>
    Object.defineProperty(window, 'sessionStorage', {
      get: () => {
        throw new DOMException('switched off', 'SecurityError');
      },
    }),
  );
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const answers = answersOf(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(answers).toEqual([]);
  expect(errors).toEqual([]);
});
