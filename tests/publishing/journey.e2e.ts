import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from '@playwright/test';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { transactionId } from '#tests/fixtures/payments.ts';
import {
  cardWith,
  codeMailedTo,
  enterCode,
  expect,
  newEmail,
  newName,
  notice,
  sandbox,
  sandboxUrl,
  test,
} from '#tests/harness/e2e/kit.ts';

const ZONE = 'Asia/Tokyo';
const MINUTE_MS = 60_000;
/** What is left of a minute is mostly enough to save the settings in it. */
const SAVED_WITHIN_MS = 15_000;
const LONGEST_WAIT_MS = 200_000;

test('from sign-up to a post that publishes itself', async ({ page, browser, db, javaScriptEnabled }) => {
  test.setTimeout(300_000);
  const person = { name: `Ada ${newName()}`, email: newEmail() };
  const topic = `Calm handovers at ${newName()}`;
  const transaction = transactionId();

  await test.step('signs up and enters the mailed code', () => signUp(page, person));
  await test.step('chooses a plan and pays with PayPal', () => subscribe(page, transaction));
  await test.step('an admin verifies the payment', async () => {
    const admin = await makeUser(db);
    await makeAdmin(admin.email);
    await verifyAsAdmin(browser, admin.email, { ...person, transaction, javaScriptEnabled });
  });
  await test.step('sees the plan', async () => {
    await page.goto('/app/dashboard');
    await expect(page.getByText('1 post a day · $6 per month')).toBeVisible();
    await expect(page.getByText('1 of 3 steps done')).toBeVisible();
  });
  const member = `Member ${newName()}`;
  await test.step('connects LinkedIn', () => connect(page, member));
  await test.step('adds a topic', () => addTopic(page, topic));

  let publishAt = new Date();
  await test.step('sets the times', async () => {
    publishAt = await setTimes(page);
  });
  await test.step('the post is written and published by itself', async () => {
    const published = cardWith(page, topic).filter({ hasText: 'Published' });
    await expect(async () => {
      await page.goto('/app/posts');
      await expect(published).toBeVisible({ timeout: 300 });
    }).toPass({ timeout: LONGEST_WAIT_MS, intervals: [2_000] });
    const posts = await postsOf(member);
    expect(posts).toHaveLength(1);
    const late = new Date(posts[0]!.at).getTime() - publishAt.getTime();
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(MINUTE_MS);
    await opensOnLinkedIn(page, posts[0]!.text);
    await page.goto(`${sandboxUrl()}/feed`);
    await expect(page.getByRole('article').filter({ hasText: member })).toHaveCount(1);
  });
  await test.step('the dashboard says what is done', async () => {
    await page.goto('/app/dashboard');
    await expect(page.getByRole('main')).toContainText('Published');
    await expect(page.getByText('1 published')).toBeVisible();
  });
  await test.step('writes one more now and publishes it by hand', () => publishByHand(page, topic, member));
  await test.step('signs out', async () => {
    await page.getByRole('button', { name: 'Log out' }).first().click();
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    await page.goto('/app/dashboard');
    await expect(page).toHaveURL(/\/login$/);
  });
});

type Person = { name: string; email: string };

