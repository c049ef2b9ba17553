import type { Locator, Page } from '@playwright/test';
import { toggleTopic } from '#app/domain/topics/topics.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, transactionId } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, makeTopic, standAs } from '#tests/fixtures/posts.ts';
import { pictureOf } from '#tests/fixtures/screenshots.ts';
import {
  cardWith,
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

/** Nobody answers a form. */
const cutForms = (page: Page, kind = 'connectionrefused') =>
  page.route(/\.data/, (route) =>
    route.request().method() === 'POST' ? route.abort(kind) : route.continue(),
  );

/** Somebody on the way answers in the place of the server. */
const answerForms = (page: Page, status: number, body: string) =>
  page.route(/\.data/, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status, body }) : route.continue(),
  );

test('a dialog that gets no answer stays with what was typed, and can be sent again', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  await open(page, '/app/topics?dialog=topic');
  const name = `Budgets at ${newName()}`;
  const dialog = page.getByRole('dialog', { name: 'Add a topic' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Description').fill('Typed on a train.');
  await cutForms(page, 'connectionreset');
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  const sentence = 'Failed to save topic. It may have arrived: look before you do it again.';
  await expect(dialog.getByRole('alert')).toContainText(sentence);
  await expect(dialog.getByRole('alert')).toBeFocused();
  await expect(notice(page, sentence)).toBeVisible();
  await expect(dialog.getByLabel('Name')).toHaveValue(name);
  await expect(dialog.getByLabel('Description')).toHaveValue('Typed on a train.');
  await expect(page).toHaveURL('/app/topics?dialog=topic');

  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  await expect(notice(page, 'Topic created successfully')).toBeVisible();
  await expect(cardWith(page, name)).toBeVisible();
});

test('a payment that nobody hears of, and one whose answer is lost, stay as typed, say so and count once', async ({
  page,
  context,
  db,
}) => {
  const payer = await makeUser(db);
  await signInAs(context, db, payer);
  const payments = () =>
    db.selectFrom('payments').select('transactionId').where('userId', '=', payer.userId).execute();
  await open(page, '/app/payments?dialog=subscribe&posts=3&currency=INR');
  const choose = page.getByRole('dialog', { name: 'Choose your plan' });
  await context.setOffline(true);
  await choose.getByRole('button', { name: 'Continue to Payment' }).click();
  await expect(notice(page, 'Failed to create payment request')).toBeVisible();
  await expect(choose.getByRole('button', { name: '3', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await context.setOffline(false);
  await choose.getByRole('button', { name: 'Continue to Payment' }).click();

  const dialog = page.getByRole('dialog', { name: 'Complete your payment' });
  const typed = dialog.getByLabel('Transaction ID');
  const submit = dialog.getByRole('button', { name: 'Submit', exact: true });
  const picture = dialog.locator('input[type=file]');
  const transaction = transactionId();
  const sentence = 'Failed to submit payment proof. It may have arrived: look before you do it again.';
  await typed.fill(transaction);
  await picture.setInputFiles({ name: 'paid.png', mimeType: 'image/png', buffer: await pictureOf('png') });
  const stays = async () => {
    await expect(dialog.getByRole('alert')).toContainText('Failed to submit payment proof');
    await expect(dialog.getByRole('alert')).toBeFocused();
    await expect(typed).toHaveValue(transaction);
    expect(await picture.evaluate((input: HTMLInputElement) => input.files?.[0]?.name)).toBe('paid.png');
    await expect(submit).toBeEnabled();
  };
  await context.setOffline(true);
  await submit.click();
  await stays();
  await context.setOffline(false);
  await answerForms(page, 503, 'away');
  await submit.click();
  await stays();
  await expect(notice(page, sentence).first()).toBeVisible();
  expect(await payments()).toEqual([]);
  await page.unrouteAll();

  await page.route(/payments\.data/, async (route) => {
    if (route.request().method() === 'POST') await route.fetch({ maxRedirects: 0 }).catch(() => {});
    await context.clearCookies({ name: /notices/ });
    await route.abort('connectionreset');
  });
  await submit.click();
  await expect.poll(async () => (await payments()).length).toBe(1);
  await stays();
  await page.unrouteAll();
  await submit.click();
  await expect(notice(page, 'Payment proof submitted! Waiting for admin verification.')).toBeVisible();
  await expect(dialog).toBeHidden();
  expect(await payments()).toEqual([{ transactionId: transaction }]);
});

test('what was refused before stands no longer beside a form that got no answer', async ({
  page,
  context,
}) => {
  await open(page, '/signup');
  const password = page.getByLabel('Password', { exact: true });
  const confirm = page.getByLabel('Confirm password');
  await page.getByLabel('Full name').fill('Nina');
  await page.getByLabel('Email').fill(newEmail());
  await password.fill('harbour-wall-19');
  await confirm.fill('harbour-wall-18');
  const create = page.getByRole('button', { name: 'Create Account' });
  const main = page.getByRole('main');
  const refused = main.getByText('Passwords do not match');
  await create.click();
  await expect(refused).toBeVisible();
  await confirm.fill('harbour-wall-19');
  await context.setOffline(true);
  await create.click();
  await expect(main.getByRole('alert')).toContainText('Signup failed. Nobody answered.');
  await expect(main.getByRole('alert')).toBeFocused();
  await expect(refused).toHaveCount(0);
  await expect(confirm).toHaveValue('harbour-wall-19');
  await context.setOffline(false);
  await password.fill('password');
  await confirm.fill('password');
  await create.click();
  await expect(main.getByText('This password is one of the most common ones.')).toBeVisible();
  await expect(main.getByRole('alert')).toHaveCount(0);
});

test('settings that a faulty server does not take stay as they were set', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  await open(page, '/app/dashboard?settings');
  await wake(page, 'Save All Settings');
  await page.getByLabel('Time zone').selectOption('America/Bogota');
  await answerForms(page, 502, '<h1>Bad gateway</h1>');
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  const sentence = 'Failed to save settings. The fault is on our side. Try again in a minute.';
  await expect(notice(page, sentence)).toBeVisible();
  await expect(page.getByLabel('Time zone')).toHaveValue('America/Bogota');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  await expect(notice(page, 'Settings saved successfully!')).toBeVisible();
});

test('a switch that nobody heard goes back, and says so until its reader goes on', async ({
  page,
  context,
  db,
}) => {
  const actor = await makeUser(db);
  const topic = await makeTopic(db, actor);
  await toggleTopic(db, actor, topic.id);
  await signInAs(context, db, actor);
  await open(page, '/app/topics');
  await context.setOffline(true);
  await page.getByRole('switch').click();
  const sentence =
    'Failed to toggle topic status. Nobody answered. Try again in a moment, or load the page again.';
  await expect(notice(page, sentence)).toBeVisible();
  await expect(page.getByRole('switch')).toHaveAttribute('aria-checked', 'false');
  await expect(notice(page, sentence)).toHaveCount(0);
  await expect(page.getByRole('main').getByText(sentence)).toBeVisible();
  await context.setOffline(false);
  await open(page, '/app/topics');
  await page.getByRole('switch').click();
  await expect(notice(page, 'Topic activated successfully')).toBeVisible();
});

test('what a server says of a form comes before our own words', async ({ page }) => {
  await open(page, '/login');
  const email = newEmail();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('a password');
  await answerForms(page, 429, 'Too many requests. Wait a minute.');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(notice(page, 'Too many requests. Wait a minute.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.unrouteAll();
  await cutForms(page);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(notice(page, 'Login failed. Nobody answered.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
});

test('a page that a faulty server cannot show leaves the others in reach, and can be asked for again', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  await open(page, '/app/topics');
  const main = page.getByRole('navigation', { name: 'Main' });
  await page.route(/payments\.data/, (route) => route.fulfill({ status: 503, body: 'away' }));
  await main.getByRole('link', { name: 'Payment History' }).click();
  await expect(page.getByRole('heading', { name: 'Failed to load payment history' })).toBeFocused();
  await expect(page).toHaveTitle(/Failed to load payment history/);
  await expect(
    page.getByText('Your posts are safe, and publishing does not wait for this page.'),
  ).toBeVisible();
  // The heading stands there already, so nothing but the answer says that this try is over.
  const [refused] = await Promise.all([
    page.waitForResponse(/payments\.data/),
    page.getByRole('link', { name: 'Retry' }).click(),
  ]);
  expect(refused.status()).toBe(503);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Failed to load payment history' })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('link', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Payment History' })).toBeVisible();
});

test('who was signed out meanwhile keeps what was typed, and sends it once signed in again', async ({
  page,
  context,
  db,
}) => {
  const actor = await makeUser(db);
  await signInAs(context, db, actor);
  await open(page, '/app/topics?dialog=topic');
  const name = `Budgets at ${newName()}`;
  const dialog = page.getByRole('dialog', { name: 'Add a topic' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Description').fill('Typed before lunch.');
  await db.deleteFrom('sessions').where('userId', '=', actor.userId).execute();
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  const sentence = 'You were signed out. Sign in in another tab, then try again.';
  await expect(dialog.getByRole('alert')).toContainText(sentence);
  await expect(notice(page, sentence)).toBeVisible();
  await expect(dialog.getByLabel('Name')).toHaveValue(name);
  await expect(dialog.getByLabel('Description')).toHaveValue('Typed before lunch.');
  await expect(page).toHaveURL('/app/topics?dialog=topic');

  await signInAs(context, db, actor);
  await dialog.getByRole('button', { name: 'Create topic' }).click();
  await expect(notice(page, 'Topic created successfully')).toBeVisible();
  await expect(cardWith(page, name)).toBeVisible();
});

test('who leaves a topic with something typed is asked, and keeps it or not', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  await open(page, '/app/topics?dialog=topic');
  const dialog = page.getByRole('dialog', { name: 'Add a topic' });
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  const name = `Budgets at ${newName()}`;
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('link', { name: 'Close' }).click();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(question).toHaveCount(0);
  await expect(dialog.getByLabel('Name')).toHaveValue(name);
  await dialog.getByLabel('Name').focus();
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL('/app/topics');
});

test('a dialog that the browser closes by itself asks as well, and goes as every other one', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  await open(page, '/app/topics?dialog=topic');
  const dialog = page.getByRole('dialog', { name: 'Add a topic' });
  const name = `Budgets at ${newName()}`;
  // Nobody has touched the page yet, so the browser asks it nothing.
  await dialog.getByLabel('Name').fill(name);
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(dialog.getByLabel('Name')).toHaveValue(name);

  await open(page, '/app/topics?dialog=topic');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL('/app/topics');
});

test('what comes back to the page where somebody writes asks nothing', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  await open(page, '/app/dashboard?settings');
  await wake(page, 'Save All Settings');
  const time = page.getByLabel('Publish time 1');
  await time.fill('10:45');
  const automation = page.getByRole('switch', { name: 'Active' });
  await automation.click();
  await expect(notice(page, 'Automation paused')).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Paused' })).toBeVisible();
  await expect(time).toHaveValue('10:45');
});

/** Opens the settings, types into them, and holds the answer to their switch until `arrive` is called. */
async function typeWhileSwitching(page: Page) {
  await open(page, '/app/dashboard?settings');
  await wake(page, 'Save All Settings');
  await page.getByLabel('Publish time 1').fill('10:45');
  const held = Promise.withResolvers<void>();
  await page.route('**/app/dashboard.data*', async (route) => {
    const answered = await route.fetch();
    await held.promise;
    await route.fulfill({ response: answered });
  });
  const state = page.locator('#automation').getByRole('switch', { includeHidden: true });
  const before = (await state.textContent())!;
  await state.click();
  return async () => {
    held.resolve();
    await expect(state).not.toHaveText(before);
    await page.unroute('**/app/dashboard.data*');
  };
}

test('the question stays until it is answered, also while answers to earlier forms arrive', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  const topics = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Topics' });
  const leave = async (place: Locator, answer: string) => {
    const arrive = await typeWhileSwitching(page);
    await place.click();
    await expect(question).toBeVisible();
    await arrive();
    await question.getByRole('button', { name: answer }).click();
    await expect(question).toHaveCount(0);
  };
  await leave(topics, 'Keep editing');
  await expect(page.getByLabel('Publish time 1')).toHaveValue('10:45');
  await leave(topics, 'Leave without saving');
  await expect(page).toHaveURL('/app/topics');
  await leave(page.getByRole('button', { name: 'Log out' }), 'Leave without saving');
  await expect(page).toHaveURL('/login');
  await page.goto('/app/dashboard');
  await expect(page).toHaveURL(/\/login/);
});

test('who leaves once the connection is lost is asked as well', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  await page.route('**/assets/leave-dialog-*.js', (route) => route.abort());
  await open(page, '/app/topics?dialog=topic');
  const name = page.getByRole('dialog', { name: 'Add a topic' }).getByLabel('Name');
  await name.fill('Budgets');
  const asked: string[] = [];
  page.once('dialog', (dialog) => {
    asked.push(dialog.message());
    return dialog.dismiss();
  });
  await page.getByRole('dialog', { name: 'Add a topic' }).getByRole('link', { name: 'Close' }).click();
  await expect.poll(() => asked).toEqual([expect.stringMatching(/^Leave without saving\?/)]);
  await expect(name).toHaveValue('Budgets');
});

