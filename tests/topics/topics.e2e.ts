import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { failTopic, makeTopic } from '#tests/fixtures/posts.ts';
import {
  cardWith,
  expect,
  mailTo,
  newName,
  notice,
  signInAs,
  signInAsPublisher,
  test,
} from '#tests/harness/e2e/kit.ts';

test('a topic is created, edited, switched off and deleted', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  const name = `Hiring at ${newName()}`;
  await page.goto('/app/topics');
  await expect(page.getByRole('heading', { name: 'No topics yet' })).toBeVisible();

  await page.getByRole('link', { name: 'Add topic' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a topic' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Keywords').fill('hiring, , interviews,');
  await dialog.getByLabel('Tone').selectOption('Humorous');
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  await expect(notice(page, 'Topic created successfully')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  const card = cardWith(page, name);
  await expect(card).toContainText('2 keywords');
  await expect(card).toContainText('Humorous');

  await card.getByRole('link', { name: 'Edit' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit topic' });
  await expect(editing.getByLabel('Name')).toHaveValue(name);
  await editing.getByLabel('Keywords').fill('hiring');
  await editing.getByLabel('Description').fill('For people who hire their first colleague.');
  await editing.getByRole('button', { name: 'Save topic' }).click();
  await expect(notice(page, 'Topic updated successfully')).toBeVisible();
  await expect(card).toContainText('1 keyword');
  await expect(card).toContainText('For people who hire their first colleague.');

  const isActive = card.getByRole('switch', { name: `${name} is active` });
  await expect(isActive).toHaveAttribute('aria-checked', 'true');
  await isActive.click();
  const asked = page.getByRole('dialog', { name: `Deactivate “${name}”?` });
  await asked.getByRole('link', { name: 'Cancel' }).click();
  await expect(asked).toHaveCount(0);
  await expect(isActive).toHaveAttribute('aria-checked', 'true');
  await isActive.click();
  await asked.getByRole('button', { name: 'Deactivate topic' }).click();
  await expect(notice(page, 'Topic deactivated successfully')).toBeVisible();
  await expect(card).toContainText('Inactive');
  await page.reload();
  await expect(isActive).toHaveAttribute('aria-checked', 'false');
  await isActive.click();
  await expect(notice(page, 'Topic activated successfully')).toBeVisible();

  await card.getByRole('link', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: `Delete “${name}”?` });
  await question.getByRole('link', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await expect(card).toBeVisible();
  await card.getByRole('link', { name: 'Delete' }).click();
  await question.getByRole('button', { name: 'Delete topic' }).click();
  await expect(notice(page, 'Topic deleted successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No topics yet' })).toBeVisible();
});

test('a wrong topic says what is wrong beside the field and keeps what was typed', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  await page.goto('/app/topics?dialog=topic');
  const dialog = page.getByRole('dialog', { name: 'Add a topic' });
  const name = dialog.getByLabel('Name');
  await name.fill('   ');
  await dialog.getByLabel('Description').fill('Kept as it is.');
  await dialog.getByLabel('Keywords').fill('one, two');
  await dialog.getByLabel('Tone').selectOption('Educational');
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  await expect(name).toHaveAccessibleDescription(/Error: Topic name is required/);
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await expect(notice(page, 'Topic name is required')).toBeVisible();
  await expect(dialog.getByLabel('Description')).toHaveValue('Kept as it is.');
  await expect(dialog.getByLabel('Keywords')).toHaveValue('one, two');
  await expect(dialog.getByLabel('Tone')).toHaveValue('educational');

  await name.fill('Second try');
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  await expect(page.getByRole('heading', { name: 'Second try' })).toBeVisible();
  await expect(cardWith(page, 'Second try')).toHaveCount(1);
});

test('a notice leaves the way out of a dialog free on a tablet', async ({ page, context, db }) => {
  await page.setViewportSize({ width: 820, height: 700 });
  await signInAs(context, db, await makeUser(db));
  await page.goto('/app/topics?dialog=topic');
  const dialog = page.getByRole('dialog', { name: 'Add a topic' });
  await dialog.getByLabel('Name').fill('   ');
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  await expect(notice(page, 'Topic name is required')).toBeVisible();
  const toast = (await page.locator('.toast').boundingBox())!;
  const close = dialog.getByRole('link', { name: 'Close' });
  await expect
    .poll(async () => (await close.boundingBox())!.y)
    .toBeGreaterThanOrEqual(toast.y + toast.height);
});

test('a topic that could not be written is paused, its owner is told why, and resumes it', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const name = `Hiring at ${newName()}`;
  const { id } = await makeTopic(db, actor, name);
  await failTopic(db, id);
  const mail = await mailTo(actor.email, /is paused$/);
  expect(mail.subject).toBe(`Your topic “${name}” is paused`);
  expect(mail.text).toContain('The last time: the writer declined to write about it.');
  const { pathname, search } = new URL(/http\S+topics\?edit=\S+/.exec(mail.text)![0]);

  await page.goto(pathname + search);
  const editing = page.getByRole('dialog', { name: 'Edit topic' });
  await editing.getByLabel('Description').fill('For people who hire their first colleague.');
  await editing.getByRole('button', { name: 'Save topic' }).click();
  const card = cardWith(page, name);
  await expect(card).toContainText(
    'It could not be written 3 times in a row. The last time: the writer declined',
  );
  await expect(card).toContainText('Its turns are left out until you resume it.');
  await expect(card).not.toContainText('Next turn');
  await card.getByRole('button', { name: 'Resume' }).click();
  await expect(notice(page, `“${name}” has its turns again`)).toBeVisible();
  await expect(card).toContainText('Next turn');
  await expect(card.getByRole('button', { name: 'Resume' })).toHaveCount(0);
});

