import type { Locator, Page } from '@playwright/test';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeAttempt } from '#tests/fixtures/attempts.ts';
import { makeScheduledPost, standAs, takeOut } from '#tests/fixtures/posts.ts';
import {
  cardWith,
  expect,
  newName,
  notice,
  sandbox,
  signInAsPublisher,
  test,
} from '#tests/harness/e2e/kit.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

/** Some posts in the queue, the one in the middle with a word of its own. */
async function makeQueue(db: Db, actor: Actor) {
  const word = newName();
  for (const day of [1, 2, 3]) {
    const content = day === 2 ? `The ${word} post.` : `Post of day ${day}, ${newName()}.`;
    await makeScheduledPost(db, actor, {
      content: `${content}\n\n${'A line.\n'.repeat(12)}`,
      dueAt: inDays(day),
    });
  }
  return word;
}

async function publishNow(page: Page, card: Locator) {
  await card.getByRole('link', { name: 'Publish now' }).click();
  const question = page.getByRole('dialog', { name: 'Publish this post now?' });
  await question.getByRole('button', { name: 'Publish now' }).click();
}

/** An unconfirmed post, as the sweep leaves it. */
async function makeUnconfirmed(db: Db, actor: Actor, content: string) {
  const id = await makeScheduledPost(db, actor, { content, dueAt: inDays(1) });
  const reason = 'LinkedIn did not confirm this post. Look at your profile before you try again';
  await takeOut(db, id);
  await standAs(db, id, { status: 'failed', isUnconfirmed: true, reason });
  const at = new Date();
  const over = { startedAt: at, finishedAt: at, resolvedAt: at, explanation: reason };
  await makeAttempt(db, actor, id, { ...over, state: 'held', body: content });
}

test('Publish now answers in its place: on its way, then published', async ({ page, context, db }, info) => {
  const hasScripts = info.project.name === 'scripts on';
  const actor = await signInAsPublisher(context, db);
  const word = await makeQueue(db, actor);
  await sandbox('POST', 'faults', { kind: 'linkedin.slow', delayMs: 6_000, times: 1, match: word });
  await page.goto('/app/scheduled');
  const card = cardWith(page, word);
  await card.scrollIntoViewIfNeeded();
  const top = async () => (await card.boundingBox())!.y;
  const before = await top();
  await publishNow(page, card);

  const said = card.getByRole('status');
  await expect(said).toHaveText('Publishing…');
  await expect(card.getByRole('link', { name: 'Publish now' })).toHaveCount(0);
  await expect(card).toBeInViewport();
  if (hasScripts) {
    await expect(said).toBeFocused();
    expect(Math.abs((await top()) - before)).toBeLessThan(2);
  }
  await expect(said).toHaveText(/^Published (.+, )?\d\d:\d\d$/);
  if (hasScripts) {
    await expect(said).toBeFocused();
    expect(Math.abs((await top()) - before)).toBeLessThan(2);
  }
  const all = page.getByRole('main').getByRole('listitem').and(page.locator('[id^=post-]'));
  await expect(all).toHaveCount(3);
  await expect(all.nth(1)).toContainText(word);
  const opened = page.context().waitForEvent('page');
  await card.getByRole('link', { name: 'View on LinkedIn' }).click();
  await expect((await opened).getByText(word)).toBeVisible();

  await card.getByRole('link', { name: 'Dismiss' }).click();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Publish now' })).toHaveCount(2);
});

test('a refusal answers in its place, with the button that mends it', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const word = await makeQueue(db, actor);
  await sandbox('POST', 'faults', { kind: 'linkedin.422', times: 1, match: word });
  await page.goto('/app/scheduled');
  const card = cardWith(page, word);
  await publishNow(page, card);
  await expect(card.getByRole('status')).toContainText('LinkedIn refused this post');
  await expect(card).toContainText('It is not on LinkedIn.');
  await card.getByText('1 attempt at LinkedIn').click();
  await expect(card).toContainText('Next: Change the text, then press Retry.');

  await card.getByRole('link', { name: 'Edit the post' }).click();
  await card.getByLabel('Content').fill(`The ${word} post, said better.`);
  await card.getByRole('button', { name: /^(Save|Done)$/ }).click();
  await expect(card.getByLabel('Content')).toHaveCount(0);
  await card.getByRole('button', { name: 'Retry' }).click();
  await expect(card.getByRole('status')).toHaveText(/^Published (.+, )?\d\d:\d\d$/);
});

test('an unconfirmed post is decided in its place, and a wrong address beside its field', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const [word, other] = [newName(), newName()];
  await makeUnconfirmed(db, actor, `The ${word} post.`);
  await makeUnconfirmed(db, actor, `The ${other} post.`);
  await page.goto('/app/posts?status=failed');
  const card = cardWith(page, word);
  await expect(card).toContainText('It may be on LinkedIn or not.');
  await expect(card.getByRole('link', { name: 'Edit' })).toHaveCount(0);
  const link = card.getByLabel('Link to the post (optional)');
  await link.fill('https://www.linkedin.com/in/ada/');
  await card.getByRole('button', { name: 'It is there' }).click();
  await expect(link).toHaveAttribute('aria-invalid', 'true');
  await expect(link).toHaveAccessibleDescription(/not the address of a LinkedIn post/);
  await expect(link).toHaveValue('https://www.linkedin.com/in/ada/');
  await link.fill(`https://www.linkedin.com/posts/ada_plan-activity-${Date.now()}-aB1c`);
  await card.getByRole('button', { name: 'It is there' }).click();
  await expect(notice(page, 'The post counts as published')).toBeVisible();

  const again = cardWith(page, other);
  await again.getByRole('button', { name: 'Post it again' }).click();
  await expect(again.getByRole('status')).toHaveText(/^Published (.+, )?\d\d:\d\d$/);

  await page.goto('/app/posts?status=published');
  await card.getByRole('link', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Delete this post?' });
  await expect(question).toContainText('it stays on LinkedIn until you delete it there yourself');
  await expect(question.getByRole('link', { name: 'Look at LinkedIn' })).toHaveAttribute('href', /activity/);
  await question.getByRole('button', { name: 'Delete post' }).click();
  await expect(notice(page, 'delete it there yourself')).toBeVisible();
});

test('numbers are typed in, changed and cleared, and the history is downloaded', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const word = newName();
  const id = await makeScheduledPost(db, actor, { content: `The ${word} post.`, dueAt: inDays(1) });
  const posted = { status: 'published' as const, postedAt: new Date() };
  await standAs(db, id, posted);
  await page.goto('/app/posts');
  const card = cardWith(page, word);
  await card.getByRole('link', { name: 'Type in numbers' }).click();
  await card.getByLabel('Likes').fill('-3');
  await card.getByRole('button', { name: 'Save numbers' }).click();
  await expect(card.getByLabel('Likes')).toHaveAccessibleDescription(/whole number, 0 or more/);
  await card.getByLabel('Likes').fill('12');
  await card.getByRole('button', { name: 'Save numbers' }).click();
  await expect(card).toContainText('12 likes. Typed in by you');
  await expect(page.getByRole('region', { name: 'Totals' })).toContainText('typed in by you');
  await card.getByRole('link', { name: 'Change numbers' }).click();
  await card.getByRole('button', { name: 'Clear my numbers' }).click();
  await expect(notice(page, 'The numbers are cleared')).toBeVisible();
  await expect(card).not.toContainText('12 likes');

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as CSV' }).click();
  expect((await download).suggestedFilename()).toBe('tidepost-posts.csv');
});
