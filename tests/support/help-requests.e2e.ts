import { expect, newName, notice, signInAsPublisher, test } from '#tests/harness/e2e/kit.ts';

const SUBMITTED = "Support request submitted! We'll reply via email soon.";

test('who is signed in asks from the page that they are at, and reads it under their requests', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const subject = `Clocks of ${newName()}`;
  await page.goto('/app/topics');
  await page.getByRole('link', { name: 'Help', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Help and Support' });
  await expect(dialog.getByLabel('Name')).toHaveValue(actor.name);
  await expect(dialog.getByLabel('Email')).toHaveValue(actor.email);
  await dialog.getByLabel('Category').selectOption('Billing');
  await dialog.getByLabel('Subject').fill(subject);
  await dialog.getByLabel('Message').fill('Whose clock is it?');
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await expect(notice(page, SUBMITTED)).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/app\/topics$/);
  await page.getByRole('link', { name: 'Help', exact: true }).click();
  await dialog.getByRole('link', { name: 'Your requests' }).click();
  await page.getByRole('main').getByRole('link', { name: subject }).click();
  await page.getByLabel('Your message').fill('It says 09:00.');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByRole('main').getByText('It says 09:00.')).toBeVisible();
});

test('a visitor asks from the sign-in page, and finds answers from the start page', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Help', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Help and Support' });
  await dialog.getByLabel('Name').fill(newName());
  await dialog.getByLabel('Email').fill('somebody@people.example');
  await dialog.getByLabel('Subject').fill(`No code for ${newName()}`);
  await dialog.getByLabel('Message').fill('It does not come.');
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await expect(notice(page, SUBMITTED)).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto('/');
  await page.getByRole('link', { name: 'Help', exact: true }).first().click();
  await page.getByRole('searchbox').fill('refund');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('Can I change or cancel my plan?')).toBeVisible();
});

test('a visitor asks by the form of the page of help, and reads the number of the request', async ({
  page,
}) => {
  await page.goto('/help');
  const form = page.getByRole('region', { name: 'Get Support' });
  await page.setViewportSize({ width: 390, height: 844 });
  await form.getByLabel('Name').fill(newName());
  await form.getByLabel('Email').fill('somebody@people.example');
  await form.getByLabel('Subject').fill(`Times of ${newName()}`);
  await form.getByLabel('Message').fill(' ');
  await form.getByRole('button', { name: 'Send request' }).click();
  await expect(form.getByText('Please write a message')).toBeInViewport();
  await form.getByLabel('Message').fill('One hour early.');
  await form.getByRole('button', { name: 'Send request' }).click();
  await expect(notice(page, SUBMITTED)).toBeVisible();
  const arrived = form.getByText(/Its number is #\d+/);
  await expect(arrived).toBeInViewport();
  await expect(arrived.locator('xpath=../..')).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await expect(form.getByLabel('Message')).toHaveValue('');
});

test('a page of admins says to others who they are, and leads on: to likely places, and to the answers', async ({
  page,
  context,
  db,
}) => {
  const { email } = await signInAsPublisher(context, db);
  const answer = await page.goto('/app/admin');
  expect(answer?.status()).toBe(403);
  const main = page.getByRole('main');
  await expect(main.getByText(`You are signed in as ${email}.`)).toBeVisible();
  const places = main.getByRole('navigation', { name: 'Likely places' }).getByRole('link');
  await expect(places).toHaveText(['Go to the dashboard', 'Scheduled Posts', 'Post History']);
  await main.getByLabel('Or search the answers').fill('refund');
  await main.getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL(/\/help\?q=refund$/);
  await expect(page.getByText('Can I change or cancel my plan?')).toBeVisible();
});
