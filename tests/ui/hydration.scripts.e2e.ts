import type { Page } from '@playwright/test';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { transactionId } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, makeTopic, standAs } from '#tests/fixtures/posts.ts';
import { expect, newName, notice, signInAs, signInAsPublisher, test } from '#tests/harness/e2e/kit.ts';

/** Keeps every script on its way until `arrive` is called; that ends when the page has come to life. */
async function holdScripts(page: Page) {
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  return async () => {
    held.resolve();
    await page.waitForFunction(() =>
      Object.keys(document.querySelector('form') ?? {}).some((key) => key.startsWith('__react')),
    );
  };
}

test('what was typed into the sign-in form before scripts came stays and is sent', async ({ page, db }) => {
  const { email } = await makeUser(db);
  const arrive = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await arrive();
  await expect(page.getByRole('button', { name: 'Show password' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(notice(page, 'Welcome back!')).toBeVisible();
});

test('what was typed into a dialog before scripts came stays and is sent', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  const name = `Budgets at ${newName()}`;
  const arrive = await holdScripts(page);
  await page.goto('/app/topics?dialog=topic', { waitUntil: 'commit' });
  const dialog = page.getByRole('dialog', { name: 'Add a topic' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Description').fill('Typed early.');
  await dialog.getByLabel('Tone').selectOption('Casual');
  await arrive();
  await expect(dialog.getByLabel('Name')).toHaveValue(name);
  await expect(dialog.getByLabel('Description')).toHaveValue('Typed early.');
  await expect(dialog.getByLabel('Tone')).toHaveValue('casual');
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
});

test('whoever types in a dialog as scripts come goes on in the field that they are in', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  const arrive = await holdScripts(page);
  await page.goto('/app/feedback?dialog=feedback', { waitUntil: 'commit' });
  const title = page.getByRole('dialog', { name: 'Give feedback' }).getByLabel('Title');
  await title.pressSequentially('Hours that');
  await arrive();
  await expect(page.locator('dialog:modal')).toBeVisible();
  await page.keyboard.type(' are quiet');
  await expect(title).toHaveValue('Hours that are quiet');
});

test('nothing in a dialog moves when scripts come, however far it was scrolled', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  for (const viewport of [
    { width: 390, height: 500 },
    { width: 1366, height: 400 },
  ]) {
    await page.setViewportSize(viewport);
    const arrive = await holdScripts(page);
    await page.goto('/app/topics?dialog=topic', { waitUntil: 'commit' });
    const dialog = page.getByRole('dialog', { name: 'Add a topic' });
    const button = dialog.getByRole('button', { name: 'Create topic' });
    await button.scrollIntoViewIfNeeded();
    await expect(button).toBeInViewport();
    await page.evaluate(() => document.fonts.ready);
    const before = await button.boundingBox();
    await arrive();
    await expect(dialog.and(page.locator(':modal'))).toBeVisible();
    expect(await button.boundingBox()).toEqual(before);
    await page.unroute('**/assets/*.js');
  }
});

test('a dialog that was shown before scripts came does not rise again; one that is opened does', async ({
  page,
  context,
  db,
}) => {
  await signInAsPublisher(context, db);
  await page.addInitScript(() => {
    const risen: string[] = [];
    Object.assign(window, { risen });
    document.addEventListener('animationstart', ({ animationName }) => risen.push(animationName));
  });
  const risen = () => page.evaluate(() => (window as unknown as { risen: string[] }).risen);
  const arrive = await holdScripts(page);
  await page.goto('/app/feedback?dialog=feedback', { waitUntil: 'commit' });
  const dialog = page.getByRole('dialog', { name: 'Give feedback' });
  await expect(dialog).toBeVisible();
  await arrive();
  await expect(dialog.and(page.locator(':modal'))).toBeVisible();
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  expect(await risen()).not.toContain('rise');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('link', { name: 'Give feedback' }).first().click();
  await expect(dialog).toBeVisible();
  await expect.poll(risen).toContain('rise');
});

test('a transaction ID typed before scripts came can be sent', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  const transaction = transactionId();
  const arrive = await holdScripts(page);
  await page.goto('/app/dashboard?dialog=subscribe&step=2&posts=3&currency=INR', { waitUntil: 'commit' });
  const dialog = page.getByRole('dialog', { name: 'Complete your payment' });
  await dialog.getByLabel('Transaction ID').fill(transaction);
  await arrive();
  await expect(dialog.getByRole('button', { name: 'Copy' })).toHaveCount(3);
  await dialog.getByRole('button', { name: 'Submit', exact: true }).click();
  await expect(notice(page, 'Payment proof submitted! Waiting for admin verification.')).toBeVisible();
});

test('who leaves what was typed before scripts came is asked', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  const arrive = await holdScripts(page);
  await page.goto('/app/topics?dialog=topic', { waitUntil: 'commit' });
  const dialog = page.getByRole('dialog', { name: 'Add a topic' });
  await dialog.getByLabel('Name').fill('Typed early');
  await arrive();
  await page.waitForLoadState('networkidle');
  await dialog.getByRole('link', { name: 'Close' }).click();
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
});

