import type { Locator, Page } from '@playwright/test';
import type { Db } from '#app/db/client.ts';
import { createSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { rejectPayment } from '#app/domain/payments/review/verify-reject.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { FAILURES } from '#app/domain/posts/failures.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { failTopic, makeScheduledPost, makeTopic, standAs } from '#tests/fixtures/posts.ts';
import {
  cardWith,
  expect,
  newName,
  notice,
  open,
  signInAs,
  signInAsPublisher,
  test,
  wake,
} from '#tests/harness/e2e/kit.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

/** The card that has the focus, or else the element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.closest('.card[id], .line[id], .pending[id]')?.id ?? activeElement?.tagName;
  });

const expectFocusAt = (page: Page, place: string) => expect.poll(() => focused(page)).toBe(place);

/** As somebody without a pointer does. */
async function press(control: Locator) {
  await control.focus();
  await control.press('Enter');
}

async function makePost(db: Db, actor: Actor, change: object) {
  const word = newName();
  const id = await makeScheduledPost(db, actor, { content: `The ${word} post.`, dueAt: inDays(1) });
  await standAs(db, id, change);
  return { word, place: `post-${id}` };
}

test('after an action at a post the focus is at its card', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const { word, place } = await makePost(db, actor, { status: 'generated' });
  await open(page, '/app/scheduled');
  const waiting = cardWith(page, word);
  await press(waiting.getByRole('link', { name: 'Edit' }));
  await waiting.getByLabel('Hashtags').fill('Planning');
  await press(waiting.getByRole('button', { name: /^(Save|Done)$/ }));
  await expect(notice(page, 'Post updated successfully!')).toBeVisible();
  await expectFocusAt(page, place);

  const posted = { status: 'published', postedAt: new Date() };
  const published = await makePost(db, actor, posted);
  await open(page, '/app/posts');
  const card = cardWith(page, published.word);
  await press(card.getByRole('link', { name: 'Type in numbers' }));
  await press(card.getByRole('link', { name: 'Cancel' }));
  await expect(card.getByLabel('Likes')).toHaveCount(0);
  await expectFocusAt(page, published.place);
  await press(card.getByRole('link', { name: 'Type in numbers' }));
  await card.getByLabel('Likes').fill('1,204');
  await press(card.getByRole('button', { name: 'Save numbers' }));
  await expect(card).toContainText('1,204 likes');
  await expectFocusAt(page, published.place);
});

test('when its card goes, too, the focus is at the next one, and then at the heading', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const unconfirmed = { status: 'failed', isUnconfirmed: true, reason: FAILURES.unconfirmed.reason };
  const elder = await makePost(db, actor, unconfirmed);
  const younger = await makePost(db, actor, unconfirmed);
  await open(page, '/app/posts?status=failed');
  await press(cardWith(page, younger.word).getByRole('button', { name: 'It is there' }));
  await expect(cardWith(page, younger.word)).toHaveCount(0);
  await expectFocusAt(page, elder.place);

  await press(cardWith(page, elder.word).getByRole('link', { name: 'Delete' }));
  await press(page.getByRole('button', { name: 'Delete post' }));
  await expect(cardWith(page, elder.word)).toHaveCount(0);
  await expectFocusAt(page, 'H1');
});

test('the focus stays on the page at LinkedIn, too', async ({ page, context, db }) => {
  await signInAsPublisher(context, db);
  await open(page, '/app/linkedin');
  await press(page.getByRole('button', { name: 'Send a test post' }));
  await expect(page.getByText('You can send another one from')).toBeVisible();
  await expectFocusAt(page, 'test-post');
  await expect(page.getByText('LinkedIn took it at')).toBeVisible();
  await expectFocusAt(page, 'test-post');
  await press(page.getByRole('link', { name: 'Disconnect' }));
  await press(page.getByRole('button', { name: 'Disconnect LinkedIn' }));
  await expect(notice(page, 'LinkedIn account disconnected')).toBeVisible();
  await expectFocusAt(page, 'H1');
});

test('whoever points elsewhere while something goes away keeps what they pointed at', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const { word } = await makePost(db, actor, { status: 'published', postedAt: new Date() });
  await open(page, '/app/posts');
  const card = cardWith(page, word);
  await press(card.getByRole('link', { name: 'Type in numbers' }));
  await card.getByRole('button', { name: 'Save numbers' }).focus();
  await page.getByRole('heading', { level: 1 }).click({ position: { x: 300, y: 5 }, force: true });
  await page.evaluate(() => history.back());
  await expect(card.getByLabel('Likes')).toHaveCount(0);
  expect(await focused(page)).not.toContain('post-');
});

