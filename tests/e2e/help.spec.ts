import { expect, newName, notice, signInAsPublisher, test } from './kit.ts';

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
