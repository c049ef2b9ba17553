import { approvalLinks } from '#app/domain/publishing/approval/links.ts';
import { mailApprovalRequests } from '#app/domain/publishing/approval/request.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { PASSWORD } from '#tests/fixtures/accounts.ts';
import { makePublisher, makeScheduledPost, readPost, standAs } from '#tests/fixtures/posts.ts';
import { expect, mailTo, newName, notice, sandboxUrl, test } from '#tests/harness/e2e/kit.ts';

const DAY_MS = 86_400_000;

/** The links in the mail that asks for approval, in the order of the posts they are about. */
const linksMailedTo = async (email: string) =>
  (await mailTo(email, /^2 posts .*for your approval$/)).text.match(/http\S+\/approval\/\S+/g)!;

test('posts are approved, edited and skipped by the links in a mail', async ({
  page,
  db,
  javaScriptEnabled,
}) => {
  const actor = await makePublisher(db, sandboxUrl());
  const [one, two] = [`Write it down before you leave. ${newName()}`, `Ask who decides. ${newName()}`];
  const ids: string[] = [];
  for (const [index, content] of [one, two].entries()) {
    const dueAt = new Date(Date.now() + (index + 2) * DAY_MS);
    ids.push(await makeScheduledPost(db, actor, { content, dueAt }));
  }
  await saveSettings(db, actor, { requireApproval: true });
  await mailApprovalRequests(db);
  const [first, second] = await linksMailedTo(actor.email);

  await page.goto(first!);
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
  const preview = page.getByRole('article', { name: 'The post as LinkedIn shows it' });
  await expect(heading('Approve this post?')).toBeVisible();
  await expect(preview).toContainText(one);
  await expect(page.getByText('If you do nothing, it is not published then')).toBeVisible();
  expect((await readPost(db, ids[0]!)).status).toBe('pending');
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(notice(page, 'Post approved. It is planned for')).toBeVisible();
  await expect(heading('This post is approved')).toBeVisible();
  if (javaScriptEnabled) await expect(heading('This post is approved')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  expect((await readPost(db, ids[0]!)).status).toBe('generated');

  await page.goto(second!);
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(heading('Welcome back')).toBeVisible();
  await page.getByLabel('Email').fill(actor.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByLabel('Content')).toHaveValue(two);
  const changed = `Ask who decides first. ${newName()}`;
  await page.getByLabel('Content').fill(changed);
  await page.getByRole('button', { name: /^(Save|Done)$/ }).click();
  await expect(notice(page, 'Post updated successfully!')).toBeVisible();

  await page.goto(second!);
  await expect(page.getByText('This post was changed after we sent the mail.')).toBeVisible();
  await expect(preview).toContainText(changed);
  await page.getByRole('button', { name: 'Skip' }).click();
  await expect(heading('This post is set aside')).toBeVisible();
  const { status, failure } = await readPost(db, ids[1]!);
  expect([status, failure]).toEqual(['failed', 'skipped']);
  await page.goto('/app/posts');
  await expect(page.getByText('Skipped by the link in a mail')).toBeVisible();
});

test('on a phone what is meant to be pressed has a row of its own, and the others share the next', async ({
  page,
  db,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const actor = await makePublisher(db, sandboxUrl());
  const dueAt = new Date(Date.now() + DAY_MS);
  const id = await makeScheduledPost(db, actor, { dueAt });
  await standAs(db, id, { status: 'pending' });
  const linkTo = await approvalLinks(db, actor.userId, new Date());
  const { pathname, search } = new URL(linkTo({ id, revision: 0 }, dueAt));
  await page.goto(pathname + search);
  const boxOf = async (role: 'button' | 'link', name: string) =>
    (await page.getByRole(role, { name }).boundingBox())!;
  const [approve, edit, skip] = [
    await boxOf('button', 'Approve'),
    await boxOf('link', 'Edit'),
    await boxOf('button', 'Skip'),
  ];
  expect(approve.width).toBeGreaterThan(290);
  expect(edit.y).toBeGreaterThan(approve.y + approve.height);
  expect(skip.y).toBe(edit.y);
  expect(Math.abs(skip.width - edit.width)).toBeLessThan(2);
});

test('the mail fits a phone, and a text in it runs in its own direction', async ({ page, db }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const actor = await makePublisher(db, sandboxUrl());
  const hashtags = ['Planning', `A${'very'.repeat(18)}LongHashtag`];
  const dueAt = new Date(Date.now() + DAY_MS);
  await makeScheduledPost(db, actor, { content: 'اكتبها قبل أن تغادر. خطة.', hashtags, dueAt });
  await saveSettings(db, actor, { requireApproval: true });
  await mailApprovalRequests(db);
  await page.setContent((await mailTo(actor.email, /for your approval$/)).html);
  const quote = page.locator('blockquote');
  await expect(quote).toContainText('LongHashtag');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await quote.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
});