test('what was written into a post before scripts came stays, with the caret, and is saved', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const dueAt = new Date(Date.now() + 86_400_000);
  const id = await makeScheduledPost(db, actor, { content: 'As it was.', dueAt });
  const arrive = await holdScripts(page);
  await page.goto(`/app/scheduled?edit=${id}`, { waitUntil: 'commit' });
  await expect(page.getByLabel('Picture description')).toBeHidden();
  await page.getByLabel('Image URL').fill('https://pictures.example/pier.png');
  await page.getByLabel('Picture description').fill('A pier at noon');
  await page.getByLabel('Content').press('End');
  await page.keyboard.type(' Typed, early.');
  for (const _ of ', early.') await page.keyboard.press('ArrowLeft');
  await arrive();
  await expect(page.getByRole('button', { name: 'Done' })).toBeVisible();
  await page.keyboard.type(' rather');
  await expect(page.getByLabel('Content')).toHaveValue('As it was. Typed rather, early.');
  await expect(page.getByLabel('Picture description')).toHaveValue('A pier at noon');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByLabel('Content')).toHaveCount(0);
  const { content } = await db
    .selectFrom('posts')
    .select('content')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(content).toBe('As it was. Typed rather, early.');
});

test('the caret stays where it was moved to just before React took the page over', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const dueAt = new Date(Date.now() + 86_400_000);
  const id = await makeScheduledPost(db, actor, { content: 'As it was.', dueAt });
  // React begins with a message to itself: by then the page's own scripts have run.
  await page.addInitScript(() => {
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (...message: [unknown]) {
      MessagePort.prototype.postMessage = post;
      if (document.activeElement instanceof HTMLTextAreaElement)
        document.activeElement.setSelectionRange(5, 5);
      post.apply(this, message);
    };
  });
  const arrive = await holdScripts(page);
  await page.goto(`/app/scheduled?edit=${id}`, { waitUntil: 'commit' });
  await page.getByLabel('Content').focus();
  await arrive();
  await expect(page.getByRole('button', { name: 'Done' })).toBeVisible();
  await page.keyboard.type(', typed,');
  await expect(page.getByLabel('Content')).toHaveValue('As it, typed, was.');
});

test('what was set in the settings before scripts came stays and is sent', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  const arrive = await holdScripts(page);
  await page.goto('/app/dashboard?settings', { waitUntil: 'commit' });
  await page.getByLabel('Time zone').selectOption('America/Bogota');
  await page.getByLabel('Publish time 1').fill('17:05');
  await page.getByRole('radio', { name: /Ask me before each post/ }).check();
  await arrive();
  await expect(page.getByLabel('Time zone')).toHaveValue('America/Bogota');
  await expect(page.getByLabel('Publish time 1')).toHaveValue('17:05');
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  await expect(notice(page, 'Settings saved successfully!')).toBeVisible();
  await page.goto('/app/dashboard?settings');
  await expect(page.getByLabel('Time zone')).toHaveValue('America/Bogota');
  await expect(page.getByLabel('Publish time 1')).toHaveValue('17:05');
  await expect(page.getByRole('radio', { name: /Ask me before each post/ })).toBeChecked();
});

test('the prices follow what was chosen in the plan dialog before scripts came', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  const arrive = await holdScripts(page);
  await page.goto('/app/dashboard?dialog=subscribe', { waitUntil: 'commit' });
  const dialog = page.getByRole('dialog', { name: 'Choose your plan' });
  const three = dialog.getByRole('button', { name: '3', exact: true });
  await three.click();
  await expect(three).toHaveAttribute('aria-pressed', 'true');
  await dialog.getByLabel('Currency').selectOption('INR');
  await arrive();
  await expect(dialog.getByText('₹3,299 per month').last()).toBeVisible();
  await expect(three).toHaveAttribute('aria-pressed', 'true');
});

test('scripts that come late leave the caret in the field in which somebody types', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const dueAt = new Date(Date.now() + 86_400_000);
  const waiting = await makeScheduledPost(db, actor, { dueAt });
  const posted = await makeScheduledPost(db, actor, { dueAt });
  await standAs(db, posted, { status: 'published', postedAt: new Date() });
  for (const [address, label] of [
    [`/app/scheduled?edit=${waiting}`, 'Hashtags'],
    [`/app/posts?numbers=${posted}`, 'Shares'],
  ] as const) {
    const arrive = await holdScripts(page);
    await page.goto(address, { waitUntil: 'commit' });
    const field = page.getByLabel(label);
    await field.fill('12');
    await arrive();
    await page.keyboard.type('3');
    await expect(field).toHaveValue('123');
    await page.unrouteAll();
  }
});

test('a dialog opened while the script of the content below is still loading is announced immediately', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/below-*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/app/dashboard', { waitUntil: 'networkidle' });
  await page.getByRole('link', { name: 'Upgrade Plan' }).click();
  await expect(page.getByRole('dialog', { name: 'One moment' })).toBeVisible();
  held.resolve();
  await expect(page.getByRole('dialog', { name: 'Upgrade your plan' })).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'One moment' })).toHaveCount(0);
});

test('colours chosen before scripts came are used at the first press, then and before', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  const use = page.getByRole('button', { name: 'Use these colours' });
  for (const [name, isEarly] of [
    ['Dark', false],
    ['Light', true],
  ] as const) {
    await page.unrouteAll();
    const arrive = await holdScripts(page);
    await page.goto('/app/account', { waitUntil: 'commit' });
    await page.getByRole('radio', { name }).check();
    if (isEarly) await use.click({ noWaitAfter: true });
    await arrive();
    if (!isEarly) {
      await expect(page.getByRole('radio', { name })).toBeChecked();
      await use.click();
    }
    await expect(page.locator('html')).toHaveAttribute('data-theme', name.toLowerCase());
    await expect(page.getByRole('radio', { name })).toBeChecked();
  }
});