test('the settings stay open and as they are typed while the page is used, and are closed by going back', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  await open(page, '/app/dashboard');
  await wake(page, 'Generate now');
  const opener = page.getByRole('link', { name: 'Change settings' });
  await opener.click();
  const [time, zone] = [page.getByLabel('Publish time 1'), page.getByLabel('Time zone')];
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(time).toBeVisible();
  await page.goBack();
  await expect(time).toHaveCount(0);
  await opener.click();
  await zone.selectOption('America/Bogota');
  await time.fill('99:99');
  await page
    .locator('form')
    .filter({ has: time })
    .evaluate((form: HTMLFormElement) => {
      form.noValidate = true;
    });
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  await expect(page.getByText('Please give a time as HH:MM').first()).toBeVisible();
  await page.getByRole('switch', { name: 'Active' }).click();
  await expect(notice(page, 'Automation paused')).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Paused' })).toBeVisible();
  await expect(zone).toHaveValue('America/Bogota');
  await page.getByRole('link', { name: 'Upgrade Plan' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upgrade your plan' });
  await dialog.getByRole('link', { name: 'Close' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(zone).toHaveValue('America/Bogota');
  await page.getByRole('link', { name: 'Close', exact: true }).click();
  await question.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(time).toHaveCount(0);
  await expect(opener).toBeVisible();
});

/** Types into a field, tries to leave, is asked, keeps it, tries again and leaves. */
async function leaveWhileTyping(page: Page, field: Locator, text: string, leave: () => Promise<void>) {
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  // A browser closes a dialog without asking its page as long as nobody has touched that.
  await field.click();
  await field.fill(text);
  await leave();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(question).toHaveCount(0);
  await expect(field).toHaveValue(text);
  await leave();
  await question.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(question).toHaveCount(0);
  await expect(field).toHaveCount(0);
}

test('every form in which somebody wrote asks before it is left', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  const word = newName();
  const id = await makeScheduledPost(db, actor, { content: `The ${word} post.`, dueAt: new Date() });
  await standAs(db, id, { status: 'published', postedAt: new Date() });
  const close = () => page.keyboard.press('Escape');
  const topics = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Topics' });
  const leave = () => topics.click();

  await open(page, '/app/payments?dialog=subscribe&step=2&posts=3&currency=USD');
  await leaveWhileTyping(page, page.getByLabel('Transaction ID'), 'PAYPAL1234567', close);

  await open(page, `/app/posts?numbers=${id}`);
  await leaveWhileTyping(page, page.getByLabel('Likes'), '1204', leave);

  await open(page, '/app/dashboard?settings');
  await wake(page, 'Save All Settings');
  await leaveWhileTyping(page, page.getByLabel('Publish time 1'), '10:45', leave);
});

test('the forms of admins ask, too', async ({ page, context, db }) => {
  const payer = await makeUser(db);
  const { id } = await makePayment(db, payer, 3);
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await open(page, `/app/admin?tab=payments&reject=${id}`);
  await leaveWhileTyping(page, page.getByLabel('Reason'), 'Nothing came.', () =>
    page.keyboard.press('Escape'),
  );
  await open(page, '/app/admin/publishing');
  const audit = page.getByRole('link', { name: 'Payments', exact: true });
  await leaveWhileTyping(page, page.getByLabel('Reason'), 'Maintenance.', () => audit.click());
});

test('what was saved or changed back is left without a question', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  await open(page, '/app/dashboard?settings');
  await wake(page, 'Save All Settings');
  const time = page.getByLabel('Publish time 1');
  const before = await time.inputValue();
  await time.fill('10:45');
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  await expect(notice(page, 'Settings saved successfully!')).toBeVisible();
  await time.fill(before);
  await time.fill('10.45');
  await time.blur();
  await expect(time).toHaveValue('10:45');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Topics' }).click();
  await expect(page.getByRole('heading', { name: 'Topics', level: 1 })).toBeVisible();
});

/** The name of somebody, which nobody takes at first. */
async function failName(page: Page) {
  await open(page, '/app/account');
  await cutForms(page);
  await page.getByLabel('Full name').fill('Grace Hopper');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(notice(page, 'Failed to save your name')).toBeVisible();
  // Whoever points at a notice keeps it.
  await notice(page, 'Failed to save your name').hover();
  await page.unrouteAll();
}

test('that a form failed is said no longer once the very same form has worked', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  await failName(page);
  await page.getByLabel('Full name').press('Enter');
  await expect(notice(page, 'Your name is saved')).toBeVisible();
  expect(await notice(page, 'Failed to save your name').count()).toBe(0);

  await open(page, '/app/account');
  await page.getByLabel('Full name').fill('  ');
  await page.getByRole('button', { name: 'Save name' }).click();
  await notice(page, 'Please enter your name').hover();
  await page.getByLabel('Full name').fill('Ada Marlow');
  await page.getByLabel('Full name').press('Enter');
  await expect(notice(page, 'Your name is saved')).toBeVisible();
  expect(await notice(page, 'Please enter your name').count()).toBe(0);
});

