import { randomUUID } from 'node:crypto';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { makePublisher, makeScheduledPost, makeTopic, readPost, standAs } from '#tests/fixtures/posts.ts';
import {
  cardWith,
  expect,
  hasScripts,
  notice,
  openLine,
  sandboxUrl,
  signInAs,
  signInAsPublisher,
  test,
} from '#tests/harness/e2e/kit.ts';

const DAY_MS = 86_400_000;
const tomorrow = () => new Date(Date.now() + DAY_MS);

const postOf = async (db: Db, actor: Actor) => {
  const { content, hashtags, imageUrl } = await db
    .selectFrom('posts')
    .select(['content', 'hashtags', 'imageUrl'])
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
  return { content, hashtags, imageUrl };
};

test('a text that changes while its page is open is read before it is approved or sent', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const postId = await makeScheduledPost(db, actor, { content: 'As it was read.', dueAt: tomorrow() });
  await standAs(db, postId, { status: 'pending' });
  const card = cardWith(page, 'Planning');
  const said = (act: string) =>
    `This post was changed after you opened this page. Read it again, then ${act}`;
  await page.goto('/app/scheduled');
  await editPost(db, actor, { postId, content: 'The same beginning.\n\nAnother end.' });
  await card.getByRole('button', { name: 'Approve' }).first().click();
  await expect(card).toContainText(said('approve it'));
  await expect(card.getByRole('article')).toContainText('Another end.');
  expect((await readPost(db, postId)).status).toBe('pending');
  await card.getByRole('button', { name: 'Approve' }).first().click();
  await expect(notice(page, 'Post approved. It is planned for')).toBeVisible();
  expect((await readPost(db, postId)).status).toBe('generated');

  await page.goto('/app/scheduled');
  await editPost(db, actor, { postId, content: 'The same beginning.\n\nA third end.' });
  await openLine(card);
  await card.getByRole('link', { name: 'Publish now' }).last().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click();
  await expect(card).toContainText(said('publish it'));
  await expect(card.getByRole('article')).toContainText('A third end.');
  expect((await readPost(db, postId)).isManual).toBe(false);
  await card.getByRole('link', { name: 'Publish now' }).last().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click();
  await expect.poll(async () => (await readPost(db, postId)).status).toBe('published');
});

test('a scheduled post is edited in its place, and deleted', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const before = `Write it down before you leave. ${randomUUID()}`;
  await makeScheduledPost(db, actor, { content: before, dueAt: tomorrow() });
  await page.goto('/app/scheduled');
  const card = cardWith(page, 'Publishes at');
  await expect(card).toContainText(before);
  await expect(card).toContainText('Scheduled');
  await expect(card).toContainText('#Planning');

  await card.getByRole('link', { name: 'Edit' }).click();
  await expect(card.getByLabel('Content')).toHaveValue(before);
  await card.getByLabel('Content').fill('x'.repeat(2_999));
  await card.getByLabel('Hashtags').fill('#One, Two');
  await card.getByRole('button', { name: /^(Save|Done)$/ }).click();
  await expect(card.getByLabel('Content')).toHaveAttribute('aria-invalid', 'true');
  await expect(card.getByLabel('Content')).toHaveAccessibleDescription(/3,000/);
  await expect(card.getByLabel('Content')).toHaveValue('x'.repeat(2_999));
  await expect(card.getByLabel('Hashtags')).toHaveValue('#One, Two');
  expect((await postOf(db, actor)).content).toBe(before);

  await card.getByLabel('Content').fill('One line, changed by hand.');
  await card.getByRole('button', { name: /^(Save|Done)$/ }).click();
  await expect(notice(page, 'Post updated successfully!')).toBeVisible();
  await expect(card).toContainText('One line, changed by hand.');
  await expect(card.getByLabel('Content')).toHaveCount(0);
  expect(await postOf(db, actor)).toEqual({
    content: 'One line, changed by hand.',
    hashtags: ['One', 'Two'],
    imageUrl: null,
  });

  await openLine(card);
  await card.getByRole('link', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Delete this post?' });
  await expect(question).toContainText('This action cannot be undone.');
  await question.getByRole('button', { name: 'Delete post' }).click();
  await expect(notice(page, 'Post deleted successfully!')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No scheduled posts' })).toBeVisible();
});

test('the form of a post far down opens, is refused and closes where the post is', async ({
  page,
  context,
  db,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const actor = await signInAsPublisher(context, db);
  for (let day = 1; day <= 6; day += 1) {
    const dueAt = new Date(Date.now() + day * DAY_MS);
    await makeScheduledPost(db, actor, { content: `Day ${day}.`, dueAt });
  }
  await page.goto('/app/scheduled');
  const card = cardWith(page, 'Day 6.');
  await card.getByRole('link', { name: 'Edit' }).click();
  const form = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByLabel('Content') });
  await expect(form.getByLabel('Content')).toBeInViewport();
  await form.getByLabel('Hashtags').fill('two words');
  await form.getByRole('button', { name: /^(Save|Done)$/ }).click();
  await expect(form.getByText('letters and digits only')).toBeAttached();
  const place = hasScripts() ? form.getByLabel('Hashtags') : form.getByText('Scheduled', { exact: true });
  await expect(place).toBeInViewport({ ratio: 1 });
  await form.getByLabel('Hashtags').fill('One');
  await form.getByRole('button', { name: /^(Save|Done)$/ }).click();
  await expect(notice(page, 'Post updated successfully!')).toBeVisible();
  await expect(card.getByText('Scheduled', { exact: true })).toBeInViewport({ ratio: 1 });
  if (hasScripts()) return;
  const badge = (await card.getByText('Scheduled', { exact: true }).boundingBox())!;
  const heading = page.getByRole('main').locator('section').last().getByRole('heading');
  const { y, height } = (await heading.boundingBox())!;
  expect(badge.y).toBeGreaterThanOrEqual(y + height);
});

