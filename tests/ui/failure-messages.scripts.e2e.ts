import type { Page } from '@playwright/test';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { FAILURES } from '#app/domain/posts/failures.ts';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, makeTopic, standAs } from '#tests/fixtures/posts.ts';
import {
  expect,
  newEmail,
  newName,
  notice,
  open,
  signInAs,
  signInAsPublisher,
  test,
  wake,
} from '#tests/harness/e2e/kit.ts';

/** The server fails at every form, or at every page. */
const failAt = (page: Page, method: 'GET' | 'POST') =>
  page.route(/\.data(?:\?|$)/, (route) =>
    route.request().method() === method ? route.fulfill({ status: 503, body: 'away' }) : route.continue(),
  );

type Act = (page: Page) => Promise<void>;
type Row = [failure: string, address: string, act: Act, method?: 'GET'];

const click =
  (name: string | RegExp): Act =>
  (page) =>
    page.getByRole('button', { name }).first().click();
const fill =
  (fields: Record<string, string>, button: string): Act =>
  async (page) => {
    for (const [label, text] of Object.entries(fields)) {
      await page.getByLabel(label, { exact: true }).fill(text);
    }
    await click(button)(page);
  };

/** Each sentence is a toast, and whoever acted stays where they were. */
async function expectEach(page: Page, rows: Row[]) {
  for (const [failure, address, act, method = 'POST'] of rows) {
    await test.step(failure, async () => {
      await open(page, address);
      await page.mouse.move(9, 9);
      await page.waitForLoadState('networkidle');
      await failAt(page, method);
      await act(page);
      await expect.soft(notice(page, failure)).toBeVisible();
      await expect.soft(page).toHaveURL(new RegExp(`${address.split('?')[0]}(?:[?#]|$)`));
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
  }
}

test.beforeEach(({ page: _ }, info) => info.setTimeout(300_000));

test('visitors are told what failed', async ({ page }) => {
  const email = newEmail();
  await expectEach(page, [
    ['Login failed', '/login', fill({ Email: email, Password: PASSWORD }, 'Sign In')],
    [
      'Signup failed',
      '/signup',
      fill(
        { 'Full name': 'Ada', Email: email, Password: PASSWORD, 'Confirm password': PASSWORD },
        'Create Account',
      ),
    ],
  ]);
  await fill(
    { 'Full name': 'Ada', Email: email, Password: PASSWORD, 'Confirm password': PASSWORD },
    'Create Account',
  )(page);
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await page.goto('/forgot-password');
  await fill({ Email: newEmail() }, 'Send Reset Code')(page);
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await expectEach(page, [
    ['Failed to send reset code', '/forgot-password', fill({ Email: email }, 'Send Reset Code')],
    ['Failed to resend OTP', '/verify-otp', click('Resend')],
    ['Failed to resend code', '/reset-password', click('Resend code')],
    [
      'Verification failed',
      '/verify-otp',
      async (page) => {
        await page.getByLabel('Digit 1').click();
        await page.keyboard.type('123456');
      },
    ],
  ]);
});

async function makeRows(db: Db, actor: Actor): Promise<Row[]> {
  const topic = await makeTopic(db, actor);
  const inADay = new Date(Date.now() + 86_400_000);
  const waiting = await makeScheduledPost(db, actor, { content: 'A waiting post.', dueAt: inADay });
  const published = await makeScheduledPost(db, actor, { content: 'A post that went out.', dueAt: inADay });
  await standAs(db, published, { status: 'published', postedAt: new Date() });
  const unknown = await makeScheduledPost(db, actor, { content: 'A post nobody knows of.', dueAt: inADay });
  const { reason } = FAILURES.unconfirmed;
  await standAs(db, unknown, { status: 'failed', isUnconfirmed: true, reason });
  const subscribe = '/app/payments?dialog=subscribe';
  return [
    ['Failed to save topic', '/app/topics?dialog=topic', fill({ Name: 'Hiring' }, 'Create topic')],
    ['Failed to delete topic', `/app/topics?confirm-delete=${topic.id}`, click('Delete topic')],
    [
      'Failed to toggle topic status',
      `/app/topics?confirm-deactivate=${topic.id}`,
      click('Deactivate topic'),
    ],
    [
      'Failed to save settings',
      '/app/dashboard?settings',
      async (page) => {
        await wake(page, 'Save All Settings');
        await click('Save All Settings')(page);
      },
    ],
    ['Failed to toggle automation', '/app/dashboard', (page) => page.getByRole('switch').first().click()],
    ['Failed to delete post', `/app/posts?confirm-delete=${published}`, click('Delete post')],
    ['Failed to save numbers', `/app/posts?numbers=${published}`, fill({ Likes: '3' }, 'Save numbers')],
    ['Failed to update post', '/app/posts?status=failed', click('It is there')],
    ['Failed to publish post', `/app/scheduled?confirm-publish=${waiting}`, click('Publish now')],
    ['Failed to create payment request', subscribe, click(/Upgrade Plan|Continue to Payment/), 'GET'],
    [
      'Failed to submit payment proof',
      `${subscribe}&step=2&posts=5&currency=USD`,
      fill({ 'Transaction ID': 'PAYPAL123456789' }, 'Submit'),
    ],
    [
      'Failed to disconnect LinkedIn account',
      '/app/linkedin?confirm-disconnect=1',
      click('Disconnect LinkedIn'),
    ],
    ['Failed to cancel your plan', '/app/payments?confirm-cancel=plan', click('Cancel plan')],
  ];
}

test('users are told what failed, and stay where they were', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const rows = await makeRows(db, actor);
  await expectEach(page, rows);
  const newcomer = await makeUser(db);
  await signInAs(context, db, newcomer);
  await expectEach(page, [['Failed to initiate LinkedIn connection', '/app/linkedin', click(/^Connect/)]]);
});

test('admins are told what failed, and stay where they were', async ({ page, context, db }) => {
  const payer = await makeUser(db);
  const { id } = await makePayment(db, payer, 3);
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await expectEach(page, [
    ['Failed to verify payment', `/app/admin?tab=payments&confirm-verify=${id}`, click('Verify payment')],
    [
      'Failed to reject payment',
      `/app/admin?tab=payments&reject=${id}`,
      fill({ Reason: 'Nothing came.' }, 'Reject payment'),
    ],
    ['Failed to pause publishing', '/app/admin/publishing', fill({ Reason: 'Care.' }, 'Pause publishing')],
  ]);
});

test('a tab of the admin’s page that cannot be loaded is named', async ({ page, context, db }) => {
  const user = await makeUser(db, { name: `Unread ${newName()}` });
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  for (const [from, link, failure] of [
    ['/app/admin?tab=users', 'Overview', 'Failed to load overview data'],
    ['/app/admin', 'Payments', 'Failed to load payments data'],
    ['/app/admin', 'Email', 'Failed to load email data'],
    ['/app/admin', 'Visits', 'Failed to load visits data'],
    ['/app/admin', 'Users', 'Failed to load users data'],
    [`/app/admin?tab=users&q=${user.email}`, user.name, 'Failed to load user posts'],
  ] as const) {
    await open(page, from);
    await failAt(page, 'GET');
    await page.getByRole('main').getByRole('link', { name: link, exact: true }).click();
    await expect.soft(page.getByRole('heading', { name: failure })).toBeFocused();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
  await failAt(page, 'GET');
  const main = page.getByRole('navigation', { name: 'Main' });
  await main.getByRole('link', { name: 'Support & Feedback', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Failed to load data' })).toBeFocused();
});

test('a page that cannot be loaded is named', async ({ page, context, db }) => {
  await signInAsPublisher(context, db);
  const main = page.getByRole('navigation', { name: 'Main' });
  for (const [from, link, failure] of [
    ['/app/topics', 'Dashboard', 'Failed to load dashboard'],
    ['/app/dashboard', 'Topics', 'Failed to load topics'],
    ['/app/dashboard', 'Scheduled Posts', 'Failed to load scheduled posts'],
    ['/app/dashboard', 'Post History', 'Failed to load post history'],
    ['/app/dashboard', 'Payment History', 'Failed to load payment history'],
    ['/app/dashboard', 'LinkedIn', 'Failed to load LinkedIn'],
  ] as const) {
    await open(page, from);
    await failAt(page, 'GET');
    await main.getByRole('link', { name: link, exact: true }).click();
    await expect.soft(page.getByRole('heading', { name: failure })).toBeFocused();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
  await open(page, '/app/payments');
  await failAt(page, 'GET');
  await page.getByRole('link', { name: 'Upgrade Plan' }).click();
  await expect(page.getByRole('heading', { name: 'Failed to load pricing' })).toBeFocused();
});