test('that a form failed is said on while another one works', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  await open(page, '/app/account?form=zone');
  await cutForms(page);
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await page.getByRole('button', { name: 'Save time zone' }).click();
  await notice(page, 'Failed to save your time zone').hover();
  await page.unrouteAll();
  await page.getByLabel('Full name').fill('Grace Hopper');
  await page.getByLabel('Full name').press('Enter');
  await expect(notice(page, 'Your name is saved')).toBeVisible();
  await expect(notice(page, 'Failed to save your time zone')).toBeVisible();
});

test('that something may have arrived is said on while another form works', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const [first, second] = [await makeTopic(db, actor), await makeTopic(db, actor)];
  await open(page, '/app/topics');
  await cutForms(page, 'connectionreset');
  await page.locator(`#topic-${first.id}`).getByRole('button', { name: 'Write one now' }).click();
  const failure = notice(page, 'It may have arrived: look before you do it again.');
  await failure.hover();
  await page.unrouteAll();
  const isActive = page.locator(`#topic-${second.id}`).getByRole('switch');
  await isActive.focus();
  await isActive.press('Enter');
  await page.getByRole('button', { name: 'Deactivate topic' }).press('Enter');
  await expect(notice(page, 'Topic deactivated')).toBeVisible();
  await expect(failure).toBeVisible();
});

test('colours that nobody heard of stay chosen, and are used at the next press', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  await open(page, '/app/account');
  const dark = page.getByRole('radio', { name: 'Dark' });
  const use = page.getByRole('button', { name: 'Use these colours' });
  await dark.check();
  await context.setOffline(true);
  await use.click();
  await expect(notice(page, 'Failed to change the colours. Nobody answered.')).toBeVisible();
  await expect(dark).toBeChecked();
  await context.setOffline(false);
  await use.click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(dark).toBeChecked();
  await expect(page).toHaveURL('/app/account');
});
