import type { BrowserContext, Page } from '@playwright/test';
import type { Db } from '#app/db/client.ts';
import type { SettingsChange } from '#app/domain/automation/schema.ts';
import { getSettings } from '#app/domain/automation/settings.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { expect, notice, open, signInAsPublisher, test, wake } from '#tests/harness/e2e/kit.ts';

/** Opens the settings; what is changed elsewhere comes with the next answer, here that of the switch. */
async function openForm(page: Page, context: BrowserContext, db: Db) {
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  await open(page, '/app/dashboard?settings');
  await wake(page, 'Save All Settings');
  const changeElsewhere = async (change: SettingsChange) => {
    await saveSettings(db, actor, change);
    const isActive = await page.getByRole('switch', { name: 'Active' }).isVisible();
    await page.getByRole('switch', { name: /Active|Paused/ }).click();
    // It looks pressed before it is answered; this comes with the page that shows what was set.
    await expect(notice(page, isActive ? 'Automation paused' : 'Automation enabled!')).toBeVisible();
    await expect(page.getByText(/One post a day/)).toContainText(
      change.requireApproval === false ? 'goes out by itself' : 'you approve each',
    );
  };
  return { actor, changeElsewhere };
}

const fieldsOn = (page: Page) => ({
  asks: page.getByRole('radio', { name: /Ask me/ }),
  goesOut: page.getByRole('radio', { name: /by itself/ }),
  tuesday: page.getByRole('checkbox', { name: 'tuesday' }),
  zone: page.getByLabel('Time zone'),
  time: page.getByLabel('Publish time 1'),
  written: page.getByLabel('Content generation time'),
});

async function save(page: Page) {
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  await expect(notice(page, 'Settings saved successfully!')).toBeVisible();
}

const ELSEWHERE: SettingsChange = {
  requireApproval: true,
  publishDays: ['monday'],
  timeZone: 'Asia/Tokyo',
  contentCreationTime: '03:30',
};
const storedOf = async (db: Db, actor: Actor) => {
  const { requireApproval, publishDays, timeZone, contentCreationTime, publishTimes } = await getSettings(
    db,
    actor,
  );
  return { requireApproval, publishDays, timeZone, contentCreationTime, publishTimes };
};

test('settings in which nobody typed follow what is set elsewhere, whole', async ({ page, context, db }) => {
  const { actor, changeElsewhere } = await openForm(page, context, db);
  const { publishTimes } = await getSettings(db, actor);
  const { asks, goesOut, tuesday, zone, written } = fieldsOn(page);
  await asks.check();
  await goesOut.check();
  await written.focus();
  await changeElsewhere(ELSEWHERE);
  await expect(asks).toBeChecked();
  await expect(tuesday).not.toBeChecked();
  await expect(zone).toHaveValue('Asia/Tokyo');
  await expect(written).toHaveValue('03:30');
  const next = page.getByRole('status').filter({ hasText: 'Next publish times' });
  await expect(next).toContainText('Times in Asia/Tokyo');
  await expect(next.getByText(/^Mon, /)).toHaveCount(5);
  await save(page);
  expect(await storedOf(db, actor)).toEqual({ ...ELSEWHERE, publishTimes });
  await changeElsewhere({ ...ELSEWHERE, requireApproval: false });
  await expect(goesOut).toBeChecked();
});

test('who stands in a field of the settings stays there when they follow', async ({ page, context, db }) => {
  const { actor } = await openForm(page, context, db);
  const { written } = fieldsOn(page);
  const run = { userId: actor.userId, requested: 1, status: 'running' } as const;
  await db
    .insertInto('generationRuns')
    .values({ ...run, leaseUntil: new Date(Date.now() + 600_000) })
    .execute();
  // It brings the page up to date from now on.
  await page.getByRole('switch', { name: 'Active' }).click();
  await expect(notice(page, 'Automation paused')).toBeVisible();
  await written.focus();
  await saveSettings(db, actor, ELSEWHERE);
  await expect(written).toHaveValue('03:30');
  await expect(written).toBeFocused();
});

test('what is typed into the settings stays when others are set elsewhere, and is all that is saved', async ({
  page,
  context,
  db,
}) => {
  const { actor, changeElsewhere } = await openForm(page, context, db);
  const { asks, tuesday, zone, time, written } = fieldsOn(page);
  await time.fill('05:45');
  await changeElsewhere({ ...ELSEWHERE, publishTimes: ['06:10'] });
  await expect(time).toHaveValue('05:45');
  await changeElsewhere({ publishTimes: ['07:20'] });
  await expect(time).toHaveValue('05:45');
  await save(page);
  expect(await storedOf(db, actor)).toEqual({ ...ELSEWHERE, publishTimes: ['05:45'] });
  await expect(asks).toBeChecked();
  await expect(tuesday).not.toBeChecked();
  await expect(zone).toHaveValue('Asia/Tokyo');
  await expect(written).toHaveValue('03:30');
  await expect(time).toHaveValue('05:45');
});

test('settings that get no answer stay as they were typed when others were set elsewhere', async ({
  page,
  context,
  db,
}) => {
  const { actor } = await openForm(page, context, db);
  const { time, zone } = fieldsOn(page);
  await time.fill('05:45');
  await zone.selectOption('America/Bogota');
  await saveSettings(db, actor, ELSEWHERE);
  await page.route(/\.data/, (route) =>
    route.request().method() === 'POST' ? route.abort('connectionreset') : route.continue(),
  );
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to save settings' })).toBeVisible();
  await expect(page.getByText(/you approve each/)).toBeVisible();
  await expect(time).toHaveValue('05:45');
  await expect(zone).toHaveValue('America/Bogota');
  await page.unrouteAll();
  await save(page);
  const mine = { publishTimes: ['05:45'], timeZone: 'America/Bogota' };
  expect(await storedOf(db, actor)).toEqual({ ...ELSEWHERE, ...mine });
});

test('what is typed while the settings are saved stays, and is saved next', async ({ page, context, db }) => {
  const { actor } = await openForm(page, context, db);
  const { time, written } = fieldsOn(page);
  const held = Promise.withResolvers<void>();
  await page.route('**/app/dashboard.data*', async (route) => {
    const answered = await route.fetch({ maxRedirects: 0 });
    await held.promise;
    await route.fulfill({ response: answered });
  });
  await time.fill('05:45');
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  await expect(page.getByRole('button', { name: 'Saving…' })).toBeVisible();
  await written.fill('04:44');
  held.resolve();
  await expect(notice(page, 'Settings saved successfully!')).toBeVisible();
  await expect(page.getByText('Every day, 05:45, UTC')).toBeVisible();
  await expect(written).toHaveValue('04:44');
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  await expect(page.getByText(/One post a day, written at 04:44/)).toBeVisible();
  const { publishTimes, contentCreationTime } = await getSettings(db, actor);
  expect([publishTimes, contentCreationTime]).toEqual([['05:45'], '04:44']);
});
