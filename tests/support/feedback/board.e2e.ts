import { FeedbackInput } from '#app/domain/feedback/schema.ts';
import { submitFeedback } from '#app/domain/feedback/submit.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { expect, hasScripts, newName, notice, signInAs, test } from '#tests/harness/e2e/kit.ts';

const input = (title: string) =>
  FeedbackInput.parse({ type: 'improvement', title, description: `Why: ${title}` });
test('feedback is given, found by others, and voted for', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  // Two names: what has a word in common with it would be offered first.
  const title = `${newName()} ${newName()}`;
  await page.goto('/app/feedback');
  await page.getByRole('link', { name: 'Give feedback' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Give feedback' });
  if (hasScripts()) await expect(dialog.getByLabel('Type')).toBeFocused();
  await dialog.getByLabel('Type').selectOption('Feature request');
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Description').fill('One a week is enough.');
  await dialog.getByText('4★').click();
  await dialog.getByRole('button', { name: 'Submit Feedback' }).click();
  await expect(notice(page, 'Thank you for your feedback! We appreciate it.')).toBeVisible();
  await expect(dialog).toBeHidden();
  await page.getByRole('link', { name: title }).click();
  await expect(page.getByRole('dialog', { name: title })).toContainText('You rated 4 of 5');

  await signInAs(context, db, await makeUser(db));
  await page.goto(`/app/feedback?q=${encodeURIComponent(title)}`);
  const button = page.getByRole('button', { name: `for “${title}”` });
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  for (const [count, pressed] of [
    ['1 vote', 'true'],
    ['0 votes', 'false'],
    ['1 vote', 'true'],
  ] as const) {
    await button.click();
    await expect(button).toHaveAttribute('aria-pressed', pressed);
    await expect(button).toHaveAccessibleName(`${count} for “${title}”`);
    if (hasScripts()) await expect(button).toBeFocused();
    await expect(page).toHaveURL(/q=Q/);
  }
  // What is shown at once is stored a moment later.
  const votes = db.selectFrom('feedback').select('upvotes').where('title', '=', title);
  await expect.poll(async () => (await votes.executeTakeFirstOrThrow()).upvotes).toBe(1);
  await page.reload();
  await expect(button).toHaveAttribute('aria-pressed', 'true');
});

test('what stands on the board already is offered before it is said again', async ({ page, context, db }) => {
  const [other, actor] = [await makeUser(db), await makeUser(db)];
  const name = newName();
  const { id } = await submitFeedback(db, other, input(`Quiet hours for ${name}`));
  await signInAs(context, db, actor);
  await page.goto('/app/feedback?dialog=feedback');
  const dialog = page.getByRole('dialog', { name: 'Give feedback' });
  const found = dialog.getByRole('status').filter({ hasText: 'Is it one of these?' });
  await dialog.getByLabel('Description').fill('At night, please.');
  await dialog.getByLabel('Title').pressSequentially(`Hours that are quiet for ${name}`);
  if (!hasScripts()) await dialog.getByRole('button', { name: 'Submit Feedback' }).click();
  await expect(found).toContainText(`Quiet hours for ${name}`);
  await expect(dialog.getByLabel('Description')).toHaveValue('At night, please.');
  await found.getByRole('button', { name: `Vote for “Quiet hours for ${name}”` }).click();
  await expect(notice(page, 'Your vote counts. Thank you for looking first.')).toBeVisible();
  await expect(dialog).toBeHidden();
  const { upvotes } = await db
    .selectFrom('feedback')
    .select('upvotes')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(upvotes).toBe(1);

  await page.goto('/app/feedback?dialog=feedback');
  await dialog.getByLabel('Title').fill(`Quiet hours for ${name}, and for the phone`);
  await dialog.getByLabel('Description').fill('Both, please.');
  if (!hasScripts()) await dialog.getByRole('button', { name: 'Submit Feedback' }).click();
  await expect(found).toContainText('You voted');
  await dialog.getByRole('button', { name: 'Submit Feedback' }).click();
  await expect(notice(page, 'Thank you for your feedback! We appreciate it.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'and for the phone' })).toBeVisible();
});

test('what is voted for keeps its place while its page is shown', async ({ page, context, db }) => {
  const [author, actor] = [await makeUser(db), await makeUser(db)];
  const name = newName();
  for (const nth of ['First', 'Second', 'Third']) await submitFeedback(db, author, input(`${nth} ${name}`));
  await signInAs(context, db, actor);
  await page.goto(`/app/feedback?q=${name}`);
  const titles = page.getByRole('heading', { level: 2 });
  const order = ['Third', 'Second', 'First'].map((nth) => `${nth} ${name}`);
  await expect(titles).toHaveText(order);
  await page.getByRole('button', { name: `for “First ${name}”` }).click();
  await expect(page.getByRole('button', { name: `1 vote for “First ${name}”` })).toBeVisible();
  if (hasScripts()) await expect(titles).toHaveText(order);
  // What is shown at once is stored a moment later.
  const voted = db.selectFrom('feedback').select('upvotes').where('title', '=', order[2]!);
  await expect.poll(async () => (await voted.executeTakeFirstOrThrow()).upvotes).toBe(1);
  await page.reload();
  await expect(titles).toHaveText([order[2]!, order[0]!, order[1]!]);
});

test('feedback is given in the help of any page, which goes on where it was', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  // Like nothing that stands there already.
  const title = `${newName()} ${newName()}`;
  await page.goto('/app/topics');
  await page.getByRole('link', { name: 'Help', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Help and Support' });
  await dialog.getByRole('link', { name: 'Give Feedback' }).click();
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Description').fill('For each topic.');
  await dialog.getByRole('button', { name: 'Submit Feedback' }).click();
  await expect(notice(page, 'Thank you for your feedback! We appreciate it.')).toBeVisible();
  await expect(page).toHaveURL(/\/app\/topics$/);
  await expect(dialog).toBeHidden();
  await page.goto('/app/feedback?sort=own');
  await expect(page.getByRole('link', { name: title })).toBeVisible();
});