test('after "Skip" on the dashboard the focus stays in the day', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  await makeScheduledPost(db, actor, { content: `The ${newName()} post.`, dueAt: inDays(1) });
  await open(page, '/app/dashboard');
  await press(page.locator('.next-out').getByRole('button', { name: 'Skip' }));
  await expect(notice(page, 'You skipped the post')).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
});

test('a link of another page leads to where posts are written on the dashboard', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '/app/scheduled');
  await press(page.getByRole('main').getByRole('link', { name: 'Generate now' }).first());
  await expect(page.getByRole('main').getByRole('button', { name: 'Generate now' })).toBeInViewport();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Posts', { exact: true })).toBeFocused();
});

test('the focus goes to the settings that are opened, and stays with them when they are saved', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  await open(page, '/app/dashboard');
  await wake(page, 'Generate now');
  await press(page.getByRole('link', { name: 'Change settings' }));
  await expect(page.getByLabel('Content generation time')).toBeFocused();
  await page.getByLabel('Publish time 1').fill('10:45');
  await press(page.getByRole('button', { name: 'Save All Settings' }));
  await expect(notice(page, 'Settings saved successfully!')).toBeVisible();
  await expectFocusAt(page, 'automation');
});

test('the focus stays at a topic, and goes on to the next one when it is deleted', async ({
  page,
  context,
  db,
}) => {
  const actor = await makeUser(db);
  await signInAs(context, db, actor);
  await open(page, '/app/topics');
  const dialog = page.getByRole('dialog');
  const create = async (name: string) => {
    await press(page.getByRole('link', { name: 'Add topic' }));
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Name').press('Enter');
    await expect(cardWith(page, name)).toBeVisible();
    await expect(dialog).toHaveCount(0);
  };
  const [first, second] = [newName(), newName()];
  await create(first);
  await expectFocusAt(page, 'H1');
  await create(second);
  await expect(page.getByRole('link', { name: 'Add topic' })).toBeFocused();

  const card = cardWith(page, first);
  const place = (await card.getAttribute('id'))!;
  await press(card.getByRole('link', { name: 'Edit' }));
  await dialog.getByLabel('Description').fill('For beginners.');
  await press(dialog.getByRole('button', { name: 'Save topic' }));
  await expect(card).toContainText('For beginners.');
  await expect(card.getByRole('link', { name: 'Edit' })).toBeFocused();

  await press(card.getByRole('switch'));
  await press(dialog.getByRole('button', { name: 'Deactivate topic' }));
  await expect(card).toContainText('Inactive');
  await expectFocusAt(page, place);
  await press(card.getByRole('switch'));
  await expect(card.getByText('Inactive')).toHaveCount(0);
  await expectFocusAt(page, place);

  const [upper, lower] = [page.locator('.card').nth(0), page.locator('.card').nth(1)];
  const next = (await lower.getAttribute('id'))!;
  await press(upper.getByRole('link', { name: 'Delete' }));
  await press(dialog.getByRole('button', { name: 'Delete topic' }));
  await expect(page.locator('.card')).toHaveCount(1);
  await expectFocusAt(page, next);
});

test('the focus of an admin is at the payment beside the one that was decided, then at the heading', async ({
  page,
  context,
  db,
}) => {
  const payers = [await makeUser(db, { name: `Ravi ${newName()}` }), await makeUser(db, { name: newName() })];
  for (const payer of payers) await makePayment(db, payer, 3);
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await open(page, '/app/admin?tab=payments');
  const places = () => page.locator('.pending').evaluateAll((lines) => lines.map(({ id }) => id));
  for (const payer of payers.toReversed()) {
    const before = await places();
    const at = before.indexOf((await cardWith(page, payer.name).getAttribute('id'))!);
    await press(page.getByRole('link', { name: `Verify the payment of ${payer.name}` }));
    await press(page.getByRole('button', { name: 'Verify payment' }));
    await expect(notice(page, 'Payment verified and subscription activated!').first()).toBeVisible();
    await expect(cardWith(page, payer.name)).toHaveCount(0);
    await expectFocusAt(page, before[at + 1] ?? before[at - 1] ?? 'H1');
  }
});

test('the heading that takes the focus is in sight', async ({ page, context, db }) => {
  const payer = await makeUser(db);
  const { id } = await makePayment(db, payer, 3);
  const refusal = { paymentId: id, reason: 'There is no such transaction' };
  await rejectPayment(db, await makeUser(db, { isAdmin: true }), refusal);
  await signInAs(context, db, payer);
  await page.setViewportSize({ width: 390, height: 700 });
  await open(page, '/app/payments');
  await page.getByRole('link', { name: 'Submit again' }).scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 400);
  await press(page.getByRole('link', { name: 'Submit again' }));
  await page.getByLabel('Transaction ID').fill(`9AB${Date.now()}`);
  await press(page.getByRole('dialog').getByRole('button', { name: 'Submit' }));
  await expect(notice(page, 'Payment proof submitted!')).toBeVisible();
  await expectFocusAt(page, 'H1');
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
});

