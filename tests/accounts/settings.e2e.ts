import { listOptOuts, unsubscribeLink } from '#app/domain/email/choices.ts';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { codeMailedTo, enterCode, expect, newEmail, notice, signInAs, test } from '#tests/harness/e2e/kit.ts';

const NEW = 'quite another password';

test('from the sidebar to the account, where the name is changed, and refused when there is none', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  await page.goto('/app/topics');
  await page.getByRole('link', { name: /Account/ }).click();
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
  await page.getByLabel('Full name').fill('  ');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByText('Error: Please enter your name')).toBeVisible();
  await page.getByLabel('Full name').fill('Grace Hopper');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(notice(page, 'Your name is saved')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Grace Hopper Account' })).toBeVisible();
  await page.getByRole('link', { name: 'Open your voice' }).click();
  await expect(page.getByRole('heading', { name: 'Your voice', level: 1 })).toBeVisible();
});

test('all pages of the account are in reach of a thumb, and a name that is written from right to left begins at its beginning', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db, { name: 'مرحبا بالعالم الواسع والبعيد جدا جدا جدا' }));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/app/account');
  const tabs = page.getByRole('navigation', { name: 'Account' });
  const [shown, whole] = await tabs.evaluate((nav) => [nav.clientWidth, nav.scrollWidth]);
  expect(whole).toBe(shown);
  const name = page.locator('.side-user > span');
  expect(await name.evaluate((span) => getComputedStyle(span).direction)).toBe('rtl');
});

test('another address is asked for with the password and taken with the mailed code', async ({
  page,
  context,
  db,
}) => {
  const actor = await makeUser(db);
  await signInAs(context, db, actor);
  const email = newEmail();
  await page.goto('/app/account');
  await page.getByRole('link', { name: 'Change email' }).click();
  await page.getByLabel('New email').fill(email);
  await page.getByLabel('Your password', { exact: true }).fill('not this one');
  await page.getByRole('button', { name: 'Mail the code' }).click();
  await expect(page.getByText('Error: This is not your password')).toBeVisible();
  await expect(page.getByLabel('New email')).toHaveValue(email);
  await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Mail the code' }).click();
  await expect(page.getByText(`code that was mailed to ${email}`)).toBeVisible();
  await enterCode(page, await codeMailedTo(email), 'Change email');
  await expect(notice(page, 'Your email is changed. You are signed out everywhere else')).toBeVisible();
  await expect(page.locator('#email')).toContainText(email);
});

test('another password is chosen, and the sign-in wants it', async ({ page, context, db }) => {
  const { email, ...actor } = await makeUser(db);
  await signInAs(context, db, { ...actor, email });
  await page.goto('/app/account');
  await page.getByRole('link', { name: 'Change password' }).click();
  await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill(NEW);
  await page.getByLabel('Confirm password', { exact: true }).fill(NEW);
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(notice(page, 'Your password is saved. You are signed out everywhere else')).toBeVisible();
  await page.getByRole('button', { name: 'Log out' }).first().click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(NEW);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(notice(page, 'Welcome back!')).toBeVisible();
});

test('time zone and colours are chosen', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  await page.goto('/app/account');
  await page.getByRole('link', { name: 'Change time zone' }).click();
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await page.getByRole('button', { name: 'Save time zone' }).click();
  await expect(notice(page, 'Your time zone is saved')).toBeVisible();
  await expect(page.getByText(/^Asia\/Tokyo, where it is/)).toBeVisible();
  await page.getByRole('radio', { name: 'Dark' }).check();
  await page.getByRole('button', { name: 'Use these colours' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page).toHaveURL(/\/app\/account/);
});

test('emails are chosen on their page, and ended by the link of a mail without signing in', async ({
  page,
  context,
  db,
}) => {
  const { userId, email, ...rest } = await makeUser(db);
  const { pathname, search } = new URL(unsubscribeLink({ userId, address: email }, 'topics'));
  await page.goto(pathname + search);
  await page.getByRole('button', { name: 'Stop these emails' }).click();
  await expect(page.getByRole('heading', { name: 'These emails have ended' })).toBeVisible();
  expect(await listOptOuts(db, userId)).toEqual(['topics']);
  await signInAs(context, db, { userId, email, ...rest });
  await page.getByRole('link', { name: 'Choose all your emails' }).click();
  const topics = page.getByRole('checkbox', { name: /Paused topics/ });
  await expect(topics).not.toBeChecked();
  await topics.check();
  await page.getByRole('checkbox', { name: /Reminders/ }).uncheck();
  await page.getByRole('button', { name: 'Save emails' }).click();
  await expect(notice(page, 'Your choice of emails is saved')).toBeVisible();
  expect(await listOptOuts(db, userId)).toEqual(['reminders']);
});
