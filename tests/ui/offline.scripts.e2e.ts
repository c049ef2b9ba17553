import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { createSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeScheduledPost } from '#tests/fixtures/posts.ts';
import {
  cardWith,
  expect,
  newName,
  notice,
  open,
  sandbox,
  scriptOf,
  signInAs,
  signInAsPublisher,
  test,
} from '#tests/harness/e2e/kit.ts';

const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const WAITS = 'No connection. We try again by ourselves.';

test('a page that keeps itself up to date stays as it stands without a connection, and goes on with it', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const content = `The ${newName()} post.`;
  await makeScheduledPost(db, actor, { content, dueAt: new Date(Date.now() + 86_400_000) });
  await sandbox('POST', 'faults', { kind: 'linkedin.slow', match: content, times: 1, delayMs: 9_000 });
  await page.goto('/app/scheduled');
  await cardWith(page, content).getByRole('link', { name: 'Publish now' }).click();
  await page.getByRole('button', { name: 'Publish now' }).click();
  await expect(cardWith(page, content).getByText('Publishing…')).toHaveCount(2);
  await context.setOffline(true);
  const line = page.getByRole('main').getByRole('status').getByText(WAITS);
  await expect(line).toBeVisible();
  // The notice of what was done lies above.
  expect((await line.boundingBox())!.y).toBeGreaterThan(page.viewportSize()!.height / 2);
  await expect(cardWith(page, content)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Scheduled Posts' })).toBeVisible();
  await context.setOffline(false);
  await expect(line).toHaveCount(0);
  await expect(cardWith(page, content).getByRole('status')).toContainText('Published');
});

const UNREACHED = /\.data|\/health/;

/** To the history, with nobody there who answers. */
async function goWithoutServer(page: Page) {
  await page.goto('/app/topics');
  await page.route(UNREACHED, (route) => route.abort('connectionrefused'));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Post History' }).click();
}

test('a page that cannot be fetched says so, can be asked for again, and comes with the connection', async ({
  page,
  context,
  db,
}) => {
  await signInAsPublisher(context, db);
  const goTo = (name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
  // Its script is there: without that the browser itself says that it is offline.
  await page.goto('/app/posts');
  await goTo('Topics');
  await expect(page.getByRole('heading', { name: 'Topics', exact: true })).toBeVisible();
  await context.setOffline(true);
  await goTo('Post History');
  await expect(page.getByRole('heading', { name: 'Failed to load post history' })).toBeFocused();
  await expect(page.getByText('no connection to Tidepost')).toBeVisible();
  await expect(page.getByText(/our side|name the request/)).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Retry' })).toHaveAttribute('href', '/app/posts');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Post History', exact: true })).toBeVisible();
});

