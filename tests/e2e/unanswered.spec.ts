import type { Page } from '@playwright/test';
import { makeUser } from '#tests/make/accounts.ts';
import { makePublisher, makeTopic } from '#tests/make/posts.ts';
import { cardWith, expect, newEmail, newName, notice, sandboxUrl, signInAs, test } from './kit.ts';

/** With its scripts: before them the browser sends a form by itself. */
const open = (page: Page, address: string) => page.goto(address, { waitUntil: 'networkidle' });

/** The scripts of what stands below the posts come when its reader does something. */
async function wake(page: Page, button: string) {
  await page.mouse.move(9, 9);
  await expect
    .poll(() => page.getByRole('button', { name: button }).evaluate((element) => Object.keys(element).join()))
    .toContain('__react');
}

/** Nobody answers a form. */
const cutForms = (page: Page, kind = 'connectionrefused') =>
  page.route(/\.data/, (route) =>
    route.request().method() === 'POST' ? route.abort(kind) : route.continue(),
  );

/** Somebody on the way answers in the place of the server. */
const answerForms = (page: Page, status: number, body: string) =>
  page.route(/\.data/, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status, body }) : route.continue(),
  );

test('a dialog that gets no answer stays with what was typed, and can be sent again', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  await open(page, '/app/topics?dialog=topic');
  const name = `Budgets at ${newName()}`;
  const dialog = page.getByRole('dialog', { name: 'Add a topic' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Description').fill('Typed on a train.');
  await cutForms(page, 'connectionreset');
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  const sentence = 'Failed to save topic. It may have arrived: look before you do it again.';
  await expect(dialog.getByRole('alert')).toContainText(sentence);
  await expect(dialog.getByRole('alert')).toBeFocused();
  await expect(notice(page, sentence)).toBeVisible();
  await expect(dialog.getByLabel('Name')).toHaveValue(name);
  await expect(dialog.getByLabel('Description')).toHaveValue('Typed on a train.');
  await expect(page).toHaveURL('/app/topics?dialog=topic');

  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  await expect(notice(page, 'Topic created successfully')).toBeVisible();
  await expect(cardWith(page, name)).toBeVisible();
});

test('settings that a faulty server does not take stay as they were set', async ({ page, context, db }) => {
  const actor = await makePublisher(db, sandboxUrl());
  await makeTopic(db, actor);
  await signInAs(context, db, actor);
  await open(page, '/app/dashboard');
  await wake(page, 'Save All Settings');
  await page.getByLabel('Time zone').selectOption('America/Bogota');
  await answerForms(page, 502, '<h1>Bad gateway</h1>');
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  const sentence = 'Failed to save settings. The fault is on our side. Try again in a minute.';
  await expect(notice(page, sentence)).toBeVisible();
  await expect(page.getByLabel('Time zone')).toHaveValue('America/Bogota');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  await expect(notice(page, 'Settings saved successfully!')).toBeVisible();
});

test('a switch that nobody heard goes back, and says so until its reader goes on', async ({
  page,
  context,
  db,
}) => {
  const actor = await makeUser(db);
  await makeTopic(db, actor);
  await signInAs(context, db, actor);
  await open(page, '/app/topics');
  await context.setOffline(true);
  await page.getByRole('switch').click();
  const sentence =
    'Failed to toggle topic status. Nobody answered. Try again in a moment, or load the page again.';
  await expect(notice(page, sentence)).toBeVisible();
  await expect(page.getByRole('switch')).toHaveAttribute('aria-checked', 'true');
  await expect(notice(page, sentence)).toHaveCount(0);
  await expect(page.getByRole('main').getByText(sentence)).toBeVisible();
  await context.setOffline(false);
  await open(page, '/app/topics');
  await page.getByRole('switch').click();
  await expect(notice(page, 'Topic deactivated successfully')).toBeVisible();
});

test('what a server says of a form comes before our own words', async ({ page }) => {
  await open(page, '/login');
  const email = newEmail();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('a password');
  await answerForms(page, 429, 'Too many requests. Wait a minute.');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(notice(page, 'Too many requests. Wait a minute.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.unrouteAll();
  await cutForms(page);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(notice(page, 'Login failed. Nobody answered.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
});

test('a page that a faulty server cannot show leaves the others in reach, and can be asked for again', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  await open(page, '/app/topics');
  const main = page.getByRole('navigation', { name: 'Main' });
  await page.route(/payments\.data/, (route) => route.fulfill({ status: 503, body: 'away' }));
  await main.getByRole('link', { name: 'Payment History' }).click();
  await expect(page.getByRole('heading', { name: 'Failed to load payment history' })).toBeFocused();
  await expect(page).toHaveTitle(/Failed to load payment history/);
  await expect(page.getByText('Your scheduled posts are safe and will still go out.')).toBeVisible();
  await page.getByRole('link', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Failed to load payment history' })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('link', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Payment History' })).toBeVisible();
});

test('who leaves a topic with something typed is asked, and keeps it or not', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  await open(page, '/app/topics?dialog=topic');
  const dialog = page.getByRole('dialog', { name: 'Add a topic' });
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  const name = `Budgets at ${newName()}`;
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('link', { name: 'Close' }).click();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(question).toHaveCount(0);
  await expect(dialog.getByLabel('Name')).toHaveValue(name);
  await dialog.getByLabel('Name').focus();
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL('/app/topics');
});