test('a topic is paused until a day, and has its turns again after one press', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const name = `Hiring at ${newName()}`;
  await makeTopic(db, actor, name);
  await page.goto('/app/topics');
  const card = cardWith(page, name);
  await card.getByRole('link', { name: 'Pause until' }).click();
  const dialog = page.getByRole('dialog', { name: `Pause “${name}”` });
  const day = dialog.getByLabel('Pause until');
  const chosen = await day.inputValue();
  expect(chosen).toMatch(/^\d{4}-\d\d-\d\d$/);
  // What the browser would not send is refused by the server, too.
  await page.locator('dialog form').evaluate((form: HTMLFormElement) => form.setAttribute('novalidate', ''));
  await day.fill('2020-01-01');
  await dialog.getByRole('button', { name: 'Pause topic' }).click();
  await expect(day).toHaveAccessibleDescription(/Error: Please choose a day from tomorrow on/);
  await day.fill(chosen);
  await dialog.getByRole('button', { name: 'Pause topic' }).click();
  await expect(notice(page, `“${name}” has no turns until `)).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(card.getByRole('time').first()).toHaveAttribute('datetime', new RegExp(`^${chosen}`));
  await expect(card).toContainText('Paused until');
  await card.getByRole('button', { name: 'Resume' }).click();
  await expect(card).not.toContainText('Paused until');
  await expect(card).toContainText('Next turn');
});

test('a post that is asked for on its card is read from there, and waits or not as its topic says', async ({
  page,
  context,
  db,
}) => {
  test.setTimeout(240_000);
  const actor = await signInAsPublisher(context, db);
  await saveSettings(db, actor, { requireApproval: true });
  const names = [`Hiring at ${newName()}`, `Memos at ${newName()}`] as const;
  for (const name of names) await makeTopic(db, actor, name);
  await page.goto('/app/topics');
  const trusted = cardWith(page, names[0]);
  await trusted.getByRole('link', { name: 'Edit' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit topic' });
  await editing.getByLabel('Approval').selectOption('Publish by itself');
  await editing.getByRole('button', { name: 'Save topic' }).click();
  await expect(trusted).toContainText('Publish by itself');
  for (const [name, state] of [
    [names[0], 'Scheduled'],
    [names[1], 'Pending approval'],
  ] as const) {
    await page.goto('/app/topics');
    const card = cardWith(page, name);
    await card.getByRole('button', { name: 'Write one now' }).click();
    await expect(card).toContainText('A post about it is being written');
    await expect(card.getByRole('button', { name: 'Write one now' })).toHaveCount(0);
    await card.getByRole('link', { name: 'Read it' }).click({ timeout: 40_000 });
    await expect(page).toHaveURL(/\/app\/scheduled.*#post-/);
    const post = page.locator(new URL(page.url()).hash);
    await expect(post).toContainText(name);
    await expect(post).toContainText(state);
  }
});

test('a topic on a later page is acted on where it stands', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const name = `Hiring at ${newName()}`;
  const values = Array.from({ length: 62 }, (_, nth) => ({
    userId: actor.userId,
    name: nth === 1 ? name : `Topic number ${nth + 1}`,
    keywords: [],
    createdAt: new Date(Date.now() - (62 - nth) * 60_000),
  }));
  await db.insertInto('topics').values(values).execute();
  await page.goto('/app/topics');
  await expect(cardWith(page, name)).toHaveCount(0);
  await page.getByRole('link', { name: 'Older topics' }).click();
  const card = cardWith(page, name);
  await expect(card).toBeVisible();
  const stands = async () => {
    await expect(page).toHaveURL(/\?cursor=/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(card).toBeVisible();
  };
  const isActive = card.getByRole('switch');
  await isActive.click();
  await page
    .getByRole('dialog', { name: `Deactivate “${name}”?` })
    .getByRole('link', { name: 'Cancel' })
    .click();
  await stands();
  await isActive.click();
  await page.getByRole('button', { name: 'Deactivate topic' }).click();
  await expect(isActive).toHaveAttribute('aria-checked', 'false');
  await stands();
  await isActive.click();
  await expect(notice(page, 'Topic activated successfully')).toBeVisible();
  await stands();
  await card.getByRole('link', { name: 'Pause until' }).click();
  await page.getByRole('button', { name: 'Pause topic' }).click();
  await expect(card).toContainText('Paused until');
  await stands();
  await card.getByRole('button', { name: 'Resume' }).click();
  await expect(card).not.toContainText('Paused until');
  await stands();
  await card.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Description').fill('For people who hire.');
  await page.getByRole('button', { name: 'Save topic' }).click();
  await expect(card).toContainText('For people who hire.');
  await stands();
  await card.getByRole('link', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete topic' }).click();
  await expect(card).toHaveCount(0);
  await expect(page).toHaveURL(/\?cursor=/);
  await expect(cardWith(page, 'Topic number 1')).toBeVisible();
});
