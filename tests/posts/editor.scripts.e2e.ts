import type { Page } from '@playwright/test';
import axe from 'axe-core';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { makeScheduledPost } from '#tests/fixtures/posts.ts';
import { cardWith, expect, open, signInAs, signInAsPublisher, test } from '#tests/harness/e2e/kit.ts';

const tomorrow = () => new Date(Date.now() + 86_400_000);
const LONG =
  'Our fixed prices have at most three lines in the scope.\n\nA fourth line is a new price. '.repeat(5);

async function openEditor(page: Page, db: Db, actor: Actor, content = 'As it was written.') {
  const id = await makeScheduledPost(db, actor, { content, dueAt: tomorrow() });
  await page.goto(`/app/scheduled?edit=${id}`);
  await expect(page.getByRole('button', { name: 'Done' })).toBeVisible();
  return id;
}

const contentOf = async (db: Db, id: string) =>
  (await db.selectFrom('posts').select('content').where('id', '=', id).executeTakeFirstOrThrow()).content;

const SAVES = '**/scheduled.data*';

/** Lets no save arrive. */
const loseSaves = (page: Page) => page.route(SAVES, (route) => route.abort());

/** Lets each save arrive, and its answer be lost. */
const loseAnswers = (page: Page) =>
  page.route(SAVES, async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });

const text = (page: Page) => page.getByLabel('Content');
const saved = (page: Page) => page.getByText(/^Saved \d\d:\d\d$/);

test('what is typed is saved by itself, and is there when the page is loaded anew', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const id = await openEditor(page, db, actor);
  await text(page).press('End');
  await page.keyboard.type(' And more.');
  await expect(saved(page)).toBeVisible();
  await expect(text(page)).toBeFocused();
  expect(await contentOf(db, id)).toBe('As it was written. And more.');
  await page.keyboard.type(' And on.');
  await expect.poll(() => contentOf(db, id)).toBe('As it was written. And more. And on.');
  await expect(page.getByRole('status', { name: 'Notices' })).toHaveText('');
  await page.keyboard.press('Control+z');
  await expect(text(page)).not.toHaveValue(/on\.$/);
  await expect.poll(() => contentOf(db, id)).not.toMatch(/on\.$/);
  const value = await text(page).inputValue();
  await page.reload();
  await expect(text(page)).toHaveValue(value);
});

test('what was typed just before the page is loaded anew comes back, and is saved', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const id = await openEditor(page, db, actor);
  page.on('dialog', (dialog) => void dialog.accept());
  await context.setOffline(true);
  await text(page).fill('Typed in a lift.');
  await expect(page.getByRole('alert')).toContainText('Tidepost did not answer.');
  // It is sent again once the connection is back, but nothing arrives before the reload.
  await loseSaves(page);
  await context.setOffline(false);
  await page.reload();
  await page.unrouteAll();
  await expect(text(page)).toHaveValue('Typed in a lift.');
  await expect(saved(page)).toBeVisible();
  expect(await contentOf(db, id)).toBe('Typed in a lift.');
});

test('without a connection what is typed stays, says so, and is saved with it', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const id = await openEditor(page, db, actor);
  await context.setOffline(true);
  await text(page).fill('Typed in a tunnel.');
  await expect(page.getByRole('alert')).toContainText('Tidepost did not answer.');
  await text(page).fill('Typed in a tunnel, and further.');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('alert')).toContainText('Tidepost did not answer.');
  await expect(text(page)).toHaveValue('Typed in a tunnel, and further.');
  await context.setOffline(false);
  await expect.poll(() => contentOf(db, id)).toBe('Typed in a tunnel, and further.');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a save whose answer is lost is no change made elsewhere', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const id = await openEditor(page, db, actor);
  await loseAnswers(page);
  await text(page).fill('Arrived without an answer.');
  await expect(page.getByRole('alert')).toContainText('Tidepost did not answer.');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await text(page).fill('Arrived without an answer. Gone on.');
  await expect.poll(() => contentOf(db, id)).toBe('Arrived without an answer. Gone on.');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a save whose answer was lost before a reload is not called a change made elsewhere', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const id = await openEditor(page, db, actor);
  page.on('dialog', (dialog) => void dialog.accept());
  await loseAnswers(page);
  await text(page).fill('Arrived.');
  await expect(page.getByRole('alert')).toContainText('Tidepost did not answer.');
  await page.unrouteAll();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Done' })).toBeVisible();
  await text(page).fill('Arrived. Gone on.');
  await expect.poll(() => contentOf(db, id)).toBe('Arrived. Gone on.');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a text that is refused says why, and is saved once it is shorter', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const id = await openEditor(page, db, actor);
  await text(page).fill('x'.repeat(70_000));
  await expect(page.getByRole('alert')).toContainText('more than we can take');
  await text(page).fill('Short.');
  await expect.poll(() => contentOf(db, id)).toBe('Short.');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a user who was signed out elsewhere is told, and nothing is sent again unasked', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  await page.clock.install();
  const id = await openEditor(page, db, actor);
  await db.deleteFrom('sessions').where('userId', '=', actor.userId).execute();
  let sends = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') sends += 1;
  });
  await text(page).fill('Typed while signed out.');
  await page.clock.fastForward(2_000);
  await expect(page.getByRole('alert')).toContainText('You were signed out.');
  await page.clock.fastForward(60_000);
  expect(sends).toBe(1);
  await signInAs(context, db, actor);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(saved(page)).toBeVisible();
  expect(await contentOf(db, id)).toBe('Typed while signed out.');
});