test('after each act at a topic the focus is at its card, and after the last one at the heading', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const name = `Hiring at ${newName()}`;
  const { id } = await makeTopic(db, actor, name);
  await failTopic(db, id);
  await open(page, '/app/topics');
  const card = cardWith(page, name);
  const place = `topic-${id}`;
  await press(card.getByRole('button', { name: 'Resume' }));
  await expect(card.getByRole('button', { name: 'Resume' })).toHaveCount(0);
  await expectFocusAt(page, place);

  await press(card.getByRole('link', { name: 'Pause until' }));
  await expect(page.getByLabel('Pause until')).toBeFocused();
  await press(page.getByRole('button', { name: 'Pause topic' }));
  await expect(card).toContainText('Paused until');
  await expectFocusAt(page, place);
  await press(card.getByRole('button', { name: 'Resume' }));
  await expect(card).not.toContainText('Paused until');
  await expectFocusAt(page, place);

  const isActive = card.getByRole('switch');
  await press(isActive);
  await press(page.getByRole('button', { name: 'Deactivate topic' }));
  await expect(isActive).toHaveAttribute('aria-checked', 'false');
  await expect(isActive).toBeFocused();
  await isActive.press('Enter');
  await expect(notice(page, 'Topic activated successfully')).toBeVisible();
  await expect(isActive).toBeFocused();

  await press(card.getByRole('link', { name: 'Edit' }));
  await press(page.getByRole('button', { name: 'Save topic' }));
  await expect(notice(page, 'Topic updated successfully')).toBeVisible();
  await expectFocusAt(page, place);

  await press(card.getByRole('button', { name: 'Write one now' }));
  await expect(card).toContainText('A post about it is being written');
  await expectFocusAt(page, place);
  await expect(card).toContainText('A post about it is written.', { timeout: 40_000 });
  await expectFocusAt(page, place);

  await press(card.getByRole('link', { name: 'Delete' }));
  await press(page.getByRole('button', { name: 'Delete topic' }));
  await expect(page.getByRole('heading', { name: 'No topics yet' })).toBeVisible();
  await expectFocusAt(page, 'H1');
});

test('at the account nothing moves, and the focus goes on to what was opened', async ({
  page,
  context,
  db,
}) => {
  const user = await makeUser(db);
  await createSession(db, user.userId, 'web', 'another browser');
  await signInAs(context, db, user);
  await page.setViewportSize({ width: 1366, height: 700 });
  await open(page, '/app/account');
  const at = () => page.evaluate(() => scrollY);
  await page.getByLabel('Full name').fill('Grace Hopper');
  await press(page.getByRole('button', { name: 'Save name' }));
  await expect(notice(page, 'Your name is saved')).toBeVisible();
  expect(await at()).toBe(0);
  await page.getByLabel('Full name').fill(' ');
  await press(page.getByRole('button', { name: 'Save name' }));
  await expect(notice(page, 'Please enter your name')).toBeVisible();
  expect(await at()).toBe(0);

  await open(page, '/app/account');
  for (const [link, field] of [
    ['Change email', 'New email'],
    ['Change password', 'Your password'],
    ['Change time zone', 'Time zone'],
  ] as const) {
    await press(page.getByRole('link', { name: link }));
    await expect(page.getByLabel(field, { exact: true })).toBeFocused();
    await press(page.getByRole('link', { name: 'Cancel' }));
    await expect(page.getByLabel(field, { exact: true })).toHaveCount(0);
    await expect(page.getByRole('link', { name: link })).toBeFocused();
  }
  await press(page.getByRole('link', { name: 'Change time zone' }));
  await page.getByLabel('Time zone', { exact: true }).selectOption('Asia/Tokyo');
  await press(page.getByRole('button', { name: 'Save time zone' }));
  await expect(notice(page, 'Your time zone is saved')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Change time zone' })).toBeFocused();

  await page.setViewportSize({ width: 1366, height: 400 });
  await open(page, '/app/account/security');
  const end = page.locator('#sessions').getByRole('button', { name: /^Sign out (?!everywhere)/ });
  await end.scrollIntoViewIfNeeded();
  await end.focus();
  const before = await at();
  expect(before).toBeGreaterThan(0);
  await end.press('Enter');
  await expect(notice(page, 'Signed out there')).toBeVisible();
  await expectFocusAt(page, 'sessions');
  const furthest = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  expect(await at()).toBe(Math.min(before, furthest));
});
