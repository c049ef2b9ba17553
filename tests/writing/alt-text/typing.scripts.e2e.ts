import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { png } from '#tests/fixtures/pictures.ts';
import { makeScheduledPost } from '#tests/fixtures/posts.ts';
import { expect, signInAsPublisher, test } from '#tests/harness/e2e/kit.ts';

const SEEN = 'A wide frame of 640 by 400 pixels';
const suggest = (page: Page) => page.getByRole('button', { name: 'Suggest a picture description' });
const description = (page: Page) => page.getByLabel('Picture description');

test('what is typed while the writer looks stands', async ({ page, context, db }) => {
  const asked = Promise.withResolvers<ServerResponse>();
  let isHeld = true;
  // The picture waits to be let go, for who is no browser.
  const server = createServer((req, res) => {
    if (isHeld && !req.headers['sec-fetch-dest']) asked.resolve(res);
    else res.end(png(640, 400));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const pictures = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const actor = await signInAsPublisher(context, db);
  const dueAt = new Date(Date.now() + 86_400_000);
  const id = await makeScheduledPost(db, actor, { content: 'A pier at dawn.', dueAt });
  await page.goto(`/app/scheduled?edit=${id}`);
  await expect(page.getByRole('button', { name: 'Done' })).toBeVisible();
  await page.getByLabel('Image URL').fill(`${pictures}/pier.png`);
  await suggest(page).click();
  const answer = await asked.promise;
  isHeld = false;
  await expect(suggest(page)).toHaveAttribute('aria-busy', 'true');
  await expect(page.getByText('Looking at the picture…')).toBeVisible();
  await description(page).fill('My own words');
  answer.end(png(640, 400));
  await expect(page.getByText(`your words stand. Suggested: ${SEEN}`)).toBeVisible();
  await expect(description(page)).toHaveValue('My own words');
  await suggest(page).click();
  await expect(description(page)).toHaveValue(SEEN);
  await page.keyboard.press('Control+z');
  await expect(description(page)).toHaveValue('My own words');
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () =>
    (await window.axe.run(document)).violations.map(({ id: rule }) => rule),
  );
  expect(found.filter((rule) => rule !== 'region')).toEqual([]);
  server.closeAllConnections();
  server.close();
});