test('a save that was on its way when its page was left is not sent from another page', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  await page.clock.install();
  const id = await openEditor(page, db, actor);
  const posted: string[] = [];
  const held = Promise.withResolvers<void>();
  await page.route('**/*.data*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    posted.push(route.request().url());
    await held.promise;
    await route.abort();
  });
  await text(page).fill('Given up.');
  await page.clock.fastForward(2_000);
  await expect.poll(() => posted.length).toBe(1);
  await page.getByRole('link', { name: 'Topics' }).click();
  await page.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Topics' })).toBeVisible();
  const failed = page.waitForEvent('requestfailed');
  held.resolve();
  await failed;
  await page.clock.runFor(60_000);
  await expect(page.getByRole('heading', { level: 1, name: 'Topics' })).toBeVisible();
  expect(posted).toHaveLength(1);
  expect(await contentOf(db, id)).toBe('As it was written.');
});

test('after Done found a change made elsewhere, mine is saved instead when that is asked for', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const id = await openEditor(page, db, actor);
  for (const button of ['Save mine instead', 'Done']) {
    const mine = `Mine, by ${button}.`;
    await text(page).fill(mine);
    await expect.poll(() => contentOf(db, id)).toBe(mine);
    await expect(saved(page)).toBeVisible();
    await editPost(db, actor, { postId: id, content: 'From the other tab.' });
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('alert')).toContainText('changed elsewhere');
    expect(await contentOf(db, id)).toBe('From the other tab.');
    await page.getByRole('button', { name: button }).click();
    await expect.poll(() => contentOf(db, id)).toBe(mine);
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
  await expect(text(page)).toHaveCount(0);
});

test('what is typed while Done finds a change made elsewhere does not overwrite it', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  await page.clock.install();
  const id = await openEditor(page, db, actor);
  await text(page).fill('Mine.');
  await page.clock.fastForward(2_000);
  await expect(saved(page)).toBeVisible();
  await editPost(db, actor, { postId: id, content: 'From the other tab.' });
  const held = Promise.withResolvers<void>();
  await page.route(SAVES, async (route) => {
    const response = await route.fetch();
    await held.promise;
    await route.fulfill({ response });
  });
  const done = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByRole('button', { name: 'Done' }).click();
  await done;
  await text(page).fill('Mine, and more.');
  held.resolve();
  await expect(page.getByRole('alert')).toContainText('changed elsewhere');
  await page.unrouteAll({ behavior: 'wait' });
  await page.clock.runFor(10_000);
  await expect(page.getByText('Not saved')).toBeVisible();
  expect(await contentOf(db, id)).toBe('From the other tab.');
  await expect(text(page)).toHaveValue('Mine, and more.');
});

