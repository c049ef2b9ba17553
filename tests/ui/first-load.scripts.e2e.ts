import { gzipSync } from 'node:zlib';
import type { Page, Response } from '@playwright/test';
import { FIRST_LOAD_MOST } from '#scripts/build/first-load.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { expect, signInAs, signInAsPublisher, test } from '#tests/harness/e2e/kit.ts';

/** Every answer of ours that a page gets until the network rests: the pictures of people are LinkedIn's to send. */
async function answersTo(page: Page, address: string): Promise<Response[]> {
  const answers: Response[] = [];
  page.on('response', (response) => answers.push(response));
  await page.goto(address, { waitUntil: 'networkidle' });
  const { origin } = new URL(page.url());
  return answers.filter((answer) => answer.url().startsWith(`${origin}/`));
}

test('the first load of the dashboard brings no more scripts than goal G4 allows', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  const answers = await answersTo(page, '/app/dashboard');
  const scripts = answers.filter((answer) => /javascript/.test(answer.headers()['content-type'] ?? ''));
  const addresses = scripts.map((answer) => new URL(answer.url()).pathname);
  expect(addresses.length, addresses.join('\n')).toBeLessThanOrEqual(FIRST_LOAD_MOST.files);
  const bodies = await Promise.all(scripts.map((script) => script.body()));
  const bytes = bodies.reduce((total, body) => total + gzipSync(body, { level: 6 }).length, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_MOST.scripts * 1000);
});

test('a link is followed without loading a document, by what its page shows', async ({
  page,
  context,
  db,
}) => {
  await signInAsPublisher(context, db);
  await page.goto('/app/dashboard', { waitUntil: 'networkidle' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.resourceType()} ${new URL(request.url()).pathname}`));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Topics' }).click();
  await expect(page.getByRole('heading', { name: 'Topics', level: 1 })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Topics' }).first()).toHaveAttribute('aria-current', 'page');
  expect(asked).toContain('fetch /app/topics.data');
  expect(asked.filter((line) => line.startsWith('document'))).toEqual([]);
});

test('a dialog fetched on demand opens in place, and Escape closes it', async ({ page, context, db }) => {
  await signInAsPublisher(context, db);
  await page.goto('/app/dashboard', { waitUntil: 'networkidle' });
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await page.getByRole('link', { name: 'Upgrade Plan' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upgrade your plan' });
  await expect(dialog).toBeVisible();
  await expect.poll(() => fetched.some((path) => /\/dialog-[\w-]+\.js$/.test(path))).toBe(true);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/app\/dashboard$/);
});

test('who does nothing before they ask for a free post is led to where it is written', async ({
  page,
  context,
  db,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const actor = await makeUser(db);
  await makeTopic(db, actor);
  await signInAs(context, db, actor);
  await page.goto('/app/dashboard', { waitUntil: 'networkidle' });
  await page.getByRole('link', { name: 'Write a free post' }).evaluate((link: HTMLElement) => link.click());
  const button = page.getByRole('main').getByRole('button', { name: 'Generate now' });
  await expect(button).toBeInViewport();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Posts', { exact: true })).toBeFocused();
});

test('a link leads on at once for who presses it without a pointer or a key', async ({
  page,
  context,
  db,
}) => {
  await signInAsPublisher(context, db);
  await page.goto('/app/dashboard', { waitUntil: 'networkidle' });
  const dialog = page.getByRole('dialog', { name: 'Upgrade your plan' });
  await page.getByRole('link', { name: 'Upgrade Plan' }).evaluate((link: HTMLElement) => link.click());
  await expect(dialog).toBeVisible();
  await page.reload({ waitUntil: 'networkidle' });
  await page.goBack();
  await expect(dialog).toHaveCount(0);
});

test('a page is painted before its fonts have arrived', async ({ page }) => {
  await page.route('**/*.woff2', () => {});
  for (const address of ['/', '/login']) {
    const asked = page.waitForRequest('**/*.woff2');
    await page.goto(address, { waitUntil: 'commit' });
    await asked;
    const painted = () => performance.getEntriesByName('first-contentful-paint').length;
    await expect.poll(() => page.evaluate(painted)).toBe(1);
    // Any other value hides text for up to 3 s while its font is on its way.
    const displays = await page.evaluate(() =>
      [...document.fonts].filter(({ status }) => status === 'loading').map(({ display }) => display),
    );
    expect(new Set(displays)).toEqual(new Set(['swap']));
  }
});