test('a page that was refused by a server that is not there is asked for again by its link', async ({
  page,
  context,
  db,
}) => {
  await signInAsPublisher(context, db);
  await goWithoutServer(page);
  await expect(page.getByRole('heading', { name: 'Failed to load post history' })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('link', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Post History', exact: true })).toBeVisible();
});

test('a page that was refused comes by itself when somebody answers again, with the browser online all the time', async ({
  page,
  context,
  db,
}) => {
  await signInAsPublisher(context, db);
  await goWithoutServer(page);
  await expect(page.getByText('The page comes by itself when we answer.')).toBeVisible();
  await page.unrouteAll();
  await expect(page.getByRole('heading', { name: 'Post History', exact: true })).toBeVisible();
});

test('a page that takes longer than the next look for somebody who answers comes all the same', async ({
  page,
  context,
  db,
}) => {
  await signInAsPublisher(context, db);
  await goWithoutServer(page);
  await expect(page.getByText('The page comes by itself when we answer.')).toBeVisible();
  const asked: string[] = [];
  await page.route(/\/app\/posts(\.data)?$/, async (route) => {
    asked.push(route.request().url());
    await wait(5_000);
    await route.continue().catch(() => {});
  });
  const history = page.getByRole('heading', { name: 'Post History', exact: true });
  await page.unroute(UNREACHED);
  await expect(history).toBeVisible();
  expect(asked).toHaveLength(1);
});

test('who sends a form whose answer is lost is told that it may have arrived, at the page where it shows', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const content = `The ${newName()} post.`;
  await makeScheduledPost(db, actor, { content, dueAt: new Date(Date.now() + 86_400_000) });
  await page.goto('/app/scheduled');
  await cardWith(page, content).getByRole('link', { name: 'Publish now' }).click();
  await page.route('**/publish.data*', async (route) => {
    await route.fetch({ maxRedirects: 0 }).catch(() => {});
    // What the answer would have told the browser is lost with it.
    await context.clearCookies({ name: /notices/ });
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Publish now' }).click();
  await expect(
    notice(page, 'Failed to publish post. It may have arrived: look before you do it again.'),
  ).toBeVisible();
  await expect(page.getByText('comes by itself')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Scheduled Posts', exact: true })).toBeVisible();
});

test('buttons that were first pressed without a connection work at the next press', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  await createSession(db, actor.userId, 'web', WINDOWS);
  await open(page, '/app/account/security');
  const buttons = [
    { name: 'Sign out Chrome on Windows', failure: 'Failed to sign out. Nobody answered.' },
    { name: 'Set up', failure: 'Failed to begin. Nobody answered.' },
  ];
  await context.setOffline(true);
  for (const { name, failure } of buttons) {
    await page.getByRole('button', { name }).click();
    await expect(page.getByRole('main').getByText(failure)).toBeVisible();
  }
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Sign out Chrome on Windows' }).click();
  await expect(notice(page, 'Signed out there')).toBeVisible();
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByRole('heading', { name: 'Set up an authenticator app' })).toBeVisible();
});

test('a profile whose picture is gone at LinkedIn has its initials and no torn page', async ({
  page,
  context,
  db,
}) => {
  const { userId } = await signInAsPublisher(context, db);
  const look = async (picture: string | null) => {
    await db.updateTable('linkedinConnections').set({ picture }).where('userId', '=', userId).execute();
    await open(page, '/app/linkedin');
    return (await page.getByRole('main').locator('.avatar').screenshot()).toString('base64');
  };
  expect(await look('https://127.0.0.1:1/gone.png')).toBe(await look(null));
  const drawn = await look(
    `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="9" height="30"><rect width="9" height="30" fill="teal"/></svg>`,
  );
  expect(drawn).not.toBe(await look(null));
});

test('text typed into a form survives the reload after a script could not be fetched', async ({
  page,
  context,
  db,
}) => {
  await signInAsPublisher(context, db);
  await open(page, '/app/dashboard?help=support');
  const dialog = page.getByRole('dialog');
  const message = dialog.getByLabel('Message');
  await dialog.getByLabel('Subject').fill('Holidays');
  await message.fill('When do you publish on holidays?');
  // The form is sent to the help page, whose script this page has not loaded.
  await page.route(`**${scriptOf('help')}`, (route) => route.abort('connectionfailed'));
  await page.route('**/help.data*', (route) => route.abort('connectionfailed'));
  const loaded = page.waitForEvent('load');
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await loaded;
  await expect(message).toHaveValue('When do you publish on holidays?');
});

test('text typed into a form does not come back for another user of the browser', async ({
  page,
  context,
  db,
}) => {
  page.on('dialog', (dialog) => void dialog.accept());
  const [ada, bea] = [await makeUser(db), await makeUser(db)];
  await signInAs(context, db, ada);
  await open(page, '/app/feedback?dialog=feedback');
  const title = page.getByRole('dialog', { name: 'Give feedback' }).getByLabel('Title');
  await title.fill('Hours that are quiet');
  await page.reload();
  await expect(title).toHaveValue('Hours that are quiet');
  await title.fill('Hours that are very quiet');
  await signInAs(context, db, bea);
  // As it is once this page has brought itself up to date.
  await page.evaluate((id) => document.documentElement.setAttribute('data-user', id), bea.userId);
  await page.reload();
  await expect(title).toHaveValue('');
});