test('a lost "Save mine instead" is sent again only when that is asked for', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  await page.clock.install();
  const id = await openEditor(page, db, actor);
  await editPost(db, actor, { postId: id, content: 'From the other tab.' });
  await text(page).fill('Mine.');
  await page.clock.fastForward(2_000);
  await expect(page.getByRole('alert')).toContainText('changed elsewhere');
  await loseSaves(page);
  await page.getByRole('button', { name: 'Save mine instead' }).click();
  await expect(page.getByRole('alert')).toContainText('Tidepost did not answer.');
  await page.unrouteAll();
  await editPost(db, actor, { postId: id, content: 'From the phone, meanwhile.' });
  await text(page).fill('Mine, and more.');
  await page.clock.runFor(60_000);
  expect(await contentOf(db, id)).toBe('From the phone, meanwhile.');
  await page.getByRole('button', { name: 'Save mine instead' }).click();
  await expect.poll(() => contentOf(db, id)).toBe('Mine.');
  await page.clock.fastForward(2_000);
  await expect.poll(() => contentOf(db, id)).toBe('Mine, and more.');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('after a conflict mine can still be saved instead once another error is mended', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const id = await openEditor(page, db, actor);
  await editPost(db, actor, { postId: id, content: 'From the other tab.' });
  await text(page).fill('Mine, too long.');
  await expect(page.getByRole('alert')).toContainText('changed elsewhere');
  await text(page).fill('x'.repeat(3_001));
  await page.getByRole('button', { name: 'Save mine instead' }).click();
  await expect(page.getByText('at most 3,000 characters')).toBeVisible();
  await text(page).fill('Mine.');
  await page.getByRole('button', { name: 'Save mine instead' }).click();
  await expect.poll(() => contentOf(db, id)).toBe('Mine.');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a conflict that was found before scripts came is not overwritten once they are here', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const id = await makeScheduledPost(db, actor, { content: 'As it was written.', dueAt: tomorrow() });
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`/app/scheduled?edit=${id}`, { waitUntil: 'commit' });
  await text(page).fill('From this tab.');
  await editPost(db, actor, { postId: id, content: 'From the other tab.' });
  await page.getByRole('button', { name: 'Save', exact: true }).click({ noWaitAfter: true });
  await expect(page.getByRole('main').getByText('changed elsewhere')).toBeVisible();
  await page.clock.install();
  held.resolve();
  await expect(page.getByRole('button', { name: 'Done' })).toBeVisible();
  await page.clock.fastForward(10_000);
  await expect(text(page)).toHaveValue('From this tab.');
  await expect(page.getByText('Not saved')).toBeVisible();
  expect(await contentOf(db, id)).toBe('From the other tab.');
  await page.getByRole('button', { name: 'Save mine instead' }).click();
  await expect.poll(() => contentOf(db, id)).toBe('From this tab.');
});

test('a text that was changed in another tab is not overwritten unasked', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const id = await openEditor(page, db, actor);
  await editPost(db, actor, { postId: id, content: 'From the other tab.' });
  await text(page).fill('From this tab.');
  await expect(page.getByRole('alert')).toContainText('changed elsewhere');
  await expect(text(page)).toHaveValue('From this tab.');
  expect(await contentOf(db, id)).toBe('From the other tab.');
  page.on('dialog', (dialog) => void dialog.accept());
  for (let times = 0; times < 2; times++) {
    await page.reload();
    await expect(text(page)).toHaveValue('From this tab.');
    await expect(page.getByRole('alert')).toContainText('changed elsewhere');
  }
  expect(await contentOf(db, id)).toBe('From the other tab.');
  await page.getByRole('button', { name: 'Save mine instead' }).click();
  await expect(saved(page)).toBeVisible();
  expect(await contentOf(db, id)).toBe('From this tab.');
});

test('a text that was saved and then changed elsewhere is shown as it is when the page is loaded anew', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const id = await openEditor(page, db, actor);
  await text(page).fill('Saved here.');
  await expect(saved(page)).toBeVisible();
  await editPost(db, actor, { postId: id, content: 'Changed on the phone.' });
  await page.reload();
  await expect(text(page)).toHaveValue('Changed on the phone.');
});

