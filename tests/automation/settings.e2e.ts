import type { Page } from '@playwright/test';
import { getSettings } from '#app/domain/automation/settings.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { expect, notice, openSettings, signInAsPublisher, test } from '#tests/harness/e2e/kit.ts';

const nextTimes = (page: Page) => page.getByRole('status').filter({ hasText: 'Next publish times' });
const SEVEN = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

test('days are left out in the settings, and what comes next is shown', async ({
  page,
  context,
  db,
  javaScriptEnabled,
}) => {
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  await page.goto('/app/dashboard');
  await expect(page.getByText(/^Every day, .*, UTC$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save All Settings' })).toBeHidden();
  await openSettings(page);
  for (const day of SEVEN.slice(1)) await page.getByRole('checkbox', { name: day }).uncheck();
  const dayOff = Temporal.Now.plainDateISO('UTC').add({ days: 40 }).toString();
  await page.getByLabel('Add day off 1').fill(dayOff);
  if (javaScriptEnabled) await expect(nextTimes(page).getByText(/^Mon, /)).toHaveCount(5);
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  await expect(notice(page, 'Settings saved successfully!')).toBeVisible();
  await expect(page.getByText(/^Mondays, .*, UTC$/)).toBeVisible();
  await openSettings(page);
  await expect(nextTimes(page).getByText(/^Mon, /)).toHaveCount(5);
  await expect(nextTimes(page)).toContainText('Times in UTC');
  const { publishDays, daysOff } = await getSettings(db, actor);
  expect([publishDays, daysOff]).toEqual([['monday'], [dayOff]]);
  // The labels of days off have a comma, those of the week have none.
  await page.getByRole('checkbox', { name: ',' }).uncheck();
  await page.getByRole('checkbox', { name: 'monday' }).uncheck();
  if (javaScriptEnabled) await expect(nextTimes(page)).toContainText('Choose at least one day of the week');
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  await expect(page.getByText('Error: Choose at least one day of the week')).toBeVisible();
  expect((await getSettings(db, actor)).publishDays).toEqual(['monday']);
});

test('on a narrow phone every time can be read whole', async ({ page, context, db }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  await page.goto('/app/dashboard?settings');
  for (const field of await page
    .getByLabel(/^(?:Publish time|Add day off) \d$|^Content generation time$/)
    .all()) {
    const { width } = (await field.boundingBox())!;
    expect(width).toBeGreaterThanOrEqual(150);
  }
  for (const label of await page.locator('label:has(input[type=checkbox])').all()) {
    expect((await label.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test('another time zone is chosen from all that there are', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  await page.goto('/app/dashboard');
  await openSettings(page);
  const select = page.getByLabel('Time zone');
  expect(await select.getByRole('option').count()).toBeGreaterThan(400);
  await expect(select).toHaveValue('UTC');
  await select.selectOption({ label: 'Tokyo' });
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  await expect(notice(page, 'Settings saved successfully!')).toBeVisible();
  await expect(page.getByText(/, Asia\/Tokyo$/)).toBeVisible();
  await page.getByRole('link', { name: 'Close' }).click();
  await expect(select).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Change settings' })).toBeVisible();
  expect((await getSettings(db, actor)).timeZone).toBe('Asia/Tokyo');
});

test('of two tabs the older one takes nothing back that the other has set', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  await page.goto('/app/dashboard?settings');
  await page.getByLabel('Content generation time').fill('05:45');
  await saveSettings(db, actor, { requireApproval: true, publishDays: ['monday'], timeZone: 'Asia/Tokyo' });
  // What is refused goes on with what it began with.
  await page.getByLabel('Publish time 1').fill('noon');
  const form = page.locator('form').filter({ hasText: 'Save All Settings' });
  await form.evaluate((element: HTMLFormElement) => element.setAttribute('novalidate', ''));
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  await expect(page.getByText('Error: Please give a time as HH:MM')).toBeVisible();
  await page.getByLabel('Publish time 1').fill('11:20');
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  await expect(page.getByText('Mondays, 11:20, Asia/Tokyo')).toBeVisible();
  await expect(page.getByText(/written at 05:45 · you approve each/)).toBeVisible();
  await openSettings(page);
  await expect(page.getByRole('radio', { name: /Ask me/ })).toBeChecked();
  await expect(page.getByLabel('Time zone')).toHaveValue('Asia/Tokyo');
});
