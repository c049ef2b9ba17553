import { transact } from '#app/db/client.ts';
import { storeVersion } from '#app/domain/posts/versions.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import {
  cardWith,
  expect,
  newName,
  notice,
  openLine,
  sandbox,
  signInAs,
  test,
} from '#tests/harness/e2e/kit.ts';

test('a post is written again as its author asks, compared, and gets its text back', async ({
  page,
  context,
  db,
  javaScriptEnabled,
}) => {
  const actor = await makeUser(db);
  await makePlan(db, actor, 1, new Date());
  await makeTopic(db, actor);
  await signInAs(context, db, actor);
  await generateNow(db, actor, { count: 1 });
  const read = () =>
    db.selectFrom('posts').select(['id', 'content']).where('userId', '=', actor.userId).executeTakeFirst();
  await expect.poll(read).toBeDefined();
  const { id, content: first } = (await read())!;

  await page.goto('/app/scheduled');
  const card = cardWith(page, first.split('\n')[0]!);
  await openLine(card);
  await card.getByRole('link', { name: /Write again/ }).click();
  await expect(page.getByRole('heading', { name: 'Write again', level: 1 })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Other versions' })).toHaveCount(0);

  await page.getByLabel('Or say what to change').fill('Open with the list');
  await page.getByRole('button', { name: 'Write it again' }).click();
  await expect(notice(page, 'The post is being written again')).toBeVisible();
  await expect(page.getByText('The new text is in place')).toBeVisible();
  await expect(page.getByText('You asked: “Open with the list”')).toBeVisible();
  expect((await read())!.content).not.toBe(first);

  const version = page.getByRole('listitem').filter({ hasText: 'Use this version' });
  await expect(version.getByRole('heading', { name: 'This version' })).toBeVisible();
  expect(await version.locator('mark').count()).toBeGreaterThan(0);
  await version.getByRole('button', { name: /Use this version/ }).click();
  await expect(notice(page, 'The post has this text again')).toBeVisible();
  expect((await read())!.content).toBe(first);
  await expect(version).toHaveCount(1);

  await page.getByRole('link', { name: 'Back to the post' }).click();
  await expect(page).toHaveURL(new RegExp(`/app/scheduled\\?open=${id}#post-${id}$`));
  await expect(page.getByRole('article', { name: 'The post as LinkedIn shows it' })).toBeVisible();
  if (javaScriptEnabled) await expect(page.locator(`#post-${id}`)).toBeFocused();
});

test('one version is open at a time, and the others are opened in its place', async ({
  page,
  context,
  db,
  javaScriptEnabled,
}) => {
  const actor = await makeUser(db);
  await signInAs(context, db, actor);
  const postId = await makeScheduledPost(db, actor, { content: 'The plan as it is.' });
  for (const [at, content] of ['A plan of forty pages.', 'The plan as it was.'].entries()) {
    const version = { content, hashtags: ['Planning'], made: null };
    const key = { postId, userId: actor.userId };
    await transact(db, (trx) => storeVersion(trx, key, version, new Date(Date.now() + at * 1_000)));
  }
  await page.goto(`/app/posts/${postId}/versions`);
  const [latest, older] = [cardWith(page, 'The plan as it was.'), cardWith(page, 'A plan of forty pages.')];
  await expect(latest.getByRole('button', { name: /Use this version/ })).toBeVisible();
  await expect(older.getByRole('button')).toHaveCount(0);
  await older.getByRole('link').click();
  await expect(older.getByRole('button', { name: /Use this version/ })).toBeVisible();
  await expect(older.locator('mark').first()).toBeVisible();
  await expect(latest.getByRole('button')).toHaveCount(0);
  if (javaScriptEnabled) await expect(older).toBeFocused();
  await older.getByRole('button', { name: /Use this version/ }).click();
  await expect(notice(page, 'The post has this text again')).toBeVisible();
});

test('what is being written again is stopped, and what was asked for stands there still', async ({
  page,
  context,
  db,
  javaScriptEnabled,
}) => {
  const actor = await makeUser(db);
  const { id: topicId, name } = await makeTopic(db, actor, `Handovers at ${newName()}`);
  const id = await makeScheduledPost(db, actor, { content: 'The plan as it is.' });
  await db.updateTable('posts').set({ topicId }).where('id', '=', id).execute();
  await signInAs(context, db, actor);
  await sandbox('POST', 'faults', { kind: 'writer.slow', delayMs: 20_000, times: 1, match: name });
  await page.goto(`/app/posts/${id}/versions`);
  await page.getByLabel('Or say what to change').fill('Open with the letter');
  await page.getByRole('button', { name: 'Write it again' }).click();
  const progress = page.getByRole('progressbar', { name: 'Writing it again' });
  await expect(progress).toBeVisible();
  await expect(page.getByLabel('Or say what to change')).toHaveCount(0);
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  if (javaScriptEnabled) await expect.poll(focused).toMatch(/^Writing it again/);
  await page.getByRole('button', { name: 'Stop writing' }).click();
  await expect(page.getByText('You stopped it.')).toBeVisible();
  await expect(page.getByLabel('Or say what to change')).toHaveValue('Open with the letter');
  if (javaScriptEnabled) await expect.poll(focused).toMatch(/^The text stays as it was/);
});