test('posts that are held say why, and what helps', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  await makeScheduledPost(db, actor, { dueAt: tomorrow() });
  const topic = { userId: actor.userId, name: 'Planning', description: '', keywords: [] };
  await db.insertInto('topics').values(topic).execute();

  await page.goto('/app/dashboard');
  await page.getByRole('switch', { name: 'Active' }).click();
  await expect(notice(page, 'Automation paused')).toBeVisible();
  await makeHeld(db, actor);
  await page.goto('/app/scheduled');
  await expect(page.getByText('Automation is paused, so nothing goes out by itself.')).toBeVisible();
  await expect(cardWith(page, 'Held: automation is paused.')).toHaveCount(1);
  await page.getByRole('link', { name: 'Turn automation on' }).first().click();
  await page.getByRole('switch', { name: 'Paused' }).click();
  await expect(notice(page, 'Automation enabled!')).toBeVisible();

  await page.goto('/app/linkedin');
  await page.getByRole('link', { name: 'Disconnect' }).click();
  const question = page.getByRole('dialog', { name: 'Disconnect LinkedIn?' });
  await question.getByRole('button', { name: 'Disconnect LinkedIn' }).click();
  await expect(notice(page, 'LinkedIn account disconnected')).toBeVisible();
  await makeHeld(db, actor);
  await page.goto('/app/scheduled');
  await expect(page.getByText('LinkedIn is not connected, so no post can go out.')).toBeVisible();
  await expect(cardWith(page, 'Held: its time passed.')).toHaveCount(1);
});

/** As the tick does with a post whose time comes while it may not go out. */
const makeHeld = (db: Db, actor: Actor) =>
  db.updateTable('postSchedules').set({ heldAt: new Date() }).where('userId', '=', actor.userId).execute();

test('the queue is a line for each time: it opens to the whole post, and open slots stand between', async ({
  page,
  context,
  db,
}) => {
  const actor = await makePublisher(db, sandboxUrl(), 2);
  await signInAs(context, db, actor);
  await makeTopic(db, actor);
  const set = { publishTimes: ['00:01', '23:58'], timeZone: 'UTC' };
  await saveSettings(db, { ...actor, timeZone: 'UTC' }, set);
  const at = new Date(`${tomorrow().toISOString().slice(0, 10)}T00:01:00Z`);
  const content = 'The first line of it.\n\nWhat follows.';
  const imageUrl = `${process.env.E2E_APP_URL}/nothing.png`;
  await makeScheduledPost(db, actor, { content, dueAt: at, imageUrl });
  await page.goto('/app/scheduled');
  const line = cardWith(page, 'The first line of it.');
  await expect(line.getByText('00:01', { exact: true })).toBeVisible();
  const text = line.getByRole('article').getByText('What follows.');
  await expect(line.locator('.preview-body')).toBeHidden();
  await openLine(line);
  await expect(text).toBeVisible();
  for (const words of ['Publishes at', 'No topic', '#Planning', '7 words'])
    await expect(line).toContainText(words);
  for (const name of ['Edit', 'Publish now', 'Move to…', 'Swap', 'Delete']) {
    await expect(line.getByRole('link', { name })).toBeVisible();
  }
  await line.getByRole('button', { name: 'Skip' }).click();
  await expect(notice(page, 'You skipped the post')).toBeVisible();
  await page.getByRole('status', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).click();
  await expect(notice(page, 'Undone.')).toBeVisible();
  await expect(line).toBeVisible();

  const open = cardWith(page, 'Open').filter({ hasText: '23:58' }).last();
  await open.getByRole('button', { name: 'Fill it' }).click();
  await expect(notice(page, 'The post is being written.')).toBeVisible();
  const run = db.selectFrom('generationRuns').selectAll().where('userId', '=', actor.userId);
  expect((await run.executeTakeFirstOrThrow()).slotNumber).toBe(2);
});

test('a long queue is looked through in lines, with the day on the screen', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  for (let day = 1; day <= 25; day += 1) {
    const dueAt = new Date(Date.now() + day * DAY_MS);
    await makeScheduledPost(db, actor, { content: `Number ${day}.`.padEnd(300, ' and more'), dueAt });
  }
  for (const [width, most] of [
    [1366, 50],
    [390, 96],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/app/scheduled');
    for (const line of await cardWith(page, 'Number').all()) {
      expect((await line.boundingBox())!.height).toBeLessThanOrEqual(most);
    }
    const tenth = cardWith(page, 'Number 10.');
    await tenth.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const day = page
      .getByRole('main')
      .locator('section')
      .filter({ has: page.getByText('Number 10.') });
    const heading = day.getByRole('heading', { level: 2 });
    await expect(heading).toBeInViewport();
  }
});