async function signUp(page: Page, { name, email }: Person) {
  await page.goto('/');
  await page.getByRole('link', { name: 'Start free' }).first().click();
  await page.getByLabel('Full name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(notice(page, 'Account created! Check your email for verification code.')).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  await enterCode(page, await codeMailedTo(email));
  await expect(page.getByRole('heading', { name: 'Email Verified!' })).toBeVisible();
  await expect(page.getByRole('heading', { name: `Welcome, ${name.split(' ')[0]}` })).toBeVisible();
  await expect(page).toHaveURL(/\/app\/dashboard$/);
  await expect(page.getByText('0 of 3 steps done')).toBeVisible();
}

async function subscribe(page: Page, transaction: string) {
  const main = page.getByRole('main');
  await main.getByRole('link', { name: 'Subscribe', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose your plan' });
  await dialog.getByRole('button', { name: '1', exact: true }).click();
  await dialog.getByLabel('Currency').selectOption('USD');
  await expect(dialog.getByText('$6 per month').last()).toBeVisible();
  await dialog.getByRole('button', { name: 'Continue to Payment' }).click();
  const payment = page.getByRole('dialog', { name: 'Complete your payment' });
  await expect(payment.getByText('$3 USD', { exact: true })).toBeVisible();
  await expect(payment.getByText('payments@tidepost.example')).toBeVisible();
  await expect(payment.getByText(/^Tidepost TP-[A-Z0-9]{6}$/)).toBeVisible();
  await payment.getByLabel('Transaction ID').fill(transaction);
  await payment.getByRole('button', { name: 'Submit' }).click();
  await expect(notice(page, 'Payment proof submitted! Waiting for admin verification.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Payment History' })).toBeVisible();
  const card = cardWith(page, transaction);
  await expect(card.getByText('Pending')).toBeVisible();
  await expect(card.getByText('QR Code')).toBeVisible();
  await page.goto('/app/dashboard');
  await expect(main.getByRole('link', { name: 'View Payment Status', exact: true })).toBeVisible();
}

const makeAdmin = (email: string) =>
  promisify(execFile)(process.execPath, ['scripts/make-admin.ts', email], {
    env: { ...process.env, DATABASE_URL: process.env.E2E_DATABASE_URL },
  });

type Buyer = Person & { transaction: string; javaScriptEnabled: boolean };

async function verifyAsAdmin(browser: Browser, admin: string, buyer: Buyer) {
  const { javaScriptEnabled } = buyer;
  const context = await browser.newContext({ baseURL: process.env.E2E_APP_URL, javaScriptEnabled });
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByLabel('Email').fill(admin);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible();
  const card = cardWith(page, buyer.email);
  await expect(card).toContainText(buyer.transaction);
  await expect(card).toContainText('$3 USD by PayPal');
  await card.getByRole('link', { name: 'Verify' }).click();
  const question = page.getByRole('dialog', { name: 'Verify this payment?' });
  await expect(question).toContainText(buyer.transaction);
  await question.getByRole('button', { name: 'Verify payment' }).click();
  await expect(notice(page, 'Payment verified and subscription activated!')).toBeVisible();
  await expect(card).toHaveCount(0);
  await page.getByRole('link', { name: 'Audit log' }).click();
  const row = page.getByRole('row').filter({ hasText: buyer.transaction });
  await expect(row).toContainText('Verified a payment');
  await context.close();
}

async function connect(page: Page, member: string) {
  await page.getByRole('main').getByRole('link', { name: 'Connect LinkedIn' }).click();
  await page.getByRole('button', { name: 'Connect LinkedIn' }).click();
  await expect(page.getByRole('heading', { name: 'Tidepost would like to' })).toBeVisible();
  await page.getByText('Somebody else').click();
  await page.getByLabel('Name').fill(member);
  await page.getByLabel('E-mail').fill(newEmail());
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(notice(page, 'LinkedIn account connected successfully!')).toBeVisible();
  await expect(page.getByRole('heading', { name: member })).toBeVisible();
  await expect(page).toHaveURL(/\/app\/linkedin$/);
}

async function addTopic(page: Page, name: string) {
  await page.goto('/app/topics');
  await page.getByRole('link', { name: 'Add topic' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Description').fill('What to write down before a shift ends.');
  await page.getByLabel('Keywords').fill('handover, shifts, checklists');
  await page.getByLabel('Tone').selectOption('Casual');
  await page.getByRole('button', { name: 'Create topic' }).click();
  await expect(notice(page, 'Topic created successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name })).toBeVisible();
}

/** The content is made in the first minute that is far enough away, and published in the one after it. */
async function setTimes(page: Page): Promise<Date> {
  for (;;) {
    const { writeAt, publishAt } = await saveTimes(page);
    if (Date.now() < writeAt) return new Date(publishAt);
  }
}

async function saveTimes(page: Page) {
  await page.goto('/app/dashboard?settings');
  await expect(page.getByRole('heading', { name: 'Automation Settings' })).toBeVisible();
  const writeAt = Math.ceil((Date.now() + SAVED_WITHIN_MS) / MINUTE_MS) * MINUTE_MS;
  const publishAt = writeAt + MINUTE_MS;
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' });
  await page.getByLabel('Time zone').selectOption(ZONE);
  await page.getByLabel('Content generation time').fill(clock.format(writeAt));
  await page.getByLabel('Publish time 1').fill(clock.format(publishAt));
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  await expect(notice(page, 'Settings saved successfully!')).toBeVisible();
  await expect(page.getByLabel('Publish time 1')).toHaveValue(clock.format(publishAt));
  return { writeAt, publishAt };
}

type Arrived = { at: string; name: string; text: string };

/** What the network has of a member. */
async function postsOf(member: string): Promise<Arrived[]> {
  const { posts } = (await sandbox('GET', 'ledger')) as { posts: Arrived[] };
  return posts.filter(({ name }) => name === member);
}

async function opensOnLinkedIn(page: Page, text: string) {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'View on LinkedIn' }).first().click();
  const tab = await opened;
  await expect(tab.getByText(text.split('\n')[0]!)).toBeVisible();
  await tab.close();
}

async function publishByHand(page: Page, topic: string, member: string) {
  await sandbox('POST', 'faults', { kind: 'writer.slow', delayMs: 6_000, times: 1, match: topic });
  await page.getByRole('button', { name: 'Generate now' }).click();
  await expect(page.getByRole('progressbar', { name: /^Writing 1 post/ })).toBeVisible();
  await expect(page.getByText('1 post written')).toBeVisible();
  await page.getByRole('link', { name: 'Read it' }).click();
  const card = cardWith(page, topic).filter({ hasText: 'Publishes at' });
  await card.getByRole('link', { name: 'Publish now' }).click();
  const question = page.getByRole('dialog', { name: 'Publish this post now?' });
  await question.getByRole('button', { name: 'Publish now' }).click();
  await expect(notice(page, 'Your post is being published')).toBeVisible();
  await expect.poll(async () => (await postsOf(member)).length).toBe(2);
  await expect(async () => {
    await page.goto('/app/posts?status=published');
    await expect(cardWith(page, topic)).toHaveCount(2, { timeout: 300 });
  }).toPass();
  const [, second] = await postsOf(member);
  await opensOnLinkedIn(page, second!.text);
}