test('a save that no server answers is sent again until one does', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const id = await openEditor(page, db, actor);
  await page.route(SAVES, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await text(page).fill('Typed while the server starts anew.');
  await expect(page.getByRole('alert')).toContainText('Tidepost did not answer.');
  await page.unrouteAll();
  await expect.poll(() => contentOf(db, id)).toBe('Typed while the server starts anew.');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('who leaves with something unsaved is asked', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const id = await openEditor(page, db, actor);
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  // The preview follows what is typed once the page's script runs.
  await text(page).fill('Half a');
  await expect(page.getByRole('article', { name: 'The post as LinkedIn shows it' })).toContainText('Half a');
  await text(page).fill('Half a sen');
  await page.keyboard.press('Escape');
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(text(page)).toHaveValue('Half a sen');
  await text(page).fill('Half a sentence');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(text(page)).toHaveCount(0);
  expect(await contentOf(db, id)).not.toContain('sentence');

  await page.goto(`/app/scheduled?edit=${id}`);
  await expect(page.getByRole('button', { name: 'Done' })).toBeVisible();
  await text(page).fill('Whole.');
  await page.keyboard.press('Control+Enter');
  await expect(text(page)).toHaveCount(0);
  expect(await contentOf(db, id)).toBe('Whole.');
});

test('the preview shows what goes out, folded as on LinkedIn, while it is typed', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  await openEditor(page, db, actor, LONG);
  const post = page.getByRole('article', { name: 'The post as LinkedIn shows it' });
  await expect(page.locator('.paper-fold')).toHaveCount(1);
  const more = post.locator('summary');
  await expect(more).toHaveText(/…more/);
  const height = async () => (await post.locator('.preview-body').boundingBox())!.height;
  // The third line on a phone is a blank one, and not shown.
  expect(await height()).toBe(40);
  await page.getByText('Desktop', { exact: true }).click();
  expect(await height()).toBe(60);
  await more.click();
  expect(await height()).toBeGreaterThan(60);
  await page.getByText('Phone', { exact: true }).click();

  await text(page).fill('First [line].\n\nThird #planning');
  await page.getByLabel('Hashtags').fill('Planning, Two');
  await expect(post.locator('.preview-body')).toHaveText('First [line].\n\nThird #planning\n\n#Two', {
    useInnerText: true,
  });
  await expect(post.locator('.preview-hashtag')).toHaveText(['#planning', '#Two']);
  await expect(page.locator('.paper-fold')).toHaveCount(0);
  await expect(page.getByText('hook 30 of 210')).toBeVisible();
  await text(page).fill('x'.repeat(2_900));
  await expect(page.getByText('The post is nearly as long as LinkedIn takes')).toBeAttached();
  await text(page).fill('x'.repeat(3_001));
  await expect(page.getByText('The post is too long for LinkedIn')).toBeAttached();
});

test('on a laptop all that is edited is seen at once, and what ends it while the text goes on below', async ({
  page,
  context,
  db,
}) => {
  await page.setViewportSize({ width: 1366, height: 800 });
  const actor = await signInAsPublisher(context, db);
  for (let day = 1; day <= 8; day += 1) {
    await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + day * 3_600_000) });
  }
  await openEditor(page, db, actor, LONG);
  const post = page.getByRole('article', { name: 'The post as LinkedIn shows it' });
  const [content, hashtags, image] = [text(page), page.getByLabel('Hashtags'), page.getByLabel('Image URL')];
  const done = page.getByRole('button', { name: 'Done' });
  for (const part of [content, hashtags, image, post, done]) {
    await expect(part).toBeInViewport({ ratio: 1 });
  }
  await expect(page.getByText('Saves by itself')).toBeInViewport();
  await text(page).fill(LONG.repeat(3));
  await text(page).press('Control+End');
  for (const part of [hashtags, image, post, done]) await expect(part).toBeInViewport({ ratio: 1 });
  await expect(saved(page)).toBeInViewport({ ratio: 1 });
  await context.setOffline(true);
  await page.keyboard.type(' And more.');
  await expect(page.getByRole('alert')).toBeInViewport({ ratio: 1 });
});

test('the editor comes with its styles, which no other page asks for', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const content = 'As it was written.';
  await makeScheduledPost(db, actor, { content, dueAt: tomorrow() });
  const sheets: string[] = [];
  page.on('request', (request) => /\/editor-[\w-]+\.css$/.test(request.url()) && sheets.push(request.url()));
  await open(page, '/app/scheduled');
  expect(sheets).toHaveLength(0);
  await page.route('**/editor-*.css', async (route) => {
    const answer = await route.fetch();
    // Without them the text would be there for a moment as the browser shows it by itself.
    await expect(text(page)).toHaveCount(0);
    await route.fulfill({ response: answer });
  });
  await cardWith(page, content).hover();
  await cardWith(page, content)
    .getByRole('link', { name: /^Edit / })
    .first()
    .click();
  await expect(page.locator('.paper')).toHaveCSS('display', 'grid');
  expect(sheets).toHaveLength(1);
});

test('on a phone one looks at the text or at the preview, and nothing bars the way', async ({
  page,
  context,
  db,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const actor = await signInAsPublisher(context, db);
  await openEditor(page, db, actor, LONG);
  const post = page.getByRole('article', { name: 'The post as LinkedIn shows it' });
  await expect(page.getByRole('button', { name: 'Done' })).toBeVisible();
  await expect(post).toBeHidden();
  await page.getByText('Preview', { exact: true }).click();
  await expect(post).toBeVisible();
  await expect(text(page)).toBeHidden();
  expect((await post.locator('summary').boundingBox())!.height).toBeGreaterThanOrEqual(44);
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () =>
    (await window.axe.run(document)).violations.map(({ id }) => id),
  );
  expect(found.filter((id) => id !== 'region')).toEqual([]);
});
