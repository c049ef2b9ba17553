import { listFacts } from '#app/domain/voice/fact-list.ts';
import { INTERVIEW } from '#app/domain/voice/limits.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { cardWith, expect, notice, signInAs, test } from '#tests/harness/e2e/kit.ts';

test('somebody says how they sound, and gives an example', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  await page.goto('/app/topics');
  await page.getByRole('link', { name: 'Fill in your voice' }).click();
  await expect(page.getByRole('heading', { name: 'Your voice', level: 1 })).toBeVisible();
  await page.getByLabel('Headline').fill('Foreman of a boat yard');
  await page.getByLabel('Audience').fill('people who own wooden boats');
  await page.getByLabel('Words to avoid').fill('leverage, synergy');
  await page.getByLabel('Language of your posts').selectOption('Deutsch');
  await page.getByRole('radio', { name: 'An emoji where it fits' }).check();
  await page.getByRole('button', { name: 'Save voice' }).click();
  await expect(notice(page, 'Your voice is saved')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Headline')).toHaveValue('Foreman of a boat yard');
  await expect(page.getByLabel('Words to avoid')).toHaveValue('leverage, synergy');
  await expect(page.getByRole('radio', { name: 'An emoji where it fits' })).toBeChecked();

  await page.getByRole('link', { name: 'Paste a post' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste a post of yours' });
  await dialog
    .getByLabel('Text')
    .fill(`On Tuesdays I walk the yard. ${'Nobody brings a tablet. '.repeat(8)}`);
  await dialog.getByRole('button', { name: 'Keep as an example' }).click();
  await expect(dialog).toHaveCount(0);
  const example = page.getByRole('main').getByRole('listitem').filter({ hasText: 'On Tuesdays' });
  await expect(example).toBeVisible();
  await example.getByRole('link', { name: /Remove/ }).click();
  const asked = page.getByRole('dialog', { name: 'Remove this example?' });
  await expect(asked).toContainText('On Tuesdays I walk the yard.');
  await asked.getByRole('button', { name: 'Remove example' }).click();
  await expect(notice(page, 'Example removed')).toBeVisible();
  await expect(example).toHaveCount(0);
  await page.goto('/app/topics');
  await expect(page.getByRole('region', { name: 'Your voice' })).toContainText(
    'Foreman of a boat yard · for people who own wooden boats · Deutsch',
  );
});

test('a fact is added to a topic, changed and deleted', async ({ page, context, db }) => {
  const actor = await makeUser(db);
  const { name } = await makeTopic(db, actor);
  await signInAs(context, db, actor);
  await page.goto('/app/topics');
  await cardWith(page, name)
    .getByRole('link', { name: /Add a fact/ })
    .click();
  await expect(page.getByRole('heading', { name: 'Facts', level: 1 })).toBeVisible();
  const fact = page.getByLabel('Fact', { exact: true });
  await fact.fill('We lift 40 boats a year with one crane');
  await page.getByRole('button', { name: 'Add fact' }).click();
  await expect(notice(page, 'Fact added')).toBeVisible();
  await expect(fact).toHaveValue('');
  const line = cardWith(page, 'We lift 40 boats');
  await expect(line).toContainText('A number');
  await expect(line).toContainText(name);

  await line.getByRole('link', { name: /Edit/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit fact' });
  await dialog.getByLabel('Fact').fill('We lift 41 boats a year with one crane');
  await dialog.getByLabel('For').selectOption('All topics');
  await dialog.getByLabel('Kind').selectOption('Something you did');
  await dialog.getByRole('button', { name: 'Save fact' }).click();
  await expect(notice(page, 'Fact saved')).toBeVisible();
  await expect(page.getByText('No facts for this topic yet.')).toBeVisible();
  await page.getByLabel('Show').selectOption({ label: 'For all topics (1)' });
  await page.getByRole('button', { name: 'Show' }).click();
  const changed = cardWith(page, 'We lift 41 boats');
  await expect(changed).toContainText('All topics');

  await changed.getByRole('link', { name: /Delete/ }).click();
  const asked = page.getByRole('dialog', { name: 'Delete this fact?' });
  await asked.getByRole('link', { name: 'Cancel' }).click();
  await expect(asked).toHaveCount(0);
  await changed.getByRole('link', { name: /Delete/ }).click();
  await asked.getByRole('button', { name: 'Delete fact' }).click();
  await expect(notice(page, 'Fact deleted')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No facts yet' })).toBeVisible();
});

test('a newcomer answers questions, leaves, comes back and finishes', async ({ page, context, db }) => {
  const actor = await makeUser(db);
  await signInAs(context, db, actor);
  await page.goto('/app/topics');
  await page.getByRole('link', { name: 'Answer them' }).click();
  const asked = (at: number) => page.getByRole('textbox', { name: INTERVIEW[at]!.ask });
  await asked(0).fill('We rebuilt the slipway in nine weeks');
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await expect(asked(1)).toHaveValue('');
  await page.getByRole('button', { name: 'Skip this one' }).click();
  await expect(asked(2)).toBeVisible();

  await page.goto('/app/topics');
  await page.getByRole('link', { name: 'Answer them' }).click();
  await expect(asked(1)).toBeVisible();
  await page.getByRole('link', { name: INTERVIEW[0]!.ask }).click();
  await expect(asked(0)).toHaveValue('We rebuilt the slipway in nine weeks');
  await page.getByRole('link', { name: INTERVIEW[4]!.ask }).click();
  await asked(4).fill('How do I know that a plank is rotten?');
  await page.getByRole('button', { name: 'Save and finish' }).click();
  await expect(notice(page, '2 answers are facts now')).toBeVisible();
  await expect(cardWith(page, 'How do I know that a plank is rotten?')).toContainText(
    'A question people ask you',
  );
  expect((await listFacts(db, actor, { limit: 10 })).rows).toHaveLength(2);
  await page.goto('/app/topics');
  await expect(page.getByRole('link', { name: 'Answer them' })).toHaveCount(0);
});

test('the questions can be put away where they are offered', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  await page.goto('/app/dashboard');
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(notice(page, 'The questions are put away.')).toBeVisible();
  await expect(page.getByText('Five questions')).toHaveCount(0);
});
