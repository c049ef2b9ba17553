import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { png } from '#tests/fixtures/pictures.ts';
import { makeScheduledPost } from '#tests/fixtures/posts.ts';
import { expect, notice, signInAsPublisher, test } from '#tests/harness/e2e/kit.ts';

let server: Server;
let pictures: string;

test.beforeAll(async () => {
  server = createServer((req, res) => {
    if (req.url === '/pier.png') res.end(png(640, 400));
    else res.writeHead(404).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  pictures = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const SEEN = 'A wide frame of 640 by 400 pixels';
const suggest = (page: Page) => page.getByRole('button', { name: 'Suggest a picture description' });
const description = (page: Page) => page.getByLabel('Picture description');

test('a description of the picture is suggested, read and kept', async ({
  page,
  context,
  db,
  javaScriptEnabled,
}) => {
  const actor = await signInAsPublisher(context, db);
  const dueAt = new Date(Date.now() + 86_400_000);
  const id = await makeScheduledPost(db, actor, { content: 'A pier at dawn.', dueAt });
  const stored = async () =>
    (await db.selectFrom('posts').select('altText').where('id', '=', id).executeTakeFirstOrThrow()).altText;
  await page.goto(`/app/scheduled?edit=${id}`);
  await expect(page.getByRole('button', { name: javaScriptEnabled ? 'Done' : 'Save' })).toBeVisible();
  await expect(suggest(page)).toBeHidden();
  await page.getByLabel('Image URL').fill(`${pictures}/gone.png`);
  await suggest(page).click();
  await expect(page.getByText(/it answers 404/).first()).toBeVisible();
  await expect(description(page)).toHaveValue('');

  await page.getByLabel('Image URL').fill(`${pictures}/pier.png`);
  await suggest(page).click();
  await expect(description(page)).toHaveValue(SEEN);
  await expect(description(page)).toBeFocused();
  if (!javaScriptEnabled) {
    await expect(notice(page, 'A description is suggested.')).toBeVisible();
    expect(await stored()).toBeNull();
  }
  await page.keyboard.press('End');
  await page.keyboard.type(', at dawn');
  // In a field of one line Enter saves, whatever buttons stand beside it.
  await page.getByLabel('Hashtags').press('Enter');
  await expect(description(page)).toHaveCount(0);
  expect(await stored()).toBe(`${SEEN}, at dawn`);
});
